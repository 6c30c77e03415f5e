"""What a cache would hold: by the recorded pauses, or as reported less what was taken away.

A provider's cache covers the beginning of a context: first what the trace does not show, then the
parts in order. A cache that lives T seconds is warm for a turn that is sent less than T after the
turn before was complete. Where a trace lacks the moment of sending, the pause is at most the time
between two completions: enough to say warm, not to say cold.
"""

import numpy as np

from agentdyno.cost.columns import NEVER, Flags, Floats, Ints
from agentdyno.cost.standing import Standing, first_beyond, stand
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
    opens = _find_opening(alive, pauses.trajectory)
    goes_on = following != NEVER
    many = len(alive)
    least: Floats = np.bincount(following[goes_on], pauses.least[goes_on], many).astype(float)
    most: Floats = np.bincount(following[goes_on], pauses.most[goes_on], many).astype(float)
    if seconds in (0, np.inf):  # Then no pause matters, known or not.
        least = most = np.zeros(many)
    warm: Flags = alive & ~opens & (most < seconds)
    unsure = alive & ~opens & (most >= seconds) & (least < seconds)
    return warm, np.bincount(pauses.trajectory[unsure], minlength=pauses.trajectories) > 0


def _find_opening(alive: Flags, trajectory: Ints) -> Flags:
    """The first turn that stays of each trajectory: nothing was cached before it."""
    opens = np.zeros(len(alive), dtype=bool)
    staying = np.flatnonzero(alive)
    _, first = np.unique(trajectory[staying], return_index=True)
    opens[staying[first]] = True
    return opens


def predict_cached(r: Recorded, shares: Floats) -> tuple[Floats, Floats]:
    """Per turn: cached and cache-written tokens as reported, less what was taken out of them."""
    cached, written = r.cached.copy(), r.written.copy()
    removed = r.tokens - shares
    if not (removed > 0).any():
        return cached, written
    hit, write = np.nan_to_num(r.cached), np.nan_to_num(r.written)
    standing = stand(r.enters, r.leaves, r.part_trajectory, r.first_turn)
    lost = _count_lost(r, standing, removed, shares, hit)
    both = _count_lost(r, standing, removed, shares, hit + write)
    for turn in np.flatnonzero(standing.unordered & ((hit > 0) | (write > 0))):
        parts = _parts_of(r, int(turn))
        lost[turn] = _take(r, parts, removed, shares, int(turn), hit[turn])
        both[turn] = _take(r, parts, removed, shares, int(turn), hit[turn] + write[turn])
    return cached - lost, written - (both - lost)


def _count_lost(
    r: Recorded, standing: Standing, removed: Floats, shares: Floats, reach: Floats
) -> Floats:
    """Per turn with an order: how much of what was removed stood among the first `reach` tokens.

    Of the parts before the one in which the reach ends all that was removed is lost; of that one,
    what stood beyond what is kept of it.
    """
    sizes, gone = standing.before(r.tokens), standing.before(removed)
    begins, ends = standing.begins, standing.ends
    unseen = np.maximum(r.context - (sizes[ends] - sizes[begins]), 0.0)

    def reached(position: Ints) -> Floats:
        return unseen + sizes[position] - sizes[begins]

    cut = first_beyond(reached, reach, begins, ends)
    lost_parts: Floats = gone[cut] - gone[begins]
    some = cut < ends
    if some.any():
        part = standing.parts[np.minimum(cut, len(standing.parts) - 1)]
        partly = np.clip(reach - reached(cut) - shares[part], 0.0, removed[part])
        lost_parts = lost_parts + np.where(some, partly, 0.0)
    return np.where(standing.unordered, 0.0, lost_parts)


def _parts_of(r: Recorded, turn: int) -> Ints:
    trajectory = r.turn_trajectory[turn]
    first, last = np.searchsorted(r.part_trajectory, [trajectory, trajectory + 1])
    return np.arange(first, last)


def _take(
    r: Recorded, parts: Ints, removed: Floats, shares: Floats, turn: int, reach: float
) -> float:
    """How much of what was removed stood among the first `reach` tokens of the context."""
    enters, leaves = r.enters[parts], r.leaves[parts]
    present = parts[(enters != NEVER) & (enters <= turn) & (turn < leaves)]
    sizes = r.tokens[present]
    unseen = max(float(r.context[turn] - sizes.sum()), 0.0)
    begins = unseen + np.cumsum(sizes) - sizes
    return float(np.clip(reach - begins - shares[present], 0.0, removed[present]).sum())
