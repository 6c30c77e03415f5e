"""Many trajectories as flat arrays, so that cost is computed for all of them at once.

Turns and parts of all trajectories stand one behind the other; indices are global. A missing
number is NaN here, inside the arithmetic only: it leaves as None.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from agentdyno.metrics.cost.token_calibration import Calibration
from agentdyno.records import PART_KINDS, Trajectory, Turn

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

KIND_CODE = {kind: code for code, kind in enumerate(PART_KINDS)}

# Measured with the o200k vocabulary on agent traces; see docs/findings.md.
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
        """How many turns there are in all."""
        return len(self.turn_trajectory)


CountPart = Callable[[Trajectory, str], int]
"""Counts a text of a trajectory with the vocabulary of its model."""
Calibrate = Callable[[str | None], Calibration | None]
"""How a model's counted tokens become an estimate of its own."""


def flatten(
    trajectories: Sequence[Trajectory],
    count: CountPart,
    exact: bool = False,
    calibrate: Calibrate = lambda model: None,
) -> Columns:
    """The batch as arrays. Parts whose totals are reported are sized by length unless `exact`."""
    turn_counts = np.array([len(t.turns) for t in trajectories], dtype=np.int64)
    part_counts = np.array([len(t.parts) for t in trajectories], dtype=np.int64)
    first_turn = np.concatenate([[0], np.cumsum(turn_counts)])
    part_trajectory = np.repeat(np.arange(len(trajectories)), part_counts)
    turns = list(chain.from_iterable(t.turns for t in trajectories))
    parts = list(chain.from_iterable(t.parts for t in trajectories))
    base, ends = first_turn[:-1][part_trajectory], first_turn[1:][part_trajectory]
    kind = np.array([KIND_CODE[p.kind] for p in parts], dtype=np.int64)
    characters = np.array([len(p.text) for p in parts], dtype=np.float64)
    size, counted = _sizes(trajectories, kind, characters, count, exact)
    made = _global(list(map(attrgetter("made"), parts)), base, None)
    own = made != NEVER
    bare = np.bincount(made[own], size[own], len(turns)).astype(np.float64)
    decode = _floats([t.decode.tokens if t.decode else None for t in turns])
    overhead = np.zeros(len(turns))
    if np.isnan(decode).any():
        overhead = _calibrated(trajectories, size, calibrate)
    return Columns(
        first_turn=first_turn,
        turn_trajectory=np.repeat(np.arange(len(trajectories)), turn_counts),
        prefill=_floats([t.prefill.tokens if t.prefill else None for t in turns]),
        cached=_floats([t.cached_tokens for t in turns]),
        decode=decode,
        first_part=np.concatenate([[0], np.cumsum(part_counts)]),
        part_trajectory=part_trajectory,
        kind=kind,
        size=size,
        counted=counted,
        known=_floats(list(map(attrgetter("tokens"), parts))),
        bare_decode=bare,
        overhead=overhead,
        made=made,
        enters=_global(list(map(attrgetter("enters"), parts)), base, None),
        leaves=_global(list(map(attrgetter("leaves"), parts)), base, ends),
    )


def _floats(values: list[Any]) -> Floats:
    return np.array(values, dtype=np.float64)  # None becomes NaN.


def _global(local: list[int | None], base: Ints, missing: Ints | None) -> Ints:
    array = np.array(local, dtype=np.float64)  # None becomes NaN; turns are far from 2**53.
    absent: Any = NEVER if missing is None else missing
    return np.where(np.isnan(array), absent, array + base).astype(np.int64)


def _sizes(
    trajectories: Sequence[Trajectory],
    kind: Ints,
    characters: Floats,
    count: CountPart,
    exact: bool,
) -> tuple[Floats, Flags]:
    per_token = np.array([CHARACTERS_PER_TOKEN[k] for k in PART_KINDS])
    size = np.ceil(characters / per_token[kind])
    counted = np.zeros(len(size), dtype=bool)
    position = 0
    for trajectory in trajectories:
        if exact or not _all_reported(trajectory.turns):
            for offset, part in enumerate(trajectory.parts):
                size[position + offset] = count(trajectory, part.text) if part.text else 0
            counted[position : position + len(trajectory.parts)] = True
        position += len(trajectory.parts)
    return size, counted


def _calibrated(trajectories: Sequence[Trajectory], size: Floats, calibrate: Calibrate) -> Floats:
    """Corrects the sizes of what was decoded uncounted; returns what comes with each response."""
    overhead: list[float] = []
    position = 0
    for trajectory in trajectories:
        if _decodes_reported(trajectory.turns):
            overhead += [0.0] * len(trajectory.turns)
            position += len(trajectory.parts)
            continue
        rules = [
            calibrate(turn.model or trajectory.model) if turn.decode is None else None
            for turn in trajectory.turns
        ]
        overhead += [0.0 if rule is None else round(rule.per_response) for rule in rules]
        if any(rule is not None for rule in rules):
            for index, part in enumerate(trajectory.parts, position):
                rule = None if part.made is None else rules[part.made]
                if rule is not None and part.text:
                    extra = rule.per_call if part.kind == "request" else 0.0
                    # Whole tokens, so that a total less a part is the total without it.
                    size[index] = round(size[index] * rule.factor(part.kind) + extra)
        position += len(trajectory.parts)
    return np.array(overhead, dtype=np.float64)


def _all_reported(turns: Sequence[Turn]) -> bool:
    return all(t.prefill is not None and t.decode is not None for t in turns)


def _decodes_reported(turns: Sequence[Turn]) -> bool:
    return all(t.decode is not None for t in turns)
