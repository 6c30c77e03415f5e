"""Finds wasteful habits in a ledger's trajectories and adds them to it, once.

Detectors read texts, which the ledger does not keep, and take longer than measuring; so they run
when somebody asks, over the files that were measured, and their findings stay in the ledger.
"""

from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.derived import add_derived, covered
from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.patterns.table import measure_patterns
from agentdyno.pipelines.sources import missing_inputs, volume_trajectories

TABLE = "patterns"


class PatternsFound(Struct, frozen=True):
    """What was done."""

    findings: int
    """Rows in the table now."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; their findings are unknown."""


def ensure_patterns(folder: Path) -> PatternsFound:
    """Brings the table `patterns` up to date with the ledger."""
    ledger = Ledger(folder)
    todo = set(ledger.manifest.volumes) - covered(ledger.manifest, TABLE)
    missing = missing_inputs(ledger.manifest) if todo else {}
    for volume in todo:
        trajectories = volume_trajectories(ledger.manifest, volume, missing)
        add_derived(folder, TABLE, measure_patterns(trajectories, _calls(ledger)), volume)
    return PatternsFound(len(Ledger(folder).read(TABLE)), missing)


def _calls(ledger: Ledger) -> pl.DataFrame:
    return ledger.scan("calls").select("trajectory_id", "turn", "call", "pte").collect()
