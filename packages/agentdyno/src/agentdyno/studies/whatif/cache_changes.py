"""Changes of the cache: one where none is reported, another lifetime, a keep-alive."""

import numpy as np
from msgspec import structs

from agentdyno.cost.columns import Ints
from agentdyno.records import InputError, plural
from agentdyno.studies.whatif.edit import Change
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
    found = find_losses(r)
    paused = found.outlivable
    touched = (
        f"{plural(int(paused.sum()), 'pause')} beyond the lifetime, "
        f"{found.lost[paused].sum():,.0f} tokens written again"
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
