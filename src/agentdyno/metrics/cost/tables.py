"""Costs of a batch of trajectories as the ledger's tables.

Takes trajectories, what their models cost, a token counter, returns one frame per table, with
the columns of `records.ledger`. Does no reading and no writing.
"""

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
import polars as pl

from agentdyno.metrics.cost.columns import NEVER, Columns, Floats, Ints
from agentdyno.metrics.cost.metering import SOURCES, Batch, Meter
from agentdyno.metrics.cost.pte import CacheAssumption, TurnCosts, size_on_entry
from agentdyno.metrics.cost.split import Split
from agentdyno.records import PART_KINDS, Part, ToolCall, Trajectory, Turn
from agentdyno.records.ledger import TABLES
from agentdyno.records.schema import TYPES

Frames = dict[str, pl.DataFrame]


def measure_costs(trajectories: Sequence[Trajectory], meter: Meter) -> Frames:
    """The four cost tables of a batch."""
    batch = _Layout(Batch(trajectories, meter))
    return {
        "trajectories": batch.trajectories(),
        "turns": batch.turns(),
        "calls": batch.calls(),
        "parts": batch.parts(),
    }


def table(name: str, columns: dict[str, Any]) -> pl.DataFrame:
    """A frame in the ledger's shape; NaN inside the arithmetic leaves as null."""
    return pl.DataFrame(
        [_series(c.name, columns[c.name], TYPES[c.type]) for c in TABLES[name]],
    )


def _with_fields(name: str, worked_out: dict[str, Any], records: Sequence[Any]) -> pl.DataFrame:
    """A table of which the rest are the records' own fields, each under the column's name."""
    rest = [column.name for column in TABLES[name] if column.name not in worked_out]
    return table(name, worked_out | {f: list(map(attrgetter(f), records)) for f in rest})


def _series(name: str, values: Any, dtype: Any) -> pl.Series:
    if isinstance(values, pl.Series):
        return values.alias(name).cast(dtype)
    if isinstance(values, list):
        # Many fields are unknown in all of a format's traces; saying so once is quicker.
        if values and values[0] is None and values.count(None) == len(values):
            return pl.repeat(None, len(values), dtype=dtype, eager=True).alias(name)
        return pl.Series(name, values, dtype=dtype, strict=False)
    return pl.Series(name, values, nan_to_null=True).cast(dtype)


