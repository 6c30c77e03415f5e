"""What a provider's cache lost: turns that paid again for context that had been cached, and why.

    held = tokens that the turn before read from the cache and wrote to it
    lost = min(held, context) - tokens read from the cache, and at least 0

A provider that reports no writes caches by itself, in blocks: `held` is then the context of the
turn before, and a loss smaller than what it caches at all is none. Of a first turn, `lost` is what
it wrote. Knows tokens and times, no prices.

The cause of a loss is the first of these that holds:

    first turn            nothing was cached before
    parallel sub-agents   a first turn, sent while another sub-agent's first answer was being
                          written: both write the beginning that they share
    model switched        each model has its own cache
    history edited        the context is shorter than what was cached (compaction, cleared results)
    pause                 the cache was not used for longer than it lives
    tools changed         the schema of a tool came or went
    system prompt changed
    history edited        another text left the context
    missed                the provider did not look where the cache was: the next turn read it again
    skill loaded          the turn before called a skill, whose text the client adds to the context
    gone within its hour  written for an hour, lost after a pause of more than 5 minutes
    unknown               none of these: evicted early, or hidden text changed

On 33 real files all 5 skill calls of Claude Code were followed by a loss; of 9 pauses of 5 to 60
minutes with a cache paid for an hour, 4 lost it.

Worked: a turn read 40,000 tokens and wrote 2,000; the next, sent 8 minutes later with 43,000 in
context, read none: 42,000 were lost, after a pause if the cache was to live for 5 minutes.
"""

from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.columns import NEVER, Flags, Floats, Ints
from agentdyno.studies.whatif.recorded import Recorded

SHORT_LIFE, LONG_LIFE = 300.0, 3600.0
"""Seconds that a cache lives without being used: as usual, or as paid for."""
BLOCK, SMALLEST = 128, 1024
"""Tokens in a block of an automatic cache, and the fewest that it caches."""

CAUSES = (
    "first turn", "parallel sub-agents", "model switched", "history edited or compacted",
    "pause beyond the lifetime", "tools changed", "system prompt changed",
    "missed by the provider", "skill loaded", "gone within its hour", "unknown",
)  # fmt: skip
FIRST, PARALLEL, MODEL, EDITED, PAUSE, TOOLS, SYSTEM, MISSED, SKILL, EVICTED, UNKNOWN = CAUSES
SKILL_TOOL = "Skill"
NO_LOSS = -1


class Losses(Struct, frozen=True):
    """Per turn."""

    held: Floats
    """Tokens that the cache held after the turn before; NaN where that is unknown."""
    lost: Floats
    """Tokens that it held and that were not read from it; 0 where none are known to be."""
    pause: Floats
    """Seconds from the sending of the turn before; NaN for a first turn and where unknown."""
    lifetime: Floats
    """Seconds for which the cache was to be kept without being used."""
    cause: Ints
    """A place in `CAUSES`, or `NO_LOSS`."""
    known: Flags
    """Whether the provider reported its cache for the turn."""


_known: "WeakKeyDictionary[Recorded, Losses]" = WeakKeyDictionary()


def find_losses(r: Recorded) -> Losses:
    """What the cache lost at every turn; every change of the cache asks for it."""
    if r not in _known:
        _known[r] = _find_losses(r)
    return _known[r]


def _find_losses(r: Recorded) -> Losses:
    opens = np.zeros(r.turns, dtype=bool)
    opens[r.first_turn[:-1][r.first_turn[:-1] < r.turns]] = True
    known = ~np.isnan(r.cached) & _in_use(r)
    held = np.where(opens | ~known, np.nan, _before(_count_turns_held(r)))
    pause = np.where(opens, np.nan, _since_sent(r))
    lifetime = _lifetimes(r, opens)
    lost = np.maximum(np.nan_to_num(np.minimum(held, r.context) - r.cached), 0.0)
    lost = np.where(np.isnan(r.written) & (lost < SMALLEST), 0.0, lost)
    shared = r.beginnings
    written = np.nan_to_num(r.written)
    lost = np.where(opens & known, np.where(shared > 0, np.minimum(shared, written), written), lost)
    holds = {
        FIRST: opens & (shared == 0),
        PARALLEL: opens,
        MODEL: _switched(r),
        EDITED: r.context < held,
        PAUSE: pause > lifetime,
        TOOLS: _find_touched(r, "schema"),
        SYSTEM: _find_touched(r, "system"),
        MISSED: _build_missed(r, held, lost, opens),
        SKILL: _follows_skill(r) & ~opens,
        EVICTED: (pause > SHORT_LIFE) & (lifetime == LONG_LIFE),
        UNKNOWN: np.ones(r.turns, dtype=bool),
    }
    # A text that leaves does so at every prompt of a user: only what nothing else explains.
    left = _left(r) & ~np.any([holds[c] for c in CAUSES[:-1]], axis=0)
    holds[EDITED] = holds[EDITED] | left
    cause = np.select(list(holds.values()), [CAUSES.index(name) for name in holds], NO_LOSS)
    return Losses(held, lost, pause, lifetime, np.where(lost > 0, cause, NO_LOSS), known)


