"""Another lifetime of the cache, or a keep-alive, over the losses that happened.

A longer lifetime turns a loss after a pause that it outlives into a read, and every token that is
written costs the price of that lifetime. A shorter one loses what a longer pause had left in the
cache: all of it, which is the most. A keep-alive reads the cache again before it is due to go, for
so long after every answer of a main agent, the last one included: nobody knows which is the last.

Worked: 42,000 tokens lost after 8 minutes with 5-minute writes at $6.25 and reads at $0.50 a
million: $0.263 to write again, $0.021 to read. For an hour, writing costs $10: the pause saves
$0.242, and every other token written costs $3.75 a million more.
"""

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Floats
from agentdyno.studies.whatif.losses import LONG_LIFE, Losses, find_losses
from agentdyno.studies.whatif.recorded import Recorded

MARGIN = 0.9
"""A keep-alive is sent after this share of the lifetime."""


class Relived(Struct, frozen=True):
    """The cache of every turn under another lifetime."""

    cached: Floats
    """Tokens read."""
    written: Floats
    """Tokens written."""
    hour: Floats
    """Those of them that are kept for an hour."""
    pings: Floats
    """Requests that keep the cache alive after the turn."""
    held: Floats
    """Tokens that each of them reads."""


def relive(
    r: Recorded,
    context: Floats,
    cached: Floats,
    written: Floats,
    lifetime: float | None,
    keep_alive: float | None,
) -> Relived:
    """What would be read and written. `cached` and `written` may already lack parts that another
    change takes away."""
    found = find_losses(r)
    share = np.divide(r.hour, r.written, out=np.zeros(r.turns), where=r.written > 0)
    lives = found.lifetime if lifetime is None else np.full(r.turns, lifetime)
    outlived = found.outlivable & (found.pause <= np.maximum(lives, keep_alive or 0.0))
    read = np.nan_to_num(cached)
    regained = np.where(outlived, np.clip(found.lost, 0.0, context - read), 0.0)
    gone = _gone(found, read, lives)
    cached = cached + regained - gone
    written = np.maximum(written - regained, 0.0) + gone
    by_hour = share if lifetime is None else np.full(r.turns, float(lifetime == LONG_LIFE))
    pings = np.zeros(r.turns) if keep_alive is None else _pings(r, found, lives, keep_alive)
    held = np.nan_to_num(cached) + np.nan_to_num(written)
    return Relived(cached, written, np.nan_to_num(written) * by_hour, pings, held)


def _gone(found: Losses, read: Floats, lives: Floats) -> Floats:
    """Per turn: tokens that a shorter life would have lost and that were read."""
    too_late = (found.pause > lives) & (found.pause <= found.lifetime) & found.known
    return np.where(too_late, read, 0.0)


def _pings(r: Recorded, found: Losses, lives: Floats, keep_alive: float) -> Floats:
    """Per turn: requests until the next turn, or for as long as the cache is kept alive."""
    until = np.full(r.turns, keep_alive)
    same = r.turn_trajectory[1:] == r.turn_trajectory[:-1]
    until[:-1][same] = np.minimum(np.nan_to_num(found.pause[1:][same]), keep_alive)
    main = r.trajectories["parent_id"].is_null().to_numpy()[r.turn_trajectory]
    return np.where(main & found.known, np.floor(until / (MARGIN * lives)), 0.0)
