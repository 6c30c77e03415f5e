"""Where parts stand in the contexts of turns, so that the beginning of a context can be summed.

Takes when each part enters and leaves, returns *stretches*: turns in a row over which nothing
leaves, each with its parts in order. Within a stretch a context only grows at its end, so the parts
of a turn are the first so many of its stretch, sums over them are differences of running sums, and
where a provider's cache ends is found by bisection: for all turns of a ledger at once, instead of
every part looked at for every turn.

A stretch whose parts do not enter in the order in which they stand has no such order; its turns are
named, to be looked at one by one.
"""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import NEVER, Flags, Floats, Ints


class Standing(Struct, frozen=True):
    """Parts in the order in which they stand, stretch by stretch; one may be in several."""

    parts: Ints
    begins: Ints
    """Per turn: the first place of its stretch in `parts`."""
    ends: Ints
    """Per turn: one beyond the last place that is in its context."""
    unordered: Flags
    """Per turn: whether its context is not the beginning of its stretch."""

    def before(self, amounts: Floats) -> Floats:
        """Running sums of an amount of the parts: up to each place, and up to the end."""
        return np.concatenate([[0.0], np.cumsum(amounts[self.parts])])


def stand(enters: Ints, leaves: Ints, part_trajectory: Ints, first_turn: Ints) -> Standing:
    """The stretches of all trajectories. Turns are global; `leaves` is the trajectory's end for
    what stays."""
    turns = int(first_turn[-1])
    inside = (enters != NEVER) & (leaves > enters)
    early = inside & (leaves < first_turn[1:][part_trajectory])
    is_cut = np.zeros(turns + 1, dtype=bool)
    is_cut[first_turn[:-1]] = is_cut[leaves[early]] = True
    cuts = np.flatnonzero(is_cut[:turns])
    parts, since, of = _members(np.flatnonzero(inside), enters, leaves, cuts)
    ordered = np.ones(len(cuts), dtype=bool)
    falls = (np.diff(of) == 0) & (np.diff(since) < 0)
    ordered[of[1:][falls]] = False
    stretch = np.searchsorted(cuts, np.arange(turns), side="right") - 1
    # Turns count on from stretch to stretch, so one bisection serves them all.
    order = np.maximum.accumulate(since) if len(since) else since
    begins = np.searchsorted(of, stretch, side="left")
    ends = np.maximum(np.searchsorted(order, np.arange(turns), side="right"), begins)
    return Standing(parts, begins, ends, ~ordered[stretch])


def _members(inside: Ints, enters: Ints, leaves: Ints, cuts: Ints) -> tuple[Ints, Ints, Ints]:
    """Parts of every stretch, since which turn of it they are there, and the stretch."""
    first = np.searchsorted(cuts, enters[inside], side="right") - 1
    last = np.searchsorted(cuts, leaves[inside], side="left")
    many = np.maximum(last - first, 0)
    parts = np.repeat(inside, many)
    within = np.arange(len(parts)) - np.repeat(np.cumsum(many) - many, many)
    of = np.repeat(first, many) + within
    order = np.lexsort((parts, of))
    parts, of = parts[order], of[order]
    return parts, np.maximum(enters[parts], cuts[of]), of


def first_beyond(
    reached: Callable[[Ints], Floats], limit: Floats, begins: Ints, ends: Ints
) -> Ints:
    """Per turn: the first place whose part reaches beyond a limit; `ends` where none does.

    `reached` says per turn how far the parts before a place reach, which must not fall.
    """
    low, high = begins.copy(), ends.copy()
    while (open_still := low < high).any():
        middle = (low + high) // 2
        beyond = reached(np.minimum(middle + 1, ends)) > limit
        high = np.where(open_still & beyond, middle, high)
        low = np.where(open_still & ~beyond, middle + 1, low)
    return low