class _Layout:
    """Lays the numbers of a batch out as tables."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.items, self.meter = batch.items, batch.meter
        self.columns, self.split, self.shares = batch.columns, batch.split, batch.shares
        self.ids = pl.Series([t.trajectory_id for t in self.items], dtype=pl.String)
        self.own_lines = any(t.turns and t.turns[-1].line is not None for t in self.items)
        """Whether rows of one trajectory stand in several lines."""

    # Tables -------------------------------------------------------------------------------------

    def turns(self) -> pl.DataFrame:
        chosen = self.batch.costs[self.meter.cache]
        prefill_source, decode_source, worse = self.batch.sources
        turns = self.batch.all_turns
        factor, spread, bias = self.batch.decode_errors()
        calls, answered = self._calls_by_turn()
        columns: dict[str, Any] = {
            "decode_factor": factor,
            "decode_spread": spread,
            "decode_bias": bias,
            "trajectory_id": self.ids.gather(self.columns.turn_trajectory),
            "turn": _places(self.columns.first_turn),
            "model": self.batch.models,
            "prefill_tokens": np.round(chosen.prefill),
            "decode_tokens": self.split.decode,
            "context_tokens": self.split.context,
            "cached_tokens": self.columns.cached,
            "token_source": _words(worse),
            "prefill_source": _words(prefill_source),
            "decode_source": _words(decode_source),
            "calls": calls,
            "answered": answered,
            "line": self._lines(turns, self.columns.turn_trajectory),
            "first_scale": self.split.first_scale,
            "later_scale": self.split.later_scale,
            "unseen_tokens": self.split.unseen,
            "unseen_decode_tokens": self.split.unseen_decode,
            "gamma": self.batch.gamma,
            "usd": self.batch.usd,
            "reported_usd": self.batch.reported_usd,
            "usd_source": _usd_sources(self.batch),
        }
        columns |= _cost_columns(self.batch.costs, self.meter.cache)
        return _with_fields("turns", columns, turns)

    def trajectories(self) -> pl.DataFrame:
        chosen = self.batch.costs[self.meter.cache]
        items, by_trajectory = self.items, self.batch.by_trajectory
        engines = [self.meter.engine(t.model) for t in items]
        columns: dict[str, Any] = {
            "trajectory_id": self.ids,
            "relation": [None if t.parent_id is None else "sub-agent" for t in items],
            "continues_id": [None] * len(items),
            "turns": [len(t.turns) for t in items],
            "calls": [len(t.calls) for t in items],
            "prefill_tokens": np.round(by_trajectory(chosen.prefill)),
            "decode_tokens": by_trajectory(self.split.decode),
            "cached_tokens": by_trajectory(self.columns.cached),
            "token_source": _words(_worst(self.batch.sources[2], self.columns.first_turn)),
            "latency_seconds": by_trajectory(
                _floats([t.latency_seconds for t in self.batch.all_turns])
            ),
            "wait_seconds": [_sum_or_none([c.wait_seconds for c in t.calls]) for t in items],
            "usd": by_trajectory(self.batch.usd),
            "reported_usd": by_trajectory(self.batch.reported_usd),
            "gamma": [engine.gamma.value for engine in engines],
            "gamma_source": [engine.gamma.source for engine in engines],
            "architecture": [engine.architecture for engine in engines],
        }
        costs = _cost_columns(self.batch.costs, self.meter.cache)
        columns |= {name: by_trajectory(values) for name, values in costs.items()}
        return _with_fields("trajectories", columns, items)

    def calls(self) -> pl.DataFrame:
        calls = list(chain.from_iterable(t.calls for t in self.items))
        request, result = _call_parts(self.items, self.columns.first_part)
        tokens, shares = _sizes(self.columns, self.split), self.shares
        counts = [len(t.calls) for t in self.items]
        whose = np.repeat(np.arange(len(counts)), counts)
        columns: dict[str, Any] = {
            "trajectory_id": self.ids.gather(whose),
            "line": self._lines(calls, whose),
            "request_tokens": _picked(tokens, request),
            "result_tokens": _picked(tokens, result),
            "pte": _added(shares.pte, request, result),
            "pte_growth": _added(shares.pte_growth, request, result),
        }
        return _with_fields("calls", columns, calls)

    def parts(self) -> pl.DataFrame:
        return pl.concat([self._visible_parts(), self._unseen_parts()])

    # Pieces of the tables -----------------------------------------------------------------------

    def _visible_parts(self) -> pl.DataFrame:
        c = self.columns
        parts = list(chain.from_iterable(t.parts for t in self.items))
        base = c.first_turn[:-1][c.part_trajectory]
        made, enters = _local(c.made, base), _local(c.enters, base)
        appears = np.where(np.isnan(made), enters, made)
        turn, call = _turn_and_call(self.items, parts, c.part_trajectory, appears)
        stays = (c.enters == NEVER) | (c.leaves == c.first_turn[1:][c.part_trajectory])
        return table(
            "parts",
            {
                "trajectory_id": self.ids.gather(c.part_trajectory),
                "part": _places(c.first_part),
                "kind": pl.Series(PART_KINDS, dtype=pl.String).gather(c.kind),
                "name": [part.name for part in parts],
                "turn": turn,
                "call": call,
                "line": self._lines(parts, c.part_trajectory),
                "tokens": _sizes(self.columns, self.split),
                "token_source": self._part_sources(),
                "made": made,
                "enters": enters,
                "leaves": np.where(stays, np.nan, c.leaves - base),
                "pte": self.shares.pte,
                "pte_growth": self.shares.pte_growth,
            },
        )

    def _unseen_parts(self) -> pl.DataFrame:
        """Two rows at most for a trajectory: unseen in context, and unseen among the decoded.

        `prompt`: hidden prompts, schemas and templates at the root of a session. `earlier`:
        conversation from before the file begins. `decoded`: generated, but not shown.
        """
        total, s = self.batch.by_trajectory, self.shares
        largest = _largest(self.split.unseen, self.columns.first_turn)
        midway = np.array([t.begins_midway for t in self.items], dtype=bool)
        # A file that begins in the middle of a session had a conversation before it; what else it
        # does not show cannot be told from that.
        rows = [
            ("prompt", np.where(midway, 0.0, largest), total(s.unseen), None),
            ("earlier", np.where(midway, largest, 0.0), total(s.unseen), None),
            (
                "decoded",
                total(self.split.unseen_decode),
                total(s.unseen_decode),
                total(s.unseen_decode_growth),
            ),
        ]
        frames = []
        for place, (name, tokens, pte, grown) in zip((0, 0, 1), rows, strict=True):
            where = np.flatnonzero(tokens > 0)
            frames.append(self._unseen_rows(place, name, where, tokens, pte, grown))
        return pl.concat(frames)

    def _unseen_rows(
        self,
        place: int,
        name: str | None,
        where: Ints,
        tokens: Floats,
        pte: Floats,
        grown: Floats | None,
    ) -> pl.DataFrame:
        many = len(where)
        part_counts = np.diff(self.columns.first_part)
        nothing = [None] * many
        return table(
            "parts",
            {
                "trajectory_id": self.ids.gather(where),
                "part": part_counts[where] + place,
                "kind": ["unseen"] * many,
                "name": [name] * many,
                "turn": nothing,
                "call": nothing,
                "line": nothing,
                "tokens": tokens[where],
                "token_source": ["scaled"] * many,
                "made": nothing,
                "enters": nothing,
                "leaves": nothing,
                "pte": pte[where],
                "pte_growth": (pte if grown is None else grown)[where],
            },
        )

    def _part_sources(self) -> pl.Series:
        """`scaled` where a reported total was split; else how the text was counted."""
        c = self.columns
        code = {"counted": 1, "estimated": 2}
        counted = np.array([code[self.meter.count_source(t.model)] for t in self.items])
        split = (c.made != NEVER) & ~np.isnan(c.decode)[np.maximum(c.made, 0)]
        codes = np.where(~c.counted | split, 3, counted[c.part_trajectory])
        words = pl.Series(["reported", "counted", "estimated", "scaled"])
        return words.gather(np.where(np.isnan(c.known), codes, 0))

    def _lines(self, rows: Sequence[Turn | ToolCall | Part], whose: Ints) -> Floats:
        """Each row's own line, or else the one that its trajectory begins in."""
        begins = np.array([t.line for t in self.items], dtype=np.float64)[whose]
        if not self.own_lines:
            return begins
        given = np.array([row.line for row in rows], dtype=np.float64)
        return np.where(np.isnan(given), begins, given)

    def _calls_by_turn(self) -> tuple[Ints, Ints]:
        """Per turn: the calls that it made, and how many of them have a result."""
        first = self.columns.first_turn
        made = [first[i] + c.turn for i, t in enumerate(self.items) for c in t.calls]
        index = np.array(made, dtype=np.int64)
        has = np.array([c.result is not None for t in self.items for c in t.calls], dtype=bool)
        turns = self.columns.turns
        return np.bincount(index, minlength=turns), np.bincount(index[has], minlength=turns)


