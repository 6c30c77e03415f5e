"""Context policies searched together: caps, compaction, clears, lifetimes, keep-alives and deferred
tools in, the front of dollars against text that the agent would have to read again out.

Every combination is predicted under the cache as it was and at the prices of the ledger. Read
again is the share of later-quoted text that a cap cut off or a compaction took away; what that
costs is in the dollars. Of the combinations only those stay that no other beats in both.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from msgspec import Struct, structs

from agentdyno.cost.engines import Engines
from agentdyno.records import InputError
from agentdyno.studies.tables import Tables
from agentdyno.studies.whatif.changes import apply_all, find_capped, find_changes
from agentdyno.studies.whatif.contexts import compact_at, find_needed
from agentdyno.studies.whatif.edit import no_edit
from agentdyno.studies.whatif.engine_changes import meter_options
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.prediction import predict
from agentdyno.studies.whatif.recorded import Recorded, read_recorded

CAPS = (None, 8_000, 4_000, 2_000, 1_000)
COMPACTED = (None, 150_000, 120_000, 100_000, 80_000)
CLEARED = (None, 3_600.0)
KEPT: tuple[tuple[str, float | None, float | None], ...] = (
    ("", None, None), ("--cache-lifetime 5m", 300.0, None), ("--cache-lifetime 1h", 3_600.0, None),
    ("--keep-alive 900", None, 900.0), ("--keep-alive 1800", None, 1_800.0),
)  # fmt: skip


class Policy(Struct, frozen=True, kw_only=True):
    """One combination."""

    command: str
    """Its options, as typed; empty for the ledger as it is."""
    usd: float
    """What the trajectories with a price would have cost."""
    read_again: float
    """Share of the later-quoted text that would have to be read again."""


def search_policies(ledger: Tables) -> list[Policy]:
    """The combinations that no other beats in both, the cheapest first, and the ledger as it is."""
    if not ledger.has("quotes"):
        raise InputError(
            "--search: expected to know what is quoted later; agentdyno report LEDGER derives it."
        )
    recorded = read_recorded(ledger)
    policies = [_try(recorded, *setting) for setting in _combine(recorded)]
    front: list[Policy] = []
    for policy in sorted(policies, key=lambda each: (each.read_again, each.usd)):
        if not front or policy.usd < front[-1].usd - 1e-9:
            front.append(policy)
    return [
        *front[::-1],
        *(policy for policy in policies if not policy.command and policy not in front),
    ]


def _combine(r: Recorded) -> Iterator[tuple[str, WhatIfOptions]]:
    called = set(r.call_tool)
    pairs = zip(r.kind, r.name, strict=True)
    unused = {name for kind, name in pairs if kind == "schema" and name and name not in called}
    deferred = [(), tuple(sorted(unused))] if unused else [()]
    for most, compact, clear, keep_seconds, tools in product(
        CAPS, COMPACTED, CLEARED, KEPT, deferred
    ):
        if compact is not None and clear is not None:
            continue  # One of them decides where a context begins anew.
        command, lifetime, alive = keep_seconds
        words = (
            f"--cap-results {most}" if most is not None else "",
            f"--compact-at {compact}" if compact is not None else "",
            f"--clear-after {clear:.0f}" if clear is not None else "",
            command,
            "(unused tools on demand)" if tools else "",
        )
        yield " ".join(filter(None, words)), WhatIfOptions(
            drop_tools=tools, cap_results=most, counts_rereads=True, compact_at=compact,
            clear_after_seconds=clear, cache_lifetime_seconds=lifetime, keep_alive_seconds=alive,
        )  # fmt: skip


def _try(r: Recorded, command: str, options: WhatIfOptions) -> Policy:
    base = meter_options(r)
    start = no_edit(r, Engines(base).of, None, base.cache)
    is_changed = structs.replace(options, counts_rereads=True) != WhatIfOptions(counts_rereads=True)
    edit = apply_all(start, find_changes(r, options)) if is_changed else start
    usd = float(np.nansum(predict(r, edit).usd))
    return Policy(command=command, usd=usd, read_again=_count_read_again(r, options))


def _count_read_again(r: Recorded, options: WhatIfOptions) -> float:
    """Tokens of quoted text that is cut off or taken away, over all that are quoted."""
    quoted = np.zeros(len(r.tokens)) if r.quoted is None else r.quoted
    total = float(quoted.sum())
    if not total:
        return 0.0
    lost = 0.0
    if options.cap_results is not None:
        needed = find_capped(r, options)[1]
        lost += float((quoted - options.cap_results)[needed].sum())
    if options.compact_at is not None:
        lost += float(find_needed(r, compact_at(r, options.compact_at))[1].sum())
    return min(lost / total, 1.0)
