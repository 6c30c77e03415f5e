"""Many trajectories as flat arrays, so that cost is computed for all of them at once.

Turns and parts of all trajectories stand one behind the other; indices are global. A missing
number is NaN here, inside the arithmetic only: it leaves as None.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from agentdyno.cost.token_calibration import Calibration
from agentdyno.matching.subjects import keep_subject
from agentdyno.records import PART_KINDS, Part, TokenCount, ToolCall, Trajectory, Turn
from agentdyno.records.rows import Rows, all_unknown, as_rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

KIND_CODE = {kind: code for code, kind in enumerate(PART_KINDS)}

# Measured with the o200k vocabulary on agent traces (docs/log/intake-and-identity.md).
CHARACTERS_PER_TOKEN: dict[str, float] = {
    "system": 4.8,
    "schema": 4.6,
    "user": 4.3,
    "reasoning": 4.3,
    "text": 4.2,
    "request": 3.6,
    "result": 3.0,
    "unseen": 4.0,
}

NEVER = -1


class Columns(Struct, frozen=True):
    """The numbers of a batch of trajectories."""

    first_turn: Ints
    """Per trajectory and one beyond: the global index of its first turn."""
    turn_trajectory: Ints
    """Per turn: its trajectory."""
    prefill: Floats
    """Per turn: reported context tokens, cached included; NaN when not reported."""
    cached: Floats
    """Per turn: tokens read from the provider's cache; NaN when not reported."""
    decode: Floats
    """Per turn: reported generated tokens; NaN when not reported."""
    first_part: Ints
    """Per trajectory and one beyond: the global index of its first part."""
    part_trajectory: Ints
    """Per part: its trajectory."""
    kind: Ints
    """Per part: its kind's code."""
    size: Floats
    """Per part: tokens as counted, or estimated from its length."""
    counted: Flags
    """Per part: whether `size` was counted with a vocabulary."""
    own_counted: Flags
    """Per part: whether it was counted with the model's own."""
    known: Floats
    """Per part: tokens that the provider reported for the part itself; NaN otherwise."""
    bare_decode: Floats
    """Per turn: tokens of what it decoded, as counted before calibration."""
    overhead: Floats
    """Per turn: tokens that come with any response of the model; 0 where they are not known."""
    made: Ints
    """Per part: the global turn that decoded it, or NEVER."""
    enters: Ints
    """Per part: the first global turn that has it in context, or NEVER."""
    leaves: Ints
    """Per part: the global turn from which it is gone (its trajectory's end when it stays)."""

    @property
    def turns(self) -> int:
        return len(self.turn_trajectory)


CountTexts = Callable[[str | None, Sequence[str]], Sequence[int]]
"""Counts texts with the vocabulary of a model."""
CountSource = Callable[[str | None], str]
"""`counted` or `estimated`: whether that vocabulary is the model's own, or stands in for it."""
Calibrate = Callable[[str | None], Calibration | None]
"""How a model's counted tokens become an estimate of its own."""


