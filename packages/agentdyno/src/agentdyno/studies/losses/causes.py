"""What a provider's cache lost: turns that paid again for context that had been cached, and why.

    held = tokens that the turn before read from the cache and wrote to it
    lost = min(held, context) - tokens read from the cache, and at least 0

A provider that reports no writes caches by itself, in blocks: `held` is then the context of the
turn before, and a loss smaller than what it caches at all is none. Of a first turn, `lost` is what
it wrote. Knows tokens and times, no prices.

The cause of a loss is the first of these that holds:

    first turn            nothing was cached before; not a loss
    (the provider's own)  `cache_miss_reason`: model, tools, system prompt or messages changed
    compaction            the trace says that a summary took the place of the conversation
    pause                 the cache was not used for longer than it lives; it had expired whatever
                          else happened meanwhile. Of an automatic cache nothing is read then beyond
                          the first request, for some live for a day
    model switched        each model has its own cache
    another provider      a router sent the request to another one (Anthropic, Vertex AI, Bedrock),
                          which has a cache of its own
    restarted             another version, folder or session, or the client's start is logged
    thinking switched     the request asked for thinking and the one before did not, or the other
                          way round: everything above tools and system prompt is lost
    mode switched         the user's permission mode is another one: plan mode has other tools
    lifetime switched     what was written for 5 minutes is not found by a request that writes for
                          an hour, nor the other way round
    tools changed         the schema of a tool came or went, or a search for tools brought one
    system prompt changed
    old results cleared   logged, or the context is shorter than what was cached and nothing left
    reasoning dropped     reasoning left the context, as some models do at every prompt
    history edited        another text left, or a prompt went back
    another request       wrote first: a first turn, sent while another sub-agent's first answer was
                          being written; both write the beginning that they share
    missed                the provider did not look where the cache was: the next turn read it again
    text added            it fell to the lowest read so far, that of tools and system prompt, and
                          more than 1,000 tokens came that no line of the log explains; or it fell
                          so again right after (a client that still starts changes what stands
                          before the first prompt)
    many blocks           more than 20 blocks came at once, and the provider looks back no further
                          for what it has (its documentation says so); not of an automatic cache
    sent too soon         read exactly what the turn before read, less than 10 s after that was
                          sent: what it wrote could not be read yet
    forgotten             the provider says that it no longer had the request before
    changed at a prompt   a prompt came: the client makes system prompt and earlier messages anew
                          there, and no line of a log says how
    still starting        one of the first three turns after the first: servers and instructions of
                          the client are still coming in
    not found             an automatic cache, on one of several machines, and the request only adds
                          to the one before: known by ruling out all of the above
    fell to the floor     read what the first turn read, tools and system prompt, and no more
    unknown               none of these

On 552 sessions of one project, on which the rules were written, 118 of 120 switches of thinking
lost their cache and 85 of 18,098 other requests did. The others were found on nine more projects
(docs/log/origins.md): of turns with none of them 18 of 12,782 lost half their cache or more, of the
first three 21 of 828, at prompts 73 of 1,082, after a search for tools 7 of 70, a switch of mode 12
of 39, of the lifetime 2 of 11. Where the provider gave a reason for a loss at a prompt it said
system prompt or messages 11 times of 11, and after a search tools 7 of 7.

Worked: a turn read 40,000 tokens and wrote 2,000; the next, sent 8 minutes later with 43,000 in
context, read none: 42,000 were lost, after a pause if the cache was to live for 5 minutes.
"""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.columns import NEVER, Flags, Floats, Ints
from agentdyno.studies.losses.recorded import Recorded

SHORT_LIFE, LONG_LIFE = 300.0, 3600.0
"""Seconds that a cache lives without being used: as usual, or as paid for."""
BLOCK, SMALLEST = 128, 1024
"""Tokens in a block of an automatic cache, and the fewest that it caches."""
LOOK_BACK = 20
"""Content blocks that a provider looks back from a mark for what it has already."""
NOT_LOGGED = 1_000.0
"""Tokens beyond all text that came with a turn, sized generously, to say that more came."""
SIZED, FRAME = 1.3, 100.0
"""Billed tokens for one counted, and for the frame of a text: both at their upper end."""
TOO_SOON = 10.0
"""Seconds within which a write may not be readable yet."""
STARTING = 3
"""Turns after the first in which a client is still starting."""

