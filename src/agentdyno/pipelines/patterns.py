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
        names = {piece.name for piece in ledger.manifest.volumes[volume].pieces}
        gone = {name: reason for name, reason in missing.items() if name in names}
        trajectories = volume_trajectories(ledger.manifest, volume, gone)
        found = measure_patterns(trajectories, _calls(ledger))
        add_derived(folder, TABLE, found, volume, gone)
    ledger = Ledger(folder)
    entries = ledger.manifest.derived.get(TABLE, [])
    unread = {name: reason for entry in entries for name, reason in entry.missing.items()}
    return PatternsFound(len(ledger.read(TABLE)), unread)


def _calls(ledger: Ledger) -> pl.DataFrame:
    return ledger.scan("calls").select("trajectory_id", "turn", "call", "pte").collect()
