"""Checks that need no truth, over a ledger: its texts are read again, the findings stay in it.

Every trajectory gets a row per check: `doubtful`, `clear`, or no label where there was nothing to
look at. A call whose return nobody used has a row of its own, with its cost.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.failures.unlabelled import Doubt, find_doubts, possible_checks
from agentdyno.pipelines.classify.table import add_failures, volume_ids
from agentdyno.pipelines.sources import missing_inputs, volume_trajectories
from agentdyno.records import Trajectory, printable
from agentdyno.records.failures import CHECKS, CLEAR, DOUBTFUL
from agentdyno.studies.failures.doubts import CheckFound, checks_found
from agentdyno.studies.failures.in_force import failures_in_force

LONGEST = 300


class DoubtsFound(Struct, frozen=True):
    """What was done."""

    added: int
    """Rows that were added now."""
    checks: list[CheckFound]
    """Every check over the whole ledger."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; nobody looked at these."""


def doubt_ledger(folder: Path) -> DoubtsFound:
    """Brings the checks' rows up to date with the ledger."""
    ledger = Ledger(folder)
    todo = _unchecked(ledger)
    missing = missing_inputs(ledger.manifest) if todo else {}
    added = 0
    for volume in todo:
        trajectories = volume_trajectories(ledger, volume, missing)
        rows = (row for each in trajectories for row in check_rows(each))
        added += add_failures(folder, rows, [volume])
    return DoubtsFound(added, checks_found(failures_in_force(Ledger(folder))), missing)


def _unchecked(ledger: Ledger) -> list[str]:
    """Volumes with a trajectory that no check has looked at."""
    rows = failures_in_force(ledger).filter(pl.col("rule").is_in(CHECKS))
    known = set(rows["trajectory_id"])
    volumes = ledger.manifest.volumes
    return [volume for volume in volumes if not known.issuperset(volume_ids(ledger, volume))]


def check_rows(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    """Rows of the table `failures`, without `pte`, which the ledger joins."""
    possible = possible_checks(trajectory)
    found: dict[str, list[Doubt]] = defaultdict(list)
    for doubt in find_doubts(trajectory):
        found[doubt.kind].append(doubt)
    for check in CHECKS:
        doubts = found[check]
        label = (DOUBTFUL if doubts else CLEAR) if check in possible else None
        shown = printable("; ".join(doubt.evidence for doubt in doubts), LONGEST)
        about = {
            "trajectory_id": trajectory.trajectory_id,
            "task_id": trajectory.task_id,
            "domain": None,
            "kind": None,
            "trap": None,
            "label": label,
            "rule": check,
            "phantom": any(doubt.kind == "phantom_call" for doubt in doubts),
            "broken": None,
        }
        yield {**about, "turn": None, "call": None, "evidence": shown}
        for doubt in doubts:
            if doubt.call is not None:
                place = {"turn": doubt.turn, "call": doubt.call}
                yield {**about, **place, "evidence": printable(doubt.evidence, LONGEST)}
