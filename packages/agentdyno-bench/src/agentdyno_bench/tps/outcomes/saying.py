"""Where a text says a value: the wishes' slots, handed to the value matching."""

import re
from functools import cached_property, lru_cache
from typing import Any

from agentdyno.matching import legacy_values as values
from agentdyno_bench.tps.tasks.values import Slot

Span = tuple[int, int]

_PRICES = ("fee", "_eur", "price", "cost")
_FREE = re.compile(
    r"\bfree\b(?! (?:to (?!enter|visit|get)|if|for you to))|\bno (?:\w+ ){0,2}(?:fee|charge|cost)\b"
    r"|\bcosts? nothing\b|\bwithout (?:charge|a fee)\b",
    re.IGNORECASE,
)
"""How people say that something costs 0."""
_SENTENCE = re.compile(r"(?<=[!?;])\s+|(?<=[^\s.]{2}\.)\s+(?=[A-Z“\"(])|\n+")


class Read:
    """A text whose values are read once, when they are asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._known: dict[tuple[type, str], list[Span]] = {}

    @cached_property
    def stated(self) -> values.Stated:
        """Every value of the text."""
        return values.read_values(self.text)

    @cached_property
    def sentences(self) -> list[Span]:
        """Where its sentences stand."""
        return _sentences(self.text)

    def places(self, slot: Slot) -> list[Span]:
        """Every place where the text says the slot's value and lets it stand."""
        if slot.kind == "moment":
            return self._moments(str(slot.value))
        found = self._found(values.Slot(slot.kind, slot.value, slot.unit))
        return found or (self._for_nothing() if _is_free(slot) else [])

    def places_of(self, value: Any) -> list[Span]:
        """The same for a plain value, as it stands in a result; every wish asks for the same."""
        key = (type(value), str(value))
        if key not in self._known:
            self._known[key] = self._found(values.slot_for(value))
        return self._known[key]

    def sentence(self, place: Span) -> Span:
        """The sentence or line around a place."""
        return next(s for s in self.sentences if s[0] <= place[0] < s[1])

    def _found(self, slot: values.Slot) -> list[Span]:
        found = values.find_slot(self.text, slot, self.stated)
        return [(f.start, f.end) for f in found if f.rejected is None]

    def _for_nothing(self) -> list[Span]:
        return [match.span() for match in _FREE.finditer(self.text)]

    def _moments(self, value: str) -> list[Span]:
        """The time; with its day, or where the sentence names no other."""
        day, _, clock = value.partition("T")
        days = self._found(values.Slot("date", day))
        kept = []
        for place in self._found(values.Slot("time", clock)):
            begin, end = self.sentence(place)
            named = [d for d in self.stated.dates if begin <= d.start < end]
            if not named or any(begin <= start < end for start, _ in days):
                kept.append(place)
        return kept


def _is_free(slot: Slot) -> bool:
    """Whether the slot asks for a price, and the price is none."""
    return slot.value == 0 and slot.field.endswith(_PRICES)


def says_value(text: str, value: Any) -> bool:
    """Whether a text, such as a letter, gives a plain value."""
    if isinstance(value, list):
        return all(says_value(text, item) for item in value)
    return _says(text, value, isinstance(value, bool))


@lru_cache(2048)
def _says(text: str, value: Any, truth: bool) -> bool:
    """Asked for the same letter by every wish; `truth` tells True from 1."""
    if isinstance(value, str) and value.casefold() in text.casefold():
        return True
    found = values.find_slot(text, values.slot_for(value), _stated(text))
    return any(place.rejected is None for place in found)


@lru_cache(64)
def _stated(text: str) -> values.Stated:
    return values.read_values(text)


def forget_texts() -> None:
    """Drops what was read of letters; for benchmarks, which mark one attempt several times."""
    _says.cache_clear()
    _stated.cache_clear()


def _sentences(text: str) -> list[Span]:
    spans, start = [], 0
    for match in _SENTENCE.finditer(text):
        spans.append((start, match.end()))
        start = match.end()
    return [*spans, (start, len(text) + 1)]
