"""Brings the derived tables of a ledger up to date, and says what they hold now."""

from pathlib import Path

from msgspec import Struct

from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.writer import CHANGED
from agentdyno.pipelines.derivations import DERIVATIONS, PATTERNS, SCHEDULES
from agentdyno.pipelines.rederive import rederive_tables
from agentdyno.records import InputError


class PatternsFound(Struct, frozen=True):
    """What the table `patterns` holds."""

    findings: int
    """Rows in the table now."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; their findings are unknown."""


class SchedulesFound(Struct, frozen=True):
    """What the tables of schedules hold."""

    trajectories: int
    """Trajectories whose schedules are in the table now."""
    known: int
    """Trajectories of these whose dependencies are known, and not only inferred."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; their schedules are unknown."""


def ensure_patterns(folder: Path) -> PatternsFound:
    """Brings the table `patterns` up to date with the ledger."""
    rederive_tables(folder, [PATTERNS])
    ledger = Ledger(folder)
    return PatternsFound(len(ledger.read("patterns")), ledger.missing("patterns"))


def ensure_schedules(folder: Path) -> SchedulesFound:
    """Brings the tables of schedules up to date with the ledger."""
    rederive_tables(folder, [SCHEDULES])
    ledger = Ledger(folder)
    sources = ledger.read("scheduling")["edge_source"]
    inferred, known = (int((sources == source).sum()) for source in ("inferred", "known"))
    return SchedulesFound(inferred, known, ledger.missing("scheduling"))


def ensure_all(folder: Path) -> None:
    """Everything derived, where nobody looked yet or an older version did; a ledger that cannot be
    written stays as it is."""
    try:
        rederive_tables(folder, DERIVATIONS)
    except (OSError, InputError):
        return


def derive_what_changed(folder: Path, workers: int | None = None) -> None:
    """Derives again from those inputs of which other responses count than when they were read."""
    entries = [e for files in load(folder).derived.values() for e in files]
    changed = {e.volume for e in entries if e.volume and CHANGED in e.missing.values()}
    rederive_tables(folder, DERIVATIONS, workers, sorted(changed))
