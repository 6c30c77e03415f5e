"""What a cache would hold: by the recorded pauses, or as reported less what was taken away.

A provider's cache covers the beginning of a context: first what the trace does not show, then the
parts in order. A cache that lives T seconds is warm for a turn that is sent less than T after the
turn before was complete. Where a trace lacks the moment of sending, the pause is at most the time
between two completions: enough to say warm, not to say cold.
"""

import numpy as np

from agentdyno.metrics.cost.columns import NEVER, Flags, Floats, Ints
from agentdyno.studies.whatif.recorded import Recorded


class Pauses:
    """Per turn: bounds of the pause before it; 0 for a first turn."""

    def __init__(self, r: Recorded) -> None:
        first = np.zeros(r.turns, dtype=bool)
        first[r.first_turn[:-1][r.first_turn[:-1] < r.turns]] = True
        before = np.roll(r.ended, 1)
        exact = np.maximum(r.started - before, 0.0)
        most = np.where(np.isnan(exact), np.maximum(r.ended - before, 0.0), exact)
        self.least: Floats = np.where(first, 0.0, np.nan_to_num(exact, nan=0.0))
        self.most: Floats = np.where(first, 0.0, np.nan_to_num(most, nan=np.inf))
        self.trajectory: Ints = r.turn_trajectory
        self.trajectories = len(r.trajectories)


def warm_turns(
    pauses: Pauses, alive: Flags, following: Ints, seconds: float
) -> tuple[Flags, Flags]:
    """Per turn whether its cache is warm; per trajectory whether that cannot be said.

    The pauses before turns that are gone are added to the next one's.
    """
    opens = _opening(alive, pauses.trajectory)
    goes_on = following != NEVER
    many = len(alive)
    least: Floats = np.bincount(following[goes_on], pauses.least[goes_on], many).astype(float)
    most: Floats = np.bincount(following[goes_on], pauses.most[goes_on], many).astype(float)
    if seconds in (0, np.inf):  # Then no pause matters, known or not.
        least = most = np.zeros(many)
    warm: Flags = alive & ~opens & (most < seconds)
    unsure = alive & ~opens & (most >= seconds) & (least < seconds)
    return warm, np.bincount(pauses.trajectory[unsure], minlength=pauses.trajectories) > 0


def _opening(alive: Flags, trajectory: Ints) -> Flags:
    """The first turn that stays of each trajectory: nothing was cached before it."""
    opens = np.zeros(len(alive), dtype=bool)
    staying = np.flatnonzero(alive)
    _, first = np.unique(trajectory[staying], return_index=True)
    opens[staying[first]] = True
    return opens


def cached_after(r: Recorded, kept: Floats) -> tuple[Floats, Floats]:
    """Per turn: cached and cache-written tokens as reported, less what was taken out of them."""
    cached, written = r.cached.copy(), r.written.copy()
    removed = r.tokens - kept
    touched = np.unique(r.part_trajectory[removed > 0])
    for trajectory in touched:
        parts = np.flatnonzero(r.part_trajectory == trajectory)
        for turn in range(r.first_turn[trajectory], r.first_turn[trajectory + 1]):
            hit, write = np.nan_to_num(r.cached[turn]), np.nan_to_num(r.written[turn])
            if hit or write:
                lost = _taken(r, parts, removed, kept, turn, hit)
                cached[turn] -= lost
                written[turn] -= _taken(r, parts, removed, kept, turn, hit + write) - lost
    return cached, written


def _taken(
    r: Recorded, parts: Ints, removed: Floats, kept: Floats, turn: int, reach: float
) -> float:
    """How much of what was removed stood among the first `reach` tokens of the context."""
    enters, leaves = r.enters[parts], r.leaves[parts]
    here = parts[(enters != NEVER) & (enters <= turn) & (turn < leaves)]
    sizes = r.tokens[here]
    unseen = max(float(r.context[turn] - sizes.sum()), 0.0)
    begins = unseen + np.cumsum(sizes) - sizes
    return float(np.clip(reach - begins - kept[here], 0.0, removed[here]).sum())
