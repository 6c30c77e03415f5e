"""Opens two ledgers and compares them."""

from pathlib import Path

from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.working_copy import local_folder
from agentdyno.studies.comparison import CompareOptions, study_comparison
from agentdyno.studies.comparison.results import Comparison
from agentdyno.studies.views import View, viewed


def compare(
    a: Path, b: Path, options: CompareOptions | None = None, view: View | None = None
) -> Comparison:
    """Compares B with A, both under the view where one is chosen."""
    one, other = (viewed(Ledger(local_folder(side)), view) for side in (a, b))
    return study_comparison(one, other, options)


__all__ = ["CompareOptions", "compare"]
