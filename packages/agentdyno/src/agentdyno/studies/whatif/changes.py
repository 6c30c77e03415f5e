"""The changes that can be asked for: options in, edits with their assumptions out."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache

import numpy as np
from msgspec import Struct, structs

from agentdyno.cost.columns import NEVER, Flags, Floats, Ints
from agentdyno.records import InputError, plural, printable
from agentdyno.studies.whatif.contexts import (
    PUT_BACK,
    SUMMARY,
    after_breaks,
    clear_at,
    compact_at,
    find_needed,
)
from agentdyno.studies.whatif.edit import Change, Edit
from agentdyno.studies.whatif.engine_changes import change_engine, move_subagents
from agentdyno.studies.whatif.losses import SHORT_LIFE, find_losses
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.recorded import Recorded


def keep_cache(r: Recorded, seconds: float) -> Change:
    displayed = "for ever" if seconds == np.inf else f"for {seconds:,.10g} s"
    return Change(
        title=f"keep the cache {displayed}",
        touched=f"{_later_turns(r):,} turns that follow another",
        assumption=(
            "Before every turn only what is new is prefilled."
            if seconds == np.inf
            else f"Before a turn that is sent less than {seconds:,.10g} s after the one before "
            "was complete, only what is new is prefilled; before any other turn, everything."
        ),
        money_assumption=(
            "What is found in the cache costs the cached price, the rest the price of writing to "
            "the cache, where a provider lists one (for more than five minutes, that of an hour; "
            "for ever, the usual one); hits that were reported are not counted on."
        ),
        apply=lambda edit: structs.replace(edit, keep_cache_seconds=seconds),
    )


def change_observed_cache(r: Recorded, options: WhatIfOptions) -> list[Change]:
    if options.keep_cache_seconds is not None:
        raise InputError(
            "--keep-cache: expected no --cache-lifetime or --keep-alive beside it, which start "
            "from the cache as it was reported."
        )
    losses = find_losses(r)
    paused = losses.outlivable
    touched = (
        f"{plural(int(paused.sum()), 'pause')} beyond the lifetime, "
        f"{losses.lost[paused].sum():,.0f} tokens written again"
    )
    silent = np.bincount(r.turn_trajectory, np.isnan(r.cached), len(r.trajectories)) > 0
    reasons = (("no report of what was read from the cache", silent),) if silent.any() else ()
    changes = []
    if (lifetime := options.cache_lifetime_seconds) is not None:
        longer = lifetime > SHORT_LIFE
        changes.append(Change(
            title=f"cache lifetime of {'1 hour' if longer else '5 minutes'}",
            touched=touched,
            assumption=_LONGER if longer else _SHORTER,
            money_assumption="Every token is written at the price of that lifetime.",
            apply=lambda edit: structs.replace(edit, lifetime=lifetime),
            cannot_say=reasons,
        ))  # fmt: skip
    if (alive := options.keep_alive_seconds) is not None:
        changes.append(Change(
            title=f"keep the cache alive for {alive / 60:,.4g} minutes",
            touched=touched,
            assumption=_ALIVE,
            money_assumption="Each of those requests costs a read of the cache and one token.",
            apply=lambda edit: structs.replace(edit, keep_alive=alive),
            cannot_say=reasons,
        ))  # fmt: skip
    return changes


_LONGER = "What was lost after a pause shorter than that is read from the cache instead."
_SHORTER = "What was read from the cache after a longer pause is written again, all of it."
_ALIVE = (
    "After every answer of a main agent a small request is sent whenever 9/10 of the lifetime have "
    "passed, until the next turn or the end of that time, after the last answer too."
)


def _later_turns(r: Recorded) -> int:
    counts: Ints = np.diff(r.first_turn)
    return int(np.maximum(counts - 1, 0).sum())


TOOL_KINDS = ("schema", "request", "result")
NO_SOURCE = "the trace that it was measured from is gone or has changed"


class Joins(Struct, frozen=True):
    """Which turns join which."""

    into: Ints
    """Per turn: itself, or the earlier turn that it joins."""
    unread: Flags
    """Per trajectory: whether its trace could not be read again and it has calls to look at."""


FindJoins = Callable[[Recorded, Callable[[str], bool], Flags], Joins]
"""Given what was recorded, which tools are dropped and which turns are gone: turns that join.