class Joined:
    """The rows of a batch of trajectories, one behind the other.

    A trajectory is taken over when it has just been read: its texts are near then, and to look at
    each of them again later takes longer than all else here.
    """

    def __init__(self, trajectories: Iterable[Trajectory] = (), texts_needed: bool = True) -> None:
        """Where texts are not `texts_needed`, those of a trajectory with all totals are let go as
        soon as their length is known: the memory of the last one is near, and is used again."""
        self.items: list[Trajectory] = []
        self.turns: Rows[Turn] = Rows(Turn, [])
        self.parts: Rows[Part] = Rows(Part, [])
        self.calls: Rows[ToolCall] = Rows(ToolCall, [])
        self.lengths: list[int] = []
        """Per part: the characters of its text."""
        self.characters = 0
        """Of the texts that are held."""
        self._texts_needed = texts_needed
        self._ends: list[tuple[int, int, int]] = [(0, 0, 0)]
        for trajectory in trajectories:
            self.add(trajectory)

    def add(self, trajectory: Trajectory, lengths: list[int] | None = None) -> None:
        """Takes the rows of one more; `lengths` of its texts, where they are gone already."""
        turns, parts = as_rows(Turn, trajectory.turns), as_rows(Part, trajectory.parts)
        calls = as_rows(ToolCall, trajectory.calls)
        if lengths is None:
            lengths = [*map(len, parts.column("text"))]
        if self._texts_needed or not (all(turns.column("prefill")) and all(turns.column("decode"))):
            self.characters += sum(lengths)
        else:
            parts.fill("text", [""] * len(parts))
            calls.fill("arguments", [*map(keep_subject, *map(calls.column, ("tool", "arguments")))])
        self.items.append(trajectory)
        self.turns.cells += turns.cells
        self.parts.cells += parts.cells
        self.calls.cells += calls.cells
        self.lengths += lengths
        self._ends.append((len(self.turns), len(self.lengths), len(self.calls)))

    def slice_items(self, start: int, stop: int) -> "Joined":
        """The items from `start` up to `stop`."""
        some, first = Joined(), self.first_part.tolist()
        for index in range(start, stop):
            some.add(self.items[index], self.lengths[first[index] : first[index + 1]])
        return some

    @cached_property
    def kinds(self) -> Ints:
        """Per part: the code of its kind."""
        codes = map(KIND_CODE.__getitem__, self.parts.column("kind"))
        return np.fromiter(codes, np.int64, len(self.lengths))

    @cached_property
    def _firsts(self) -> Ints:
        # By column, so that each is one stretch of memory.
        return np.array(self._ends, dtype=np.int64, order="F")

    @cached_property
    def first_turn(self) -> Ints:
        """Per trajectory and one beyond: its first turn."""
        return self._firsts[:, 0]

    @cached_property
    def first_part(self) -> Ints:
        """Per trajectory and one beyond: its first part."""
        return self._firsts[:, 1]

    @cached_property
    def first_call(self) -> Ints:
        """Per trajectory and one beyond: its first call."""
        return self._firsts[:, 2]

    @cached_property
    def prefill(self) -> list[TokenCount | None]:
        """Per turn: what the trace says of its context."""
        return self.turns.column("prefill")

    @cached_property
    def decode(self) -> list[TokenCount | None]:
        """Per turn: what the trace says of what it generated."""
        return self.turns.column("decode")

    @cached_property
    def texts(self) -> list[str]:
        """Per part."""
        return self.parts.column("text")

    @cached_property
    def prefill_tokens(self) -> Floats:
        """Per turn: tokens of its context; NaN where the trace does not say."""
        return floats(_tokens(self.prefill))

    @cached_property
    def decode_tokens(self) -> Floats:
        """Per turn: tokens that it generated; NaN where the trace does not say."""
        return floats(_tokens(self.decode))

    @cached_property
    def all_reported(self) -> Flags:
        """Per trajectory: whether all its turns have both totals."""
        unsaid = np.isnan(self.prefill_tokens) | np.isnan(self.decode_tokens)
        counts = np.concatenate([[0], np.cumsum(unsaid)])
        every: Flags = counts[self.first_turn[1:]] == counts[self.first_turn[:-1]]
        return every


def whose(first: Ints) -> Ints:
    """Per row: the trajectory it belongs to."""
    return np.repeat(np.arange(len(first) - 1), np.diff(first))


def flatten(
    trajectories: Sequence[Trajectory],
    count: CountTexts,
    exact: bool = False,
    calibrate: Calibrate = lambda model: None,
    count_source: CountSource = lambda model: "counted",
) -> Columns:
    """The batch as arrays. Parts whose totals are reported are sized by length unless `exact`."""
    return flatten_rows(Joined(trajectories), count, exact, calibrate, count_source)


def flatten_rows(
    rows: Joined,
    count: CountTexts,
    exact: bool,
    calibrate: Calibrate,
    count_source: CountSource,
) -> Columns:
    """The same of rows that are joined already."""
    part_trajectory, parts, turns = whose(rows.first_part), rows.parts, len(rows.turns)
    base, ends = rows.first_turn[:-1][part_trajectory], rows.first_turn[1:][part_trajectory]
    kind = rows.kinds
    size, counted = _sizes(rows, part_trajectory, kind, count, exact)
    is_own = np.array([count_source(item.model) == "counted" for item in rows.items], dtype=bool)
    produced = _global(parts.column("made"), base, None)
    is_decoded = produced != NEVER
    bare = np.bincount(produced[is_decoded], size[is_decoded], turns).astype(np.float64)
    decode = rows.decode_tokens
    overhead = np.zeros(turns)
    if np.isnan(decode).any():
        overhead = _calibrate(rows, size, kind, produced, calibrate)
    return Columns(
        first_turn=rows.first_turn,
        turn_trajectory=whose(rows.first_turn),
        prefill=rows.prefill_tokens,
        cached=floats(rows.turns.column("cached_tokens")),
        decode=decode,
        first_part=rows.first_part,
        part_trajectory=part_trajectory,
        kind=kind,
        size=size,
        counted=counted,
        own_counted=counted & is_own[part_trajectory],
        known=floats(parts.column("tokens")),
        bare_decode=bare,
        overhead=overhead,
        made=produced,
        enters=_global(parts.column("enters"), base, None),
        leaves=_global(parts.column("leaves"), base, ends),
    )


