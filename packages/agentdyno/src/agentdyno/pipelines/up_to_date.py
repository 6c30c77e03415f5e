"""Brings the derived tables of a ledger up to date."""

from pathlib import Path

from agentdyno.ledger.manifest import load
from agentdyno.ledger.writer import CHANGED
from agentdyno.pipelines.derivations import SCHEDULES
from agentdyno.pipelines.rederive import rederive_tables
from agentdyno.records import InputError
from agentdyno.studies.derivation import load_derivations


def ensure_schedules(folder: Path) -> None:
    """Brings the tables of schedules up to date with the ledger."""
    rederive_tables(folder, [SCHEDULES])


def ensure_all(folder: Path) -> None:
    """Everything derived, where nobody looked yet or an older version did; a ledger that cannot be
    written stays as it is."""
    try:
        rederive_tables(folder, load_derivations())
    except (OSError, InputError):
        return


def derive_what_changed(folder: Path) -> None:
    """Derives again from those inputs of which other responses count than when they were read."""
    entries = [e for files in load(folder).derived.values() for e in files]
    changed = {e.volume for e in entries if e.volume and CHANGED in e.missing.values()}
    rederive_tables(folder, load_derivations(), volumes=sorted(changed))