Texts decide that, and a study has none: whoever asks hands it in."""


def find_changes(
    recorded: Recorded, options: WhatIfOptions, find_joins: FindJoins | None = None
) -> list[Change]:
    """Every change that the options ask for, in the order in which they combine."""
    changes = []
    if options.drop_tools:
        changes.append(_drop(recorded, options))
    if options.cap_results is not None:
        changes.append(_cap(recorded, options))
    if options.compact_at is not None:
        changes.append(_compact(recorded, options.compact_at))
    if options.clear_after_seconds is not None:
        changes.append(_clear(recorded, options.clear_after_seconds))
    if options.subagent_model is not None:
        changes.append(move_subagents(recorded, options.subagent_model))
    if (options.batch_independent or options.batch_notes) and find_joins:
        changes.append(_batch(recorded, options, find_joins))
    if options.model or options.arch or options.hardware:
        changes.append(change_engine(recorded, options))
    if options.keep_cache_seconds is not None:
        changes.append(keep_cache(recorded, options.keep_cache_seconds))
    if options.cache_lifetime_seconds is not None or options.keep_alive_seconds is not None:
        changes += change_observed_cache(recorded, options)
    if not changes:
        raise InputError(
            "whatif: expected something to change: --drop-tool, --cap-results, --compact-at, "
            "--clear-after, --cache-lifetime, --keep-alive, --keep-cache, --subagent-model, "
            "--hardware, --model, --arch, --batch-notes or --batch-independent."
        )
    return changes


def apply_all(edit: Edit, changes: list[Change]) -> Edit:
    """The edit with all of the changes."""
    for change in changes:
        edit = change.apply(edit)
    return edit


# Drop a tool --------------------------------------------------------------------------------------


def _drop(r: Recorded, options: WhatIfOptions) -> Change:
    patterns = options.drop_tools
    dropped = drop_test(patterns)
    gone: Flags = np.array(
        [
            kind in TOOL_KINDS and name is not None and dropped(name)
            for kind, name in zip(r.kind, r.name, strict=True)
        ],
        dtype=bool,
    )
    calls = np.array([dropped(tool) for tool in r.call_tool], dtype=bool)
    if not r.is_part:
        _refuse_unmatched(r, patterns)
    turns = _only_dropped(r, calls) if options.drop_turns else np.zeros(r.turns, dtype=bool)

    def apply(edit: Edit) -> Edit:
        into = np.where(turns, NEVER, edit.into)
        return structs.replace(edit, kept=np.where(gone, 0.0, edit.kept), into=into)

    displayed = ", ".join(printable(pattern, 40) for pattern in patterns)
    return Change(
        title=f"drop {displayed}" + (" and its turns" if options.drop_turns else ""),
        touched=_count_dropped(r, gone, calls, turns),
        assumption=_DROP_TURNS if options.drop_turns else _DROP,
        money_assumption="The provider's cache holds the same beginning, less what was dropped.",
        apply=apply,
    )


_DROP = (
    "The schema, the requests and the results leave every context; every turn still happens and "
    "the model does nothing else instead."
)
_DROP_TURNS = (
    "The schema, the requests and the results leave every context; turns that made only dropped "
    "calls are gone with all they decoded, and the model does nothing else instead."
)


def drop_test(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a tool is dropped. Each name is looked at once, and plain names are only looked up:
    a ledger has a name on every part, and may have thousands of tools."""
    names = {pattern for pattern in patterns if not _is_glob(pattern)}
    globs = [pattern for pattern in patterns if _is_glob(pattern)]
    return cache(lambda tool: tool in names or any(fnmatchcase(tool, glob) for glob in globs))


def _is_glob(pattern: str) -> bool:
    return any(mark in pattern for mark in "*?[")


def _refuse_unmatched(r: Recorded, patterns: tuple[str, ...]) -> None:
    known = {n for n in [*r.name, *r.call_tool] if n}
    tools = sorted(known)
    for pattern in patterns:
        plain = not _is_glob(pattern)
        if pattern not in known if plain else not any(fnmatchcase(t, pattern) for t in tools):
            some = ", ".join(printable(tool, 40) for tool in tools[:12])
            raise InputError(
                f"--drop-tool {printable(pattern, 60)!r}: no such tool in the ledger. "
                f"There are: {some or 'none'}{' …' if len(tools) > 12 else ''}."
            )


def _only_dropped(r: Recorded, calls: Flags) -> Flags:
    dropped = np.bincount(r.call_turn[calls], minlength=r.turns)
    all_of_them: Flags = (dropped > 0) & (dropped == r.calls)
    return all_of_them


def _count_dropped(r: Recorded, gone: Flags, calls: Flags, turns: Flags) -> str:
    kinds = np.array(r.kind)[gone]
    counts = [plural(int((kinds == kind).sum()), kind) for kind in TOOL_KINDS]
    sentence = f"{', '.join(counts)}; {r.tokens[gone].sum():,.0f} tokens"
    if turns.any():
        sentence += f"; {plural(int(turns.sum()), 'turn')}"
    if not (kinds == "schema").any():
        sentence += (
            "; no schema of it is in the traces, so one that was sent stays counted as unseen"
        )
    return sentence


# Cap results --------------------------------------------------------------------------------------