def _tokens(counts: list[TokenCount | None]) -> list[int | None]:
    return [None if count is None else count.tokens for count in counts]


def floats(values: list[Any]) -> Floats:
    """Numbers of which some are unknown, as NaN; numpy alone takes ten times as long for those."""
    if all_unknown(values):
        return np.full(len(values), np.nan)
    import polars as pl  # Here: whoever only asks what is known does not wait for it.

    try:
        return pl.Series(values, dtype=pl.Int64).cast(pl.Float64).to_numpy()  # Null becomes NaN.
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return np.array(values, dtype=np.float64)


def _global(local: list[int | None], base: Ints, missing: Ints | None) -> Ints:
    absent: Any = NEVER if missing is None else missing
    if all_unknown(local):
        return np.where(np.ones(len(local), dtype=bool), absent, NEVER).astype(np.int64)
    array = floats(local)  # Turns are far from 2**53.
    return np.where(np.isnan(array), absent, array + base).astype(np.int64)


def _sizes(
    rows: Joined, part_trajectory: Ints, kind: Ints, count: CountTexts, exact: bool
) -> tuple[Floats, Flags]:
    """Per part: its tokens and whether they were counted, all texts of a model at once."""
    per_token = np.array([CHARACTERS_PER_TOKEN[k] for k in PART_KINDS])
    characters = np.fromiter(rows.lengths, np.float64, len(rows.lengths))
    size = np.ceil(characters / per_token[kind])
    sure = np.zeros(len(rows.items), dtype=bool) if exact else rows.all_reported
    by_model: dict[str | None, list[int]] = {}
    for index in np.flatnonzero(~sure).tolist():
        by_model.setdefault(rows.items[index].model, []).append(index)
    for model, indices in by_model.items():
        places = np.flatnonzero(np.isin(part_trajectory, indices)).tolist()
        size[places] = count(model, [rows.texts[position] for position in places])
    return size, ~sure[part_trajectory]


def _calibrate(
    rows: Joined, size: Floats, kind: Ints, produced: Ints, calibrate: Calibrate
) -> Floats:
    """Corrects the sizes of what was decoded uncounted; returns what comes with each response."""
    rules, whose_rule = _rules(rows, calibrate)
    overhead = np.array([round(rule.per_response) for rule in rules] + [0], dtype=np.float64)
    factors = np.array([[rule.factor(k) for k in PART_KINDS] for rule in rules])
    factors = factors.reshape(-1, len(PART_KINDS))
    extras = np.zeros_like(factors)
    extras[:, PART_KINDS.index("request")] = [rule.per_call for rule in rules]
    is_decoded = (produced != NEVER) & (np.array(rows.lengths) > 0)
    is_decoded[is_decoded] = whose_rule[produced[is_decoded]] != NEVER
    rule, kinds = whose_rule[produced[is_decoded]], kind[is_decoded]
    # Whole tokens, so that a total less a part is the total without it.
    size[is_decoded] = np.rint(size[is_decoded] * factors[rule, kinds] + extras[rule, kinds])
    return overhead[whose_rule]


def _rules(rows: Joined, calibrate: Calibrate) -> tuple[list[Calibration], Ints]:
    """The rules in force, and per turn without a total which one is its own, or NEVER."""
    models, owners = rows.turns.column("model"), whose(rows.first_turn)
    rule_of_model: dict[str | None, int] = {}
    rules: list[Calibration] = []
    rule_of_turn = np.full(len(models), NEVER)
    for turn, decode in enumerate(rows.decode):
        if decode is None:
            model = models[turn] or rows.items[owners[turn]].model
            if model not in rule_of_model:
                rule = calibrate(model)
                rule_of_model[model] = NEVER if rule is None else len(rules)
                rules += [] if rule is None else [rule]
            rule_of_turn[turn] = rule_of_model[model]
    return rules, rule_of_turn
