"""Opens two ledgers and compares them."""

from pathlib import Path

from msgspec import structs

from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.versions import describe_age
from agentdyno.studies.comparison import CompareOptions, study_comparison
from agentdyno.studies.comparison.results import Comparison
from agentdyno.studies.views import View, apply_view


def compare(
    a: Path, b: Path, options: CompareOptions | None = None, view: View | None = None
) -> Comparison:
    """Compares B with A, both under the view where one is chosen."""
    first, second = (Ledger(local_folder(side)) for side in (a, b))
    comparison = study_comparison(apply_view(first, view), apply_view(second, view), options)
    sides = {"A": first, "B": second}
    warnings = [f"{name}: {line}" for name, side in sides.items() for line in describe_age(side)]
    return structs.replace(comparison, warnings=[*warnings, *comparison.warnings])


__all__ = ["CompareOptions", "compare"]