def _cap(r: Recorded, options: WhatIfOptions) -> Change:
    most = float(options.cap_results or 0)
    over, needed = find_capped(r, options)
    rereads = options.counts_rereads and r.quoted is not None
    cut = over & ~needed
    limit: Floats = np.where(cut, most, np.inf)
    results = sum(kind == "result" for kind in r.kind)
    touched = (
        f"{int(cut.sum()):,} of {results:,} results, {(r.tokens - limit)[cut].sum():,.0f} tokens"
    )
    if needed.any():
        touched += f"; {int(needed.sum()):,} more would be asked for again"
    tools = ", ".join(printable(tool, 40) for tool in options.cap_tools)

    def apply(edit: Edit) -> Edit:
        edit = structs.replace(edit, kept=np.minimum(edit.kept, limit))
        if not needed.any():
            return edit
        turns = r.enters[needed]
        times = np.bincount(turns, minlength=r.turns).astype(np.float64)
        return _read_twice(edit, times, times * most)

    return Change(
        title=f"cap results{f' of {tools}' if tools else ''} at {most:,.0f} tokens",
        touched=touched,
        assumption=_READ_AGAIN if rereads else _NEEDS_NOTHING,
        money_assumption="The provider's cache holds the same beginning, less what was cut.",
        apply=apply,
    )


def _read_twice(edit: Edit, times: Floats, tokens: Floats) -> Edit:
    """With more results that come back twice."""
    before, known = edit.again, edit.again_tokens
    times = times if before is None else before + times
    return structs.replace(
        edit, again=times, again_tokens=tokens if known is None else known + tokens
    )


_NEEDS_NOTHING = "The model needs nothing of what is cut: the same turns, calls and answers follow."
_READ_AGAIN = (
    "A result that is later quoted beyond the cap is asked for again, in one more turn; of the "
    "others the model needs nothing that is cut."
)


def find_capped(r: Recorded, options: WhatIfOptions) -> tuple[Flags, Flags]:
    """Per part: whether it is a result above the cap, and whether it would be asked for again."""
    capped = drop_test(options.cap_tools) if options.cap_tools else (lambda tool: True)
    named = zip(r.kind, r.name, strict=True)
    is_capped = [kind == "result" and capped(name or "") for kind, name in named]
    over: Flags = np.array(is_capped, dtype=bool) & (r.tokens > float(options.cap_results or 0))
    if not options.counts_rereads or r.quoted is None:
        return over, np.zeros_like(over)
    needed: Flags = over & (r.quoted > float(options.cap_results or 0)) & (r.enters != NEVER)
    return over, needed


# Contexts that begin anew -------------------------------------------------------------------------


def _compact(r: Recorded, most: int) -> Change:
    short = compact_at(r, float(most))
    times, tokens = find_needed(r, short)
    return Change(
        title=f"compact at {most:,} tokens",
        touched=f"{plural(int(short.restarts.sum()), 'more compaction')}, "
        f"{plural(int(times.sum()), 'result')} asked for again",
        assumption=(
            f"Each leaves the first turn's context, a summary and {PUT_BACK - SUMMARY:,.0f} tokens "
            "that the client puts back; what is quoted later is asked for again, in one more turn."
        ),
        money_assumption="The beginning stays in the cache; the rest is written anew.",
        apply=lambda edit: _read_twice(structs.replace(edit, shortened=short), times, tokens),
    )


def _clear(r: Recorded, seconds: float) -> Change:
    short = clear_at(r, after_breaks(r, find_losses(r).pause, seconds))
    return Change(
        title=f"clear after a break of {seconds / 60:,.4g} minutes",
        touched=f"{plural(int(short.restarts.sum()), 'break')}, "
        f"{short.gone[short.restarts].sum():,.0f} tokens",
        assumption=(
            "Only where no result from before the break is quoted after it; what the user would "
            "have to say again is not counted."
        ),
        money_assumption="The beginning is as cached as it was; the rest is not there.",
        apply=lambda edit: structs.replace(edit, shortened=short),
    )


# Batch independent calls --------------------------------------------------------------------------


def _batch(r: Recorded, options: WhatIfOptions, find_joins: FindJoins) -> Change:
    dropped = drop_test(options.drop_tools)
    skipped = _only_dropped(r, np.array([dropped(tool) for tool in r.call_tool], dtype=bool))
    joins = find_joins(r, dropped, skipped & options.drop_turns)

    def apply(edit: Edit) -> Edit:
        return structs.replace(edit, into=np.where(edit.into == NEVER, NEVER, joins.into))

    merged = int((joins.into != np.arange(r.turns)).sum())
    reasons = ((NO_SOURCE, joins.unread),) if joins.unread.any() else ()
    return Change(
        title="make notes with the next call" if options.batch_notes else "batch independent calls",
        touched=f"{merged:,} of {r.turns:,} turns join the one before",
        assumption=(
            "A call is independent when it follows a success, nobody spoke in between, and no word "
            "or number of its arguments first appeared in the results it would not wait for. The "
            "same tokens are decoded, earlier, and calls of one turn run in their order. That a "
            "result led to the next call cannot be seen: this is the most that batching can save."
        ),
        money_assumption="Cache hits as reported, except for what the merged turns had put there.",
        apply=apply,
        cannot_say=reasons,
    )
