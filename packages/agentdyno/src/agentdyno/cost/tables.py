"""Costs of a batch of trajectories as the ledger's tables.

Takes trajectories, what their models cost, a token counter, returns one frame per table, with
the columns of `records.ledger`. Does no reading and no writing.
"""

from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np
import polars as pl

from agentdyno.cost.columns import KIND_CODE, NEVER, Columns, Floats, Ints, Joined, floats, whose
from agentdyno.cost.metering import SOURCES, Batch, Meter
from agentdyno.cost.pte import CACHE_ASSUMPTIONS, CacheAssumption, TurnCosts, size_on_entry
from agentdyno.cost.split import Split
from agentdyno.matching.subjects import find_subject
from agentdyno.records import PART_KINDS, Trajectory
from agentdyno.records.ledger import TABLES
from agentdyno.records.rows import Rows, all_unknown
from agentdyno.records.schema import TYPES

Frames = dict[str, pl.DataFrame]
BILLED = ("usd_input", "usd_read", "usd_write", "usd_output")
"""Columns of `turns`: what the money was charged for."""


def measure_costs(trajectories: Sequence[Trajectory], meter: Meter) -> Frames:
    """The four cost tables of a batch."""
    return measure_rows(Joined(trajectories), meter)


def measure_rows(rows: Joined, meter: Meter) -> Frames:
    """The same of rows that are joined already."""
    batch = _Layout(Batch(rows, meter))
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


def pick(words: pl.Series, places: Ints) -> pl.Series:
    """The word at each place. `gather` would start a query, which takes ten times as long."""
    return words[places] if len(places) else words.clear()


def _with_fields(name: str, worked_out: dict[str, Any], rows: Rows[Any]) -> pl.DataFrame:
    """A table of which the rest are the records' own fields, each under the column's name."""
    field_names = [column.name for column in TABLES[name] if column.name not in worked_out]
    return table(name, worked_out | {field: rows.column(field) for field in field_names})


def _series(name: str, values: Any, dtype: Any) -> pl.Series:
    if isinstance(values, pl.Series):
        return values.alias(name) if values.dtype == dtype else values.alias(name).cast(dtype)
    if isinstance(values, list):
        # Many fields are unknown in all of a format's traces; saying so once is quicker.
        if values and all_unknown(values):
            return _unknown(dtype).new_from_index(0, len(values)).rename(name)
        return pl.Series(name, values, dtype=dtype, strict=False)
    series = pl.Series(name, values, nan_to_null=True)
    return series if series.dtype == dtype else series.cast(dtype)


@cache
def _unknown(dtype: Any) -> pl.Series:
    return pl.Series([None], dtype=dtype)


