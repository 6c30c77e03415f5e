"""Opens two ledgers and compares them."""

from pathlib import Path

from agentdyno.ledger.reader import Ledger
from agentdyno.studies.comparison import CompareOptions, study_comparison
from agentdyno.studies.comparison.results import Comparison


def compare(a: Path, b: Path, options: CompareOptions | None = None) -> Comparison:
    """Compares B with A."""
    return study_comparison(Ledger(a), Ledger(b), options)


__all__ = ["CompareOptions", "compare"]
