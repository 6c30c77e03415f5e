"""Estimates the cache of a response that nobody counted from its neighbours'.

Takes a batch's contexts and what was reported of the cache, returns tokens read from the cache,
written to it, and written for an hour, by turn. A response that was cut off, or that the provider
did not count, stands between two of the same conversation and model that it did: what was in the
cache behind the one, and what the other still found there, it read too. Where nobody counted a
neighbour, nothing is known and nothing is filled in.

Worked: 50,000 tokens were sent and 48,000 of them read, a response was cut off at about 52,000, the
next read 51,000 of 53,000: the cut one read 50,000, and 2,000 were new.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Columns, Floats, Ints


class CacheUse(Struct, frozen=True):
    """Per turn: what the cache gave and took; NaN where it is not known."""

    read: Floats
    """Tokens read from the cache."""
    written: Floats
    """Tokens written to it."""
    hour: Floats
    """Those of them that are kept for an hour."""


def fill_from_neighbours(
    reported: CacheUse, columns: Columns, context: Floats, models: Sequence[str | None]
) -> CacheUse:
    """The reported cache use; a turn between two reports gets what follows from both."""
    is_reported = ~np.isnan(columns.prefill) & ~np.isnan(reported.read)
    before, behind = _nearest(is_reported)
    unreported = np.flatnonzero(np.isnan(columns.prefill) & np.isnan(reported.read))
    owner = columns.turn_trajectory
    read, written, hour = reported.read.copy(), reported.written.copy(), reported.hour.copy()
    for turn in unreported.tolist():
        previous, following = int(before[turn]), int(behind[turn])
        if not all(
            0 <= near < len(is_reported)
            and owner[near] == owner[turn]
            and models[near] == models[turn]
            for near in (previous, following)
        ):
            continue
        read[turn] = min(context[previous], reported.read[following], context[turn])
        if reported.written[previous] > 0 or reported.written[following] > 0:
            written[turn] = context[turn] - read[turn]
            near = following if reported.written[following] > 0 else previous
            share = reported.hour[near] / reported.written[near]
            hour[turn] = np.round(written[turn] * share)
    return CacheUse(read, written, hour)


def _nearest(is_reported: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Ints, Ints]:
    """Per turn: the last reported one before it and the first behind it; -1 and the end for
    none.
    """
    positions = np.arange(len(is_reported))
    before = np.maximum.accumulate(np.where(is_reported, positions, -1))
    behind = np.minimum.accumulate(np.where(is_reported, positions, len(is_reported))[::-1])[::-1]
    return before, behind