CAUSES = (
    "first turn", "compaction", "pause longer than the cache lives", "model switched",
    "another provider answered", "client restarted or session resumed",
    "thinking switched on or off", "permission mode switched", "cache lifetime switched",
    "tools changed", "system prompt changed", "old results cleared",
    "reasoning dropped at a prompt", "history edited", "another request wrote first",
    "missed by the provider", "text added that is not logged", "more than 20 blocks at once",
    "sent before the last write could be read", "the provider no longer had the request before",
    "changed at a prompt, not logged", "client still starting",
    "not found by the provider, nothing else changed",
    "fell back to tools and system prompt, cause unknown", "unknown",
)  # fmt: skip
(FIRST, COMPACTED, PAUSE, MODEL, PROVIDER, RESTARTED, THINKING, MODE, LIFETIME, TOOLS, SYSTEM,
 CLEARED, DROPPED, EDITED, PARALLEL, MISSED, ADDED, BLOCKS, SOON, FORGOTTEN, PROMPT, START,
 NOT_FOUND, FLOOR, UNKNOWN) = CAUSES  # fmt: skip
UNEXPLAINED = (FLOOR, UNKNOWN)
PROVIDER_WORDS = {
    "model_changed": MODEL,
    "tools_changed": TOOLS,
    "system_changed": SYSTEM,
    "messages_changed": EDITED,
}
"""What a provider's diagnosis says, in our words. Of changed messages it does not say how, so a
cause of ours of that sort is kept."""
FORGOTTEN_WORD = "previous_message_not_found"
"""The provider's word for a request that it could not compare, for it no longer had the one before;
it says nothing of a difference, so it goes behind everything that is known."""
OF_MESSAGES = (COMPACTED, THINKING, CLEARED, DROPPED, EDITED)
GONE_ANYWAY = (COMPACTED, MODEL, THINKING, CLEARED)
"""What would have lost the cache even if it had lived through a pause."""
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
    own: Ints
    """The same by our rules alone, without what the provider says."""
    provider: Ints
    """…and by the provider alone; `NO_LOSS` where it says nothing."""
    outlivable: Flags
    """Whether a longer lifetime would have kept what a pause lost."""
    holds: dict[str, Flags]
    """Per cause: at which turns it holds, a loss or none."""
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
    reports_cache = ~np.isnan(r.cached) & _in_use(r)
    held_tokens = np.where(opens | ~reports_cache, np.nan, _before(_count_turns_held(r)))
    pause = np.where(opens, np.nan, _since_sent(r))
    lifetime = _lifetimes(r, opens)
    lost = np.maximum(np.nan_to_num(np.minimum(held_tokens, r.context) - r.cached), 0.0)
    lost = np.where(np.isnan(r.written) & (lost < SMALLEST), 0.0, lost)
    shared = r.beginnings
    written = np.nan_to_num(r.written)
    lost = np.where(
        opens & reports_cache, np.where(shared > 0, np.minimum(shared, written), written), lost
    )
    holds = _find_causes(r, held_tokens, lost, pause, lifetime, opens)
    places = [CAUSES.index(name) for name in holds]
    by_rules = np.where(lost > 0, np.select(list(holds.values()), places, NO_LOSS), NO_LOSS)
    diagnosed = np.where(by_rules > 0, _read_diagnoses(r), NO_LOSS)
    is_finer = np.isin(by_rules, [CAUSES.index(name) for name in OF_MESSAGES])
    is_edit = diagnosed == CAUSES.index(EDITED)
    cause = np.where((diagnosed == NO_LOSS) | (is_edit & is_finer), by_rules, diagnosed)
    anyway = np.any([holds[name] for name in GONE_ANYWAY], axis=0)
    outlivable = (cause == CAUSES.index(PAUSE)) & ~anyway
    return Losses(
        held_tokens,
        lost,
        pause,
        lifetime,
        cause,
        by_rules,
        diagnosed,
        outlivable,
        holds,
        reports_cache,
    )


