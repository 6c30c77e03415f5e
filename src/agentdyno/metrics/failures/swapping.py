"""Answers that give each asked value under the other's name: "a low of 24 and a high of 18".

Takes an answer with the places of two asked values and the names of their fields; returns why it is
no answer, or None. Only words that one of the fields has and the other has not are looked at, and
only where each of them stands beside the other's value and nowhere beside its own.
"""

import re
from collections.abc import Sequence
from itertools import combinations

from agentdyno.matching.values import Found, words_of_field

NEAR = 30
"""Characters between a field's word and its value."""


def why_swapped(
    text: str, found: Sequence[Sequence[Found]], fields: Sequence[str | None]
) -> str | None:
    """Why the values stand under each other's names; None when they do not."""
    known = [(field, places) for field, places in zip(fields, found, strict=True) if field]
    for (one, at_one), (other, at_other) in combinations(known, 2):
        words, others = (set(words_of_field(field or "").split()) for field in (one, other))
        first, second = words - others, others - words
        places = [*at_one, *at_other]
        if (
            _named(text, first, at_other, places)
            and _named(text, second, at_one, places)
            and not _named(text, first, at_one, places)
            and not _named(text, second, at_other, places)
        ):
            return f"gives the value of {other} as {one}"
    return None


def _named(text: str, words: set[str], wanted: Sequence[Found], every: Sequence[Found]) -> bool:
    """Whether one of the words belongs to one of the wanted values."""
    for word in words:
        for spot in re.finditer(rf"\b{re.escape(word)}", text, re.IGNORECASE):
            owner = _owner(text, spot, every)
            if owner is not None and owner in wanted:
                return True
    return False


def _owner(text: str, spot: re.Match[str], every: Sequence[Found]) -> Found | None:
    """The value right in front of a word ("7 sailors"), else the first behind it."""
    for place in every:
        if place.end <= spot.start() and text[place.end : spot.start()] in (" ", "-", "\u00a0"):
            return place
    behind = [place for place in every if spot.end() <= place.start <= spot.end() + NEAR]
    return min(behind, key=lambda place: place.start, default=None)
