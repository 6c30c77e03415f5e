"""Checks that need no truth, over a ledger: its texts are read again, the findings stay in it.

Every trajectory gets a row per check: `doubtful`, `clear`, or no label where there was nothing to
look at. A call whose return nobody used has a row of its own, with its cost.
"""

from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import find_missing_inputs, volume_trajectories
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.failures import CHECKS
from agentdyno.studies.cost.unit import costs_of
from agentdyno_bench.toolfail.classify.old_checks import drop_checks, old_checks
from agentdyno_bench.toolfail.classify.table import add_failures, volume_ids
from agentdyno_bench.toolfail.findings.unlabelled import CHECK_VERSIONS
from agentdyno_bench.toolfail.studies.current import current_failures
from agentdyno_bench.toolfail.studies.doubt_rows import check_rows
from agentdyno_bench.toolfail.studies.doubts import CheckFound, checks_found


class DoubtsFound(Struct, frozen=True):
    """Result of checking a ledger for doubtful calls."""

    added: int
    """Rows that were added now."""
    checks: list[CheckFound]
    """Every check over the whole ledger."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; nobody looked at these."""
    unit: CostUnit = "pte"


def doubt_ledger(folder: Path, unproven: bool = False) -> DoubtsFound:
    """Brings the checks' rows up to date with the ledger; those of unproven checks where asked."""
    ledger = Ledger(folder)
    for volume, gone in old_checks(ledger).items():
        drop_checks(ledger, volume, gone)
    ledger = Ledger(folder)
    # Who asks for more checks asks for all trajectories: rows that are there are not added again.
    todo = list(ledger.manifest.volumes) if unproven else _find_unchecked(ledger)
    missing = find_missing_inputs(ledger) if todo else {}
    added = 0
    for volume in todo:
        trajectories = volume_trajectories(ledger, volume, missing)
        rows = (row for trajectory in trajectories for row in check_rows(trajectory, unproven))
        added += add_failures(folder, rows, [volume], CHECK_VERSIONS)
    grown = Ledger(folder)
    costs = costs_of(grown)
    checks = checks_found(costs.on(current_failures(grown)), unproven)
    return DoubtsFound(added, checks, missing, costs.unit)


def _find_unchecked(ledger: Ledger) -> list[str]:
    """Volumes with a trajectory that no check has looked at."""
    rows = current_failures(ledger).filter(pl.col("rule").is_in(CHECKS))
    checked = set(rows["trajectory_id"])
    volumes = ledger.manifest.volumes
    return [volume for volume in volumes if not checked.issuperset(volume_ids(ledger, volume))]