def _in_use(r: Recorded) -> Flags:
    """Whether the turn's trajectory used a cache at all."""
    used = np.nan_to_num(r.cached) + np.nan_to_num(r.written)
    in_use: Flags = np.bincount(r.turn_trajectory, used, len(r.trajectories))[r.turn_trajectory] > 0
    return in_use


def _count_turns_held(r: Recorded) -> Floats:
    """Per turn: tokens that the cache holds once it is answered."""
    return np.where(np.isnan(r.written), r.context - r.context % BLOCK, r.cached + r.written)


def _before(per_turn: Floats) -> Floats:
    """The value of the turn before."""
    return np.concatenate([[np.nan], per_turn[:-1]]) if len(per_turn) else per_turn


def _since_sent(r: Recorded) -> Floats:
    """A cache lives from its last use on, which is when a turn is sent."""
    sent = np.where(np.isnan(r.started), r.ended, r.started)
    return np.maximum(sent - _before(sent), 0.0)


def _lifetimes(r: Recorded, opens: Flags) -> Floats:
    """By what was last written: for an hour where most of it was."""
    own = np.where(r.written > 0, np.where(2 * r.hour > r.written, LONG_LIFE, SHORT_LIFE), np.nan)
    rows = pl.DataFrame({"of": r.turn_trajectory, "life": pl.Series(own, nan_to_null=True)})
    before = pl.col("life").shift(1).forward_fill().over("of").fill_null(SHORT_LIFE)
    return rows.select(before)["life"].to_numpy().astype(np.float64)


def _switched(r: Recorded) -> Flags:
    before = [None, *r.models[:-1]] if r.models else []
    return np.array([a != b for a, b in zip(r.models, before, strict=True)], dtype=bool)


def _build_missed(r: Recorded, held: Floats, lost: Floats, opens: Flags) -> Flags:
    """Per turn: whether the turn after it read exactly what it did not find, and so not what it
    wrote again itself; that turn too, which lost the difference."""
    after = np.concatenate([r.cached[1:], [np.nan]]) if r.turns else r.cached
    after[np.flatnonzero(opens[1:])] = np.nan
    there: Flags = (lost > 0) & (after == held) & (after < _count_turns_held(r))
    later = np.concatenate([[False], there[:-1]]) if r.turns else there
    return there | (later & ~opens)


def _follows_skill(r: Recorded) -> Flags:
    """Per turn: whether the turn before it called a skill."""
    follows = np.zeros(r.turns + 1, dtype=bool)
    called = np.array([tool == SKILL_TOOL for tool in r.call_tool], dtype=bool)
    follows[r.call_turn[called] + 1] = True
    return follows[: r.turns]


def _find_touched(r: Recorded, kind: str) -> Flags:
    """Per turn: whether a part of the kind enters or leaves with it."""
    of = np.array([each == kind for each in r.kind], dtype=bool)
    turns = np.concatenate([r.enters[of], r.leaves[of]])
    touched = np.zeros(r.turns + 1, dtype=bool)
    touched[turns[(turns != NEVER) & (turns < r.turns)]] = True
    return touched[: r.turns]


def _left(r: Recorded) -> Flags:
    """Per turn: whether any part is in its context no longer."""
    stays = r.leaves >= r.first_turn[1:][r.part_trajectory]
    gone = np.zeros(r.turns + 1, dtype=bool)
    gone[r.leaves[~stays & (r.enters != NEVER)]] = True
    return gone[: r.turns]
