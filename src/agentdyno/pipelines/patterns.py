"""Finds wasteful habits in a ledger's trajectories and adds them to it, once.

Detectors read texts, which the ledger does not keep, and take longer than measuring; so they run
when somebody asks, over the files that were measured, and their findings stay in the ledger.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.patterns.detector import load_detectors
from agentdyno.metrics.patterns.table import measure_patterns
from agentdyno.pipelines.second_look import (
    Derivation,
    Frames,
    look_again,
    volume_table,
)
from agentdyno.records import Trajectory

TABLE = "patterns"


class PatternsFound(Struct, frozen=True):
    """What was done."""

    findings: int
    """Rows in the table now."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; their findings are unknown."""


def ensure_patterns(folder: Path) -> PatternsFound:
    """Brings the table `patterns` up to date with the ledger."""
    look_again(folder, [PATTERNS])
    return patterns_found(folder)


def patterns_found(folder: Path) -> PatternsFound:
    """What the ledger holds now."""
    ledger = Ledger(folder)
    return PatternsFound(len(ledger.read(TABLE)), ledger.missing(TABLE))


def _begin(ledger: Ledger, volume: str) -> Callable[[Sequence[Trajectory]], Frames]:
    columns = "trajectory_id", "turn", "call", "pte"
    calls = volume_table(ledger, "calls", volume).select(columns).collect()
    detectors = tuple(load_detectors().values())
    return lambda found: {TABLE: measure_patterns(found, calls, detectors=detectors)}


def _versions() -> dict[str, int]:
    return {detector.name: detector.version for detector in load_detectors().values()}


PATTERNS = Derivation((TABLE,), _versions, _begin)
"""For a look at the traces that several tables share."""