# Helpers, in the order of use ---------------------------------------------------------------------


def _usd_sources(batch: Batch) -> pl.Series:
    """`list` where the price table knows the price, `reported` where only the trace does."""
    listed, told = ~np.isnan(batch.list_usd), ~np.isnan(batch.reported_usd)
    codes = np.where(listed, 0, np.where(told, 1, 2))
    return pl.Series(["list", "reported", None], dtype=pl.String).gather(codes)


def _words(codes: Ints) -> pl.Series:
    return pl.Series(SOURCES, dtype=pl.String).gather(codes)


def _sizes(columns: Columns, split: Split) -> Floats:
    """A part's tokens: as decoded, or as the first turn that had it in context counted them."""
    return np.where(columns.made == NEVER, size_on_entry(columns, split), split.tokens)


def _call_parts(items: Sequence[Trajectory], first_part: Ints) -> tuple[Ints, Ints]:
    """Per call: the global indices of its request and its result, or NEVER."""

    counts = [len(t.calls) for t in items]
    base = np.repeat(first_part[:-1], counts)
    calls = list(chain.from_iterable(t.calls for t in items))

    def found(field: str) -> Ints:
        local = np.array(list(map(attrgetter(field), calls)), dtype=np.float64)
        return np.where(np.isnan(local), NEVER, local + base).astype(np.int64)

    return found("request"), found("result")


def _cost_columns(
    costs: dict[CacheAssumption, TurnCosts], chosen: CacheAssumption
) -> dict[str, Floats]:
    columns = {"pte": costs[chosen].pte, "pte_growth": costs[chosen].pte_growth}
    for assumption, cost in costs.items():
        columns[f"pte_{assumption}"] = cost.pte
        columns[f"pte_growth_{assumption}"] = cost.pte_growth
    return columns


def _places(first: Ints) -> Ints:
    """0, 1, 2 … within each trajectory."""
    counts = np.diff(first)
    return np.arange(first[-1]) - np.repeat(first[:-1], counts)


def _worst(codes: Ints, first: Ints) -> Ints:
    return np.maximum.reduceat(codes, first[:-1]) if len(codes) else codes


def _largest(values: Floats, first: Ints) -> Floats:
    return np.maximum.reduceat(values, first[:-1]) if len(values) else values


def _floats(values: list[Any]) -> Floats:
    return np.array(values, dtype=np.float64)


def _sum_or_none(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _picked(values: Floats, index: Ints) -> Floats:
    return np.where(index == NEVER, np.nan, values[np.maximum(index, 0)] if len(values) else 0.0)


def _added(values: Floats, request: Ints, result: Ints) -> Floats:
    both = _picked(values, request), _picked(values, result)
    return np.where(request == NEVER, 0.0, both[0]) + np.where(result == NEVER, 0.0, both[1])


def _local(indices: Ints, base: Ints) -> Floats:
    return np.where(indices == NEVER, np.nan, indices - base)


def _turn_and_call(
    items: Sequence[Trajectory], parts: Sequence[Part], trajectory: Ints, turn: Floats
) -> tuple[Floats, Floats]:
    """A request or a result belongs to its call's turn; other parts to where they appeared."""
    calls = list(chain.from_iterable(t.calls for t in items))
    if not calls:
        return turn, np.full(len(turn), np.nan)
    local = np.array([NEVER if p.call is None else p.call for p in parts], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum([len(t.calls) for t in items])])
    of_call = local != NEVER
    index = np.where(of_call, local + first[trajectory], 0)
    turn_of = np.array([call.turn for call in calls], dtype=np.float64)[index]
    place_of = np.array([call.call for call in calls], dtype=np.float64)[index]
    return np.where(of_call, turn_of, turn), np.where(of_call, place_of, np.nan)
