"""What a page should hold, cell by cell."""

from collections.abc import Mapping
from typing import Any

from tests.zoo.logged import Range, wilson

DEALT = "dealt"
"""A model that plays another of a benchmark's policies on each task in turn."""
Known = float | Range | str | None
Truth = dict[tuple[str, str, str], Known]
"""By exhibit, row and column; a range where the truth is known only so far, None where a cell stays
empty."""


def model_name(policy: str) -> str:
    """As a page has it."""
    return f"openai-api/zoo/{policy}"


def share(hits: float, of: int) -> tuple[float, float, float] | None:
    """A share with Wilson's interval; None of nothing."""
    return (hits / of, *wilson(hits, of)) if of else None


def row(place: str, name: str, columns: Mapping[str, Any]) -> Truth:
    """A row's cells: each a value, or a value with the ends of its interval as far as given."""
    found: Truth = {}
    for column, value in columns.items():
        is_estimate = isinstance(value, tuple) and len(value) != 2
        parts = zip(("", " low", " high"), value if is_estimate else (value,), strict=False)
        found |= {(place, name, column + end): part for end, part in parts}
    return found
