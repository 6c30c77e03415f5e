"""Finds wasteful habits in a ledger's trajectories and adds them to it, once.

Detectors read texts, which the ledger does not keep: they run while traces are measured, and again
over the files when a newer detector is asked; their findings stay in the ledger.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.patterns.detector import Detector, load_detectors
from agentdyno.metrics.patterns.table import measure_patterns
from agentdyno.pipelines.derivation import Derivation, Frames, Ground, Make
from agentdyno.pipelines.second_look import look_again
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


def _begin(ground: Ground) -> Make:
    detectors = tuple(load_detectors().values())
    return partial(_rows, detectors)


def _rows(detectors: tuple[Detector, ...], found: Sequence[Trajectory], tables: Frames) -> Frames:
    return {TABLE: measure_patterns(found, tables["calls"], detectors=detectors)}


def _versions() -> dict[str, int]:
    return {detector.name: detector.version for detector in load_detectors().values()}


PATTERNS = Derivation((TABLE,), _versions, _begin)
"""For a look at the traces that several tables share."""
