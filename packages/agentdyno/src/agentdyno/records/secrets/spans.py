"""Spans of secrets in a text, and counts of them."""

from collections import Counter
from typing import NamedTuple

Counts = Counter[str]
"""How many secrets of each kind were replaced."""


class Span(NamedTuple):
    """A stretch of a text that a rule takes for a secret."""

    start: int
    """Its first character."""
    end: int
    """One beyond its last."""
    kind: str
    """The kind of secret."""
