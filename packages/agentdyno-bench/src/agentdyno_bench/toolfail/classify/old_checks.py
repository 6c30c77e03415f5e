"""Rows of checks that an older version of a check wrote.

Takes a ledger, returns which volumes have such rows, or takes them out where their traces can be
read again, so that the next `classify --ledger` makes them anew. Labels of benchmark runs and of
judges are evidence and stay.
"""

import polars as pl

from agentdyno.ledger.derived import Rows, replace_derived
from agentdyno.ledger.manifest import DerivedFile
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import find_missing_inputs
from agentdyno.records.failures import CHECKS
from agentdyno.records.stages import older_stages
from agentdyno.studies.outdated import OldTable
from agentdyno_bench.toolfail.findings.unlabelled import CHECK_VERSIONS
from agentdyno_bench.toolfail.studies.current import TABLE

_BY_CHECK = pl.col("rule").is_in(CHECKS)


def old_checks(ledger: Ledger) -> dict[str, pl.Series]:
    """Volumes with rows of older checks that can be made again, each with the trajectories whose
    traces are gone."""
    rows_gone: dict[str, pl.Series] = {}
    entries = [entry for entry in _old_entries(ledger) if entry.volume is not None]
    missing = list(find_missing_inputs(ledger)) if entries else []
    for entry in entries:
        volume = entry.volume or ""
        rows = ledger.scan_volume("trajectories", volume).select("trajectory_id", "source")
        gone = rows.filter(pl.col("source").is_in(missing)).collect()["trajectory_id"]
        if len(_check_rows(ledger, entry).filter(~pl.col("trajectory_id").is_in(gone.implode()))):
            rows_gone[volume] = gone
    return rows_gone


def drop_checks(ledger: Ledger, volume: str, gone: pl.Series) -> None:
    """Takes the rows of checks of a volume out, but for those of trajectories that are gone."""
    remaining = []
    for entry in ledger.manifest.derived[TABLE]:
        if entry.volume == volume:
            stays = ~_BY_CHECK | pl.col("trajectory_id").is_in(gone.implode())
            rows = ledger.scan_file(TABLE, entry).filter(stays).collect()
            if len(rows):
                remaining.append(Rows(rows, volume, entry.missing, entry.versions))
    replace_derived(ledger.folder, volume, {TABLE: remaining})


def find_outdated_checks(ledger: Ledger) -> list[OldTable]:
    """The table of failures, where older checks wrote some of its rows."""
    produced = [entry.versions for entry in _old_entries(ledger)]
    stages = sorted({s for versions in produced for s in older_stages(versions, CHECK_VERSIONS)})
    if not stages:
        return []
    then = {stage: min(versions.get(stage, 0) for versions in produced) for stage in stages}
    return [OldTable(TABLE, then, {s: v for s, v in CHECK_VERSIONS.items() if s in stages})]


def _old_entries(ledger: Ledger) -> list[DerivedFile]:
    return [
        entry
        for entry in ledger.manifest.derived.get(TABLE, [])
        if older_stages(entry.versions, CHECK_VERSIONS) and len(_check_rows(ledger, entry))
    ]


def _check_rows(ledger: Ledger, entry: DerivedFile) -> pl.DataFrame:
    rows = ledger.scan_file(TABLE, entry)
    return rows.filter(_BY_CHECK).select("trajectory_id").collect()