def _find_causes(
    r: Recorded, held_tokens: Floats, lost: Floats, pause: Floats, lifetime: Floats, opens: Flags
) -> dict[str, Flags]:
    """Per cause, in their order: at which turns it holds."""
    rewound, removed, dropped = _happened(r, "rewound"), _left(r), _left(r, reasoning=True)
    shrank = (r.context < held_tokens) & ~removed & ~rewound & ~dropped
    is_automatic = np.isnan(r.written)
    began = r.context[r.first_turn[:-1]][r.turn_trajectory] if r.turns else r.context
    floor = r.cached[r.first_turn[:-1]][r.turn_trajectory] if r.turns else r.cached
    blocks = _count_new(r, np.ones(len(r.tokens)))
    brought = _find_unlogged(r, blocks)
    since_first = np.arange(r.turns) - r.first_turn[:-1][r.turn_trajectory]
    is_soon = (r.cached == _before(r.cached)) & (pause < TOO_SOON)
    return {
        FIRST: opens & (r.beginnings == 0),
        COMPACTED: _happened(r, "compacted"),
        PAUSE: (pause > lifetime) & ~(is_automatic & (r.cached > began)),
        MODEL: _changed(r.models) & ~opens,
        PROVIDER: _happened(r, "provider switched"),
        RESTARTED: _happened(r, "restarted") & ~opens,
        THINKING: _changed(r.thinking, known=True) & ~opens,
        MODE: _happened(r, "mode switched"),
        LIFETIME: _find_other_lifetime(r) & ~opens,
        TOOLS: _find_touched(r, "schema") | _happened(r, "tools loaded"),
        SYSTEM: _find_touched(r, "system"),
        CLEARED: _happened(r, "cleared") | shrank,
        DROPPED: dropped,
        EDITED: rewound | removed,
        PARALLEL: opens,
        MISSED: _build_missed(r, held_tokens, lost, opens),
        ADDED: _find_added(r, brought, lost, opens),
        BLOCKS: ~opens & (blocks > LOOK_BACK) & ~is_automatic,
        SOON: ~opens & is_soon & (r.cached > 0),
        FORGOTTEN: np.array(
            [reason == FORGOTTEN_WORD for reason in r.cache_miss_reason], dtype=bool
        ),
        PROMPT: _find_prompts(r) & ~opens & ~is_automatic,
        START: (since_first <= STARTING) & ~opens & ~is_automatic,
        NOT_FOUND: is_automatic & ~opens & ~brought,
        FLOOR: ~opens & (r.cached <= floor),
        UNKNOWN: np.ones(r.turns, dtype=bool),
    }


def _read_diagnoses(r: Recorded) -> Ints:
    words = [PROVIDER_WORDS.get(reason or "") for reason in r.cache_miss_reason]
    return np.array([NO_LOSS if w is None else CAUSES.index(w) for w in words], dtype=np.int64)


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
    lifetimes = np.where(
        r.written > 0, np.where(2 * r.hour > r.written, LONG_LIFE, SHORT_LIFE), np.nan
    )
    rows = pl.DataFrame({"of": r.turn_trajectory, "life": pl.Series(lifetimes, nan_to_null=True)})
    before = pl.col("life").shift(1).forward_fill().over("of").fill_null(SHORT_LIFE)
    return rows.select(before)["life"].to_numpy().astype(np.float64)


def _find_other_lifetime(r: Recorded) -> Flags:
    """Per turn: whether all it wrote was for an hour and nothing of what was last written, or the
    other way round."""
    hours = np.where(r.hour >= r.written, 1.0, np.where(r.hour > 0, np.nan, 0.0))
    rows = pl.DataFrame({"of": r.turn_trajectory, "hours": np.where(r.written > 0, hours, np.nan)})
    before = pl.col("hours").fill_nan(None).forward_fill().shift(1).over("of")
    changed = rows.select((before - pl.col("hours").fill_nan(None)).abs().fill_null(0.0) == 1.0)
    return changed.to_series().to_numpy()


