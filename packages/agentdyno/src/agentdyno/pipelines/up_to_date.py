"""Brings the derived tables of a ledger up to date."""

from pathlib import Path

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
