"""Opens two ledgers and compares them."""

from pathlib import Path

from agentdyno.ledger.reader import Ledger
from agentdyno.studies.comparison import CompareOptions, study_comparison
from agentdyno.studies.comparison.results import Comparison
from agentdyno.studies.views import View, viewed


def compare(
    a: Path, b: Path, options: CompareOptions | None = None, view: View | None = None
) -> Comparison:
    """Compares B with A, both under the view where one is chosen."""
    return study_comparison(viewed(Ledger(a), view), viewed(Ledger(b), view), options)


__all__ = ["CompareOptions", "compare"]