class _Layout:
    """Lays the numbers of a batch out as tables."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.rows = batch, batch.rows
        self.items, self.meter = batch.items, batch.meter
        self.columns, self.split, self.shares = batch.columns, batch.split, batch.shares
        self.ids = pl.Series([t.trajectory_id for t in self.items], dtype=pl.String)
        lines = self.rows.turns.column("line")
        self.own_lines = not all_unknown(lines)
        """Whether rows of one trajectory stand in several lines."""

    # Tables -------------------------------------------------------------------------------------

    def turns(self) -> pl.DataFrame:
        costs = self.batch.costs[self.meter.cache]
        prefill_source, decode_source, worse = self.batch.sources
        factor, spread, bias = self.batch.decode_errors()
        calls, answered = self._calls_by_turn()
        columns: dict[str, Any] = {
            "decode_factor": factor,
            "decode_spread": spread,
            "decode_bias": bias,
            "trajectory_id": pick(self.ids, self.columns.turn_trajectory),
            "turn": _places(self.columns.first_turn),
            "model": self.batch.models,
            "prefill_tokens": np.round(costs.prefill),
            "decode_tokens": self.split.decode,
            "context_tokens": self.split.context,
            "cached_tokens": self.columns.cached,
            "cache_write_tokens": self.batch.cache.written,
            "cache_write_hour_tokens": self.batch.cache.hour,
            "token_source": _words(worse),
            "prefill_source": _words(prefill_source),
            "decode_source": _words(decode_source),
            "calls": calls,
            "answered": answered,
            "line": self._lines(self.rows.turns, self.columns.turn_trajectory),
            "first_scale": self.split.first_scale,
            "later_scale": self.split.later_scale,
            "unseen_tokens": self.split.unseen,
            "unseen_decode_tokens": self.split.unseen_decode,
            "gamma": self.batch.gamma,
            "usd": self.batch.usd,
            "reported_usd": self.batch.reported_usd,
            "usd_source": _usd_sources(self.batch),
            **{name: getattr(self.batch.bill, name) for name in BILLED},
        }
        columns |= _cost_columns(self.batch.costs, self.meter.cache)
        return _with_fields("turns", columns, self.rows.turns)

    def trajectories(self) -> pl.DataFrame:
        turn_costs = self.batch.costs[self.meter.cache]
        items, by_trajectory = self.items, self.batch.by_trajectory
        engines = [self.meter.engine(t.model) for t in items]
        columns: dict[str, Any] = {
            "trajectory_id": self.ids,
            "relation": [None if t.parent_id is None else "sub-agent" for t in items],
            "continues_id": [None] * len(items),
            "coverage": [_coverage(t) for t in items],
            "turns": [len(t.turns) for t in items],
            "calls": [len(t.calls) for t in items],
            "prefill_tokens": np.round(by_trajectory(turn_costs.prefill)),
            "decode_tokens": by_trajectory(self.split.decode),
            "cached_tokens": by_trajectory(self.columns.cached),
            "token_source": _words(_worst(self.batch.sources[2], self.columns.first_turn)),
            "latency_seconds": by_trajectory(_floats(self.rows.turns.column("latency_seconds"))),
            "wait_seconds": self._wait_seconds(),
            "started_at": self._earliest(),
            "ended_at": self._latest(),
            "usd": by_trajectory(self.batch.usd),
            "reported_usd": by_trajectory(self.batch.reported_usd),
            "gamma": [engine.gamma.value for engine in engines],
            "gamma_source": [engine.gamma.source for engine in engines],
            "architecture": [engine.architecture for engine in engines],
        }
        costs = _cost_columns(self.batch.costs, self.meter.cache)
        columns |= {name: by_trajectory(values) for name, values in costs.items()}
        field_names = [c.name for c in TABLES["trajectories"] if c.name not in columns]
        fields = {field: list(map(attrgetter(field), items)) for field in field_names}
        return table("trajectories", columns | fields)

    def calls(self) -> pl.DataFrame:
        owners = whose(self.rows.first_call)
        request, result = _call_parts(self.rows, owners)
        tokens, shares = _sizes(self.columns, self.split), self.shares
        named = zip(
            self.rows.calls.column("tool"), self.rows.calls.column("arguments"), strict=True
        )
        subjects = [find_subject(tool, arguments) for tool, arguments in named]
        columns: dict[str, Any] = {
            "trajectory_id": pick(self.ids, owners),
            "line": self._lines(self.rows.calls, owners),
            "subject_kind": [None if subject is None else subject.kind for subject in subjects],
            "subject": [None if subject is None else subject.name for subject in subjects],
            "request_tokens": _pick(tokens, request),
            "result_tokens": _pick(tokens, result),
            "usd": self._add_up(self.batch.money.usd, request, result),
            "pte": self._add_up(shares.pte, request, result),
            "pte_growth": self._add_up(shares.pte_growth, request, result),
        }
        return _with_fields("calls", columns, self.rows.calls)

    def _add_up(self, values: Floats, request: Ints, result: Ints) -> Floats:
        """Per call: its request, its result, and what the client adds for it (a skill's text)."""
        sums = _add(values, request, result)
        local = floats(self.rows.parts.column("call"))
        added = np.flatnonzero((self.columns.kind == KIND_CODE["user"]) & ~np.isnan(local))
        if len(added):
            owners = self.columns.part_trajectory[added]
            calls = local[added].astype(np.int64) + self.rows.first_call[owners]
            np.add.at(sums, calls, values[added])
        return sums

    def parts(self) -> pl.DataFrame:
        return pl.concat([self._visible_parts(), self._unseen_parts()])

    # Pieces of the tables -----------------------------------------------------------------------

    def _visible_parts(self) -> pl.DataFrame:
        c = self.columns
        base = c.first_turn[:-1][c.part_trajectory]
        produced, enters = _local(c.made, base), _local(c.enters, base)
        appears = np.where(np.isnan(produced), enters, produced)
        turn, call = _turn_and_call(self.rows, c.part_trajectory, appears)
        stays = (c.enters == NEVER) | (c.leaves == c.first_turn[1:][c.part_trajectory])
        return table(
            "parts",
            {
                "trajectory_id": pick(self.ids, c.part_trajectory),
                "part": _places(c.first_part),
                "kind": pick(pl.Series(PART_KINDS, dtype=pl.String), c.kind),
                "name": self.rows.parts.column("name"),
                "turn": turn,
                "call": call,
                "line": self._lines(self.rows.parts, c.part_trajectory),
                "tokens": _sizes(self.columns, self.split),
                "token_source": self._part_sources(),
                "made": produced,
                "enters": enters,
                "leaves": np.where(stays, np.nan, c.leaves - base),
                "pte": self.shares.pte,
                "pte_growth": self.shares.pte_growth,
                "usd": self.batch.money.usd,
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
        context, hidden = total(s.unseen), total(self.split.unseen_decode)
        money = self.batch.money
        read, written = total(money.unseen), total(money.unseen_decode)
        decoded = total(s.unseen_decode), total(s.unseen_decode_growth), written
        sorts = [
            ("prompt", 0, np.where(midway, 0.0, largest), (context, context, read)),
            ("earlier", 0, np.where(midway, largest, 0.0), (context, context, read)),
            ("decoded", 1, hidden, decoded),
        ]
        return self._unseen_rows([(*sort, np.flatnonzero(sort[2] > 0)) for sort in sorts])

    def _unseen_rows(
        self, sorts: list[tuple[str, int, Floats, tuple[Floats, Floats, Floats], Ints]]
    ) -> pl.DataFrame:
        """One row for each of the trajectories, with the name, offset behind the visible parts,
        tokens and costs of its sort.
        """
        where = np.concatenate([rows for *_, rows in sorts])
        offset = np.concatenate([np.full(len(rows), offset) for _, offset, *_, rows in sorts])
        numbers = [[v[rows] for v in (tokens, *costs)] for *_, tokens, costs, rows in sorts]
        tokens, pte, grown, usd = map(np.concatenate, zip(*numbers, strict=True))
        nothing = [None] * len(where)
        return table(
            "parts",
            {
                "trajectory_id": pick(self.ids, where),
                "part": np.diff(self.columns.first_part)[where] + offset,
                "kind": ["unseen"] * len(where),
                "name": [name for name, *_, rows in sorts for _ in rows],
                "turn": nothing,
                "call": nothing,
                "line": nothing,
                "tokens": tokens,
                "token_source": ["scaled"] * len(where),
                "made": nothing,
                "enters": nothing,
                "leaves": nothing,
                "pte": pte,
                "pte_growth": grown,
                "usd": usd,
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
        return pick(words, np.where(np.isnan(c.known), codes, 0))

    def _lines(self, rows: Rows[Any], owners: Ints) -> Floats:
        """The line of each row, or else the one where its trajectory begins."""
        begins = floats([t.line for t in self.items])[owners]
        if not self.own_lines:
            return begins
        lines = floats(rows.column("line"))
        return np.where(np.isnan(lines), begins, lines)

    def _wait_seconds(self) -> Floats:
        """Per trajectory: the tool time of all its calls; unknown without calls, or when any is."""
        waits, first = _floats(self.rows.calls.column("wait_seconds")), self.rows.first_call
        owners = whose(first)
        summed = np.bincount(owners, waits, len(self.items))
        return np.where(np.diff(first) > 0, summed, np.nan)

    def _earliest(self) -> Floats:
        """Per trajectory: when its first turn with a time was sent, or else answered."""
        started, ended = (_floats(self.rows.turns.column(n)) for n in ("started_at", "ended_at"))
        return self._extreme(np.fmin, np.where(np.isnan(started), ended, started))

    def _latest(self) -> Floats:
        return self._extreme(np.fmax, _floats(self.rows.turns.column("ended_at")))

    def _extreme(self, choose: np.ufunc, times: Floats) -> Floats:
        """Every trajectory has a turn; unknown where none has a time."""
        extreme: Floats = choose.reduceat(times, self.columns.first_turn[:-1])
        return extreme

    def _calls_by_turn(self) -> tuple[Ints, Ints]:
        """Per turn: the calls that it made, and how many of them have a result."""
        calls, turns = self.rows.calls, self.columns.turns
        local = np.fromiter(calls.column("turn"), np.int64, len(calls))
        index = local + self.columns.first_turn[:-1][whose(self.rows.first_call)]
        has = ~np.isnan(floats(calls.column("result")))
        return np.bincount(index, minlength=turns), np.bincount(index[has], minlength=turns)


# Helpers, in the order of use ---------------------------------------------------------------------


def _coverage(trajectory: Trajectory) -> str | None:
    """By this file alone; what others hold of the same agent is added when all are read."""
    reported = trajectory.reported_calls
    return "lower_bound" if reported is not None and len(trajectory.calls) < reported else None


def _usd_sources(batch: Batch) -> pl.Series:
    """`list` where the price table knows the price, `reported` where only the trace does."""
    listed, reported = ~np.isnan(batch.list_usd), ~np.isnan(batch.reported_usd)
    codes = np.where(listed, 0, np.where(reported, 1, 2))
    return pick(pl.Series(["list", "reported", None], dtype=pl.String), codes)


def _words(codes: Ints) -> pl.Series:
    return pick(pl.Series(SOURCES, dtype=pl.String), codes)


def _sizes(columns: Columns, split: Split) -> Floats:
    """A part's tokens: as decoded, or as the first turn that had it in context counted them."""
    return np.where(columns.made == NEVER, size_on_entry(columns, split), split.tokens)


def _call_parts(rows: Joined, owners: Ints) -> tuple[Ints, Ints]:
    """Per call: the global indices of its request and its result, or NEVER."""
    base = rows.first_part[:-1][owners]

    def locate(field: str) -> Ints:
        local = floats(rows.calls.column(field))
        return np.where(np.isnan(local), NEVER, local + base).astype(np.int64)

    return locate("request"), locate("result")


def _cost_columns(
    costs: dict[CacheAssumption, TurnCosts], assumed: CacheAssumption
) -> dict[str, Floats]:
    columns = {"pte": costs[assumed].pte, "pte_growth": costs[assumed].pte_growth}
    for assumption in CACHE_ASSUMPTIONS:
        columns[f"pte_{assumption}"] = costs[assumption].pte
        columns[f"pte_growth_{assumption}"] = costs[assumption].pte_growth
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
    if all_unknown(values):
        return np.full(len(values), np.nan)
    return np.array(values, dtype=np.float64)


def _pick(values: Floats, index: Ints) -> Floats:
    return np.where(index == NEVER, np.nan, values[np.maximum(index, 0)] if len(values) else 0.0)


def _add(values: Floats, request: Ints, result: Ints) -> Floats:
    both = _pick(values, request), _pick(values, result)
    return np.where(request == NEVER, 0.0, both[0]) + np.where(result == NEVER, 0.0, both[1])


def _local(indices: Ints, base: Ints) -> Floats:
    return np.where(indices == NEVER, np.nan, indices - base)


def _turn_and_call(rows: Joined, trajectory: Ints, turn: Floats) -> tuple[Floats, Floats]:
    """A request or a result belongs to its call's turn; other parts to where they appeared."""
    calls = rows.calls
    if not calls:
        return turn, np.full(len(turn), np.nan)
    local = floats(rows.parts.column("call"))
    of_call = ~np.isnan(local)
    index = np.where(of_call, local + rows.first_call[trajectory], 0).astype(np.int64)
    turn_of = np.fromiter(calls.column("turn"), np.float64, len(calls))[index]
    place_of = np.fromiter(calls.column("call"), np.float64, len(calls))[index]
    return np.where(of_call, turn_of, turn), np.where(of_call, place_of, np.nan)