def _find_prompts(r: Recorded) -> Flags:
    """Per turn: whether a prompt comes with it, or what the client sends as one."""
    return _count_new(r, np.array([kind == "user" for kind in r.kind], dtype=float)) > 0


def _changed(values: list[Any], known: bool = False) -> Flags:
    """Per turn: whether a value is another than at the turn before, where both are known if they
    have to be."""
    pairs = zip(values, [None, *values[:-1]], strict=True) if values else ()
    changes = [a != b and not (known and (a is None or b is None)) for a, b in pairs]
    return np.array(changes, dtype=bool)


def _happened(r: Recorded, event: str) -> Flags:
    """Per turn: whether the trace says so of what came before it."""
    return np.array([happened == event for happened in r.context_event], dtype=bool)


def _build_missed(r: Recorded, held_tokens: Floats, lost: Floats, opens: Flags) -> Flags:
    """Per turn: whether the turn after it read exactly what it did not find, and so not what it
    wrote again itself; that turn too, which lost the difference."""
    after = np.concatenate([r.cached[1:], [np.nan]]) if r.turns else r.cached
    after[np.flatnonzero(opens[1:])] = np.nan
    is_missed: Flags = (lost > 0) & (after == held_tokens) & (after < _count_turns_held(r))
    later = np.concatenate([[False], is_missed[:-1]]) if r.turns else is_missed
    return is_missed | (later & ~opens)


def _count_new(r: Recorded, of_part: Floats) -> Floats:
    """Per turn: the sum over the parts that enter with it."""
    comes = (r.enters != NEVER) & (r.enters < r.turns)
    counts: Floats = np.bincount(r.enters[comes], of_part[comes], r.turns).astype(np.float64)
    return counts


def _find_unlogged(r: Recorded, blocks: Floats) -> Flags:
    """Per turn: whether more text came than the log shows."""
    logged = SIZED * _count_new(r, r.tokens) + FRAME * blocks
    unlogged: Flags = r.context - _before(r.context) - logged > NOT_LOGGED
    return unlogged


def _find_added(r: Recorded, brought: Flags, lost: Floats, opens: Flags) -> Flags:
    """Per turn: whether it fell to the lowest read before it and brought more than is logged, or
    fell there again right after such a turn."""
    reads = pl.when(pl.col("read") > 0).then(pl.col("read"))
    before = reads.cum_min().forward_fill().shift(1).over("of")
    rows = pl.DataFrame({"of": r.turn_trajectory, "read": r.cached}).select(before)
    lowest = rows.to_series().cast(pl.Float64).fill_null(np.nan).to_numpy()
    fell = (lost > 0) & ~opens & (r.cached <= lowest)
    added: Flags = fell & brought
    for turn in np.flatnonzero(fell):
        added[turn] = added[turn] or added[turn - 1]
    return added


def _find_touched(r: Recorded, kind: str) -> Flags:
    """Per turn: whether a part of the kind enters or leaves with it."""
    of = np.array([part_kind == kind for part_kind in r.kind], dtype=bool)
    turns = np.concatenate([r.enters[of], r.leaves[of]])
    touched = np.zeros(r.turns + 1, dtype=bool)
    touched[turns[(turns != NEVER) & (turns < r.turns)]] = True
    return touched[: r.turns]


def _left(r: Recorded, reasoning: bool = False) -> Flags:
    """Per turn: whether any part is in its context no longer; reasoning, or other texts."""
    stays = r.leaves >= r.first_turn[1:][r.part_trajectory]
    is_reasoning = np.array([kind == "reasoning" for kind in r.kind], dtype=bool)
    gone = np.zeros(r.turns + 1, dtype=bool)
    gone[r.leaves[~stays & (r.enters != NEVER) & (is_reasoning == reasoning)]] = True
    return gone[: r.turns]
