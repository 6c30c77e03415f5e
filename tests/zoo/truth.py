"""What a page should hold, cell by cell."""

from collections.abc import Sequence

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


def share(place: str, row: str, column: str, hits: float, of: int) -> Truth:
    """A share with Wilson's interval."""
    return estimate(place, row, column, (hits / of, *wilson(hits, of)))


def estimate(place: str, row: str, column: str, found: Sequence[float | Range | None]) -> Truth:
    """A value with the ends of its interval as far as they are given; None for an empty cell."""
    names = (column, f"{column} low", f"{column} high")
    values = dict(zip(names, found, strict=False))
    return {(place, row, name): value for name, value in values.items()}
