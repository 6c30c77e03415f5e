"""Contexts that begin anew: compacted earlier, or cleared after a break.

Takes the recorded turns and a rule, returns per turn how many tokens are gone from its context and
whether it is the first one after a cut. A cut leaves what the first turn of the trajectory had, and
after a compaction a summary with what the client puts back; then the context grows as it did.

The cache is as it was: of a turn's tokens the stable beginning stays read, what is gone is neither
read nor written, and the first turn after a cut writes all beyond that beginning. A compaction also
pays for its summary: a read of the whole context and the tokens written.

Worked: contexts 20k, 60k, 110k, 120k, compacted beyond 100k with 10k put back: the third turn has
20k + 10k + its growth of 50k = 80k, the fourth 90k; 30k are gone from both.
"""

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Flags, Floats
from agentdyno.studies.whatif.recorded import Recorded

PUT_BACK = 10_000.0
"""Tokens after a compaction beside the first turn's: a summary of 2,000, and 7,000 to 9,000 that
the client puts back (files, lists); measured on 86 compactions of one project."""
SUMMARY = 2_000.0
"""Tokens that a summary takes to write."""


class Shortened(Struct, frozen=True):
    """Per turn."""

    gone: Floats
    """Tokens that are no longer in its context."""
    restarts: Flags
    """Whether it is the first turn after a cut."""
    compacts: bool
    """Whether a cut writes a summary; a clear does not."""


def compact_at(r: Recorded, most: float) -> Shortened:
    """Every context compacted before the turn that would have more than `most` tokens."""
    gone, restarts = np.zeros(r.turns), np.zeros(r.turns, dtype=bool)
    for first, end in zip(r.first_turn[:-1], r.first_turn[1:], strict=True):
        context = r.context[first:end].tolist()
        now = context[0] if context else 0.0
        for turn in range(1, len(context)):
            growth = context[turn] - context[turn - 1]
            now = min(now + growth, context[turn]) if growth >= 0 else min(now, context[turn])
            after = context[0] + PUT_BACK + max(growth, 0.0)
            if now > most and after < now:
                now, restarts[first + turn] = after, True
            gone[first + turn] = context[turn] - now
    return Shortened(gone, restarts, compacts=True)


def find_needed(r: Recorded, short: Shortened) -> tuple[Floats, Floats]:
    """Per turn after a cut: results that it took away and that are quoted later; their tokens."""
    times, tokens = np.zeros(r.turns), np.zeros(r.turns)
    if r.last_quoted is None or r.quoted is None or not short.restarts.any():
        return times, tokens
    cuts = np.append(np.flatnonzero(short.restarts), r.turns)
    quoted = np.flatnonzero((r.last_quoted >= 0) & (r.enters >= 0))
    cut = cuts[np.searchsorted(cuts, r.enters[quoted], side="right")]
    lost = cut <= r.last_quoted[quoted]
    np.add.at(times, cut[lost], 1.0)
    np.add.at(tokens, cut[lost], r.tokens[quoted[lost]])
    return times, tokens


def clear_at(r: Recorded, restarts: Flags) -> Shortened:
    """Every context cleared before these turns."""
    gone = np.zeros(r.turns)
    for first, end in zip(r.first_turn[:-1], r.first_turn[1:], strict=True):
        less = 0.0
        for turn in range(first + 1, end):
            growth = r.context[turn] - r.context[turn - 1]
            if restarts[turn]:
                less = max(r.context[turn] - r.context[first] - max(growth, 0.0), 0.0)
            gone[turn] = less = min(less, max(r.context[turn] - r.context[first], 0.0))
    return Shortened(gone, restarts & (gone > 0), compacts=False)


def after_breaks(r: Recorded, pause: Floats, seconds: float) -> Flags:
    """Turns of main agents that follow a break, where nothing that was read before it is quoted
    after it: then the break ended a task, as far as can be seen."""
    main = r.trajectories["parent_id"].is_null().to_numpy()[r.turn_trajectory]
    breaks: Flags = main & (np.nan_to_num(pause) > seconds)
    if r.last_quoted is None:
        return np.zeros_like(breaks)
    needed = np.zeros(r.turns + 1)
    stays = (r.last_quoted >= 0) & (r.enters >= 0)
    np.add.at(needed, r.enters[stays] + 1, 1)
    np.add.at(needed, np.minimum(r.last_quoted[stays] + 1, r.turns), -1)
    is_free: Flags = np.cumsum(needed)[:-1] == 0
    return breaks & is_free


def shorten_cache(
    r: Recorded, short: Shortened, context: Floats, cached: Floats, written: Floats
) -> tuple[Floats, Floats]:
    """What is read and written: `context` is already without what is gone."""
    changed = (short.gone > 0) | short.restarts
    stable = np.minimum(np.nan_to_num(cached), r.context[r.first_turn[:-1]][r.turn_trajectory])
    remaining = np.where(short.restarts, stable, np.maximum(cached - short.gone, stable))
    read = np.minimum(remaining, context)
    fresh = np.maximum(r.context - np.nan_to_num(r.cached) - np.nan_to_num(r.written), 0.0)
    anew = np.maximum(context - read - np.minimum(fresh, context - read), 0.0)
    anew = np.where(np.isnan(written), written, anew)
    return np.where(changed, read, cached), np.where(changed, anew, written)
