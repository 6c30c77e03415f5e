"""Where a secret stands in a text."""

from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a text that a rule takes for a secret."""

    start: int
    """Its first character."""
    end: int
    """One beyond its last."""
    kind: str
    """What it is taken for."""
