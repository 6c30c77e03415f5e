"""Opens a ledger and asks what a change would save; reads traces again where no table says it."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import polars as pl
from msgspec import structs

from agentdyno.cost.columns import Flags
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.derivations import SCHEDULES
from agentdyno.pipelines.rederive import is_up_to_date
from agentdyno.pipelines.sources import find_missing_inputs, volume_trajectories
from agentdyno.pipelines.versions import describe_age
from agentdyno.records import InputError, Trajectory
from agentdyno.studies.tables import Tables
from agentdyno.studies.views import View, apply_view
from agentdyno.studies.whatif import WhatIfOptions, study_whatif
from agentdyno.studies.whatif.changes import Joins
from agentdyno.studies.whatif.joined_turns import find_joins, read_recorded_joins
from agentdyno.studies.whatif.recorded import Recorded
from agentdyno.studies.whatif.results import WhatIf
from agentdyno.studies.whatif.search import Policy, search_policies


def whatif(
    folder: Path, options: WhatIfOptions, view: View | None = None
) -> tuple[WhatIf, pl.DataFrame]:
    """The answer, and a row for every trajectory under all changes together."""
    ledger = Ledger(local_folder(folder))
    seen = apply_view(ledger, _without_what_is_saved(ledger, options, view))
    answer, rows = study_whatif(seen, options, partial(_joins, ledger, seen, options))
    return structs.replace(answer, notes=[*describe_age(ledger), *answer.notes]), rows()


def search(folder: Path, view: View | None = None) -> list[Policy]:
    """Context policies that no other beats, in dollars and in text to be read again."""
    return search_policies(apply_view(Ledger(local_folder(folder)), view))


def _joins(
    ledger: Ledger,
    seen: Tables,
    options: WhatIfOptions,
    recorded: Recorded,
    dropped: Callable[[str], bool],
    gone: Flags,
) -> Joins:
    """From the tables where they are of today; the texts decide where other calls are left."""
    joins_read = None
    if not options.drop_tools and is_up_to_date(ledger, SCHEDULES):
        joins, rows = seen.read("joins"), seen.read("scheduling")
        joins_read = read_recorded_joins(joins, rows, recorded, options.batch_notes)
    if joins_read is None and options.batch_notes:
        raise InputError(
            "--batch-notes: expected schedules of all traces, and no --drop-tool beside it; "
            "agentdyno report LEDGER brings them up to date."
        )
    return joins_read or find_joins(lambda: _read_again(ledger), recorded, dropped, gone)


def _read_again(ledger: Ledger) -> Iterator[Trajectory]:
    missing = find_missing_inputs(ledger)
    for volume in ledger.manifest.volumes:
        yield from volume_trajectories(ledger, volume, missing, only_counted=True)


def _without_what_is_saved(
    ledger: Ledger, options: WhatIfOptions, view: View | None
) -> View | None:
    """What the provider's cache saved already is no saving: where it is known, we start from it."""
    view_used = view or View()
    cache = view_used.cache or ledger.options.get("cache", "evicted")
    if options.keep_cache_seconds is None or cache != "evicted":
        return view
    cached = ledger.read("turns")["cached_tokens"]
    has_cached = len(cached) and not cached.null_count() and cached.sum() > 0
    return structs.replace(view_used, cache="reported") if has_cached else view


__all__ = ["WhatIfOptions", "whatif"]
