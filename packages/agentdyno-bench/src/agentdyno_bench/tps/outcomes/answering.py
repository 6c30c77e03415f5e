"""Whether an answer gives a slot's value as an answer, and was not guessed or recited.

A slot is answered when
- the answer says its value, in any usual notation, and lets it stand,
- the agent has seen the value, or everything that it follows from, in the results of its calls,
- the value does not stand among rivals: values of the same field, seen by the agent and not asked
  for, more than one of them in the same sentence, more than three anywhere, or one as an
  alternative ("49.17 or 61.20"); a value that another wish asks for is no rival, unless the answer
  leaves open which of the two it is,
- no other value of its kind stands beside it behind an `or`, seen by the agent or not,
- it is said in words, not as data: `"balance_eur": 4210.55` and `balance_eur: 4210.55` are recited,
- the answer as a whole answers: beside what was asked for and what the task itself says it holds at
  most 3 values and field names from results, and one more for each slot. Reciting everything that
  was read is no answer.
"""

import re
from typing import Any

from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.hedging import left_open
from agentdyno_bench.tps.outcomes.saying import Read, Span
from agentdyno_bench.tps.tasks.values import Slot

ASIDES, ASIDES_PER_SLOT = 3, 1
RIVALS_NEAR, RIVALS = 1, 3
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")
_SMALL = 31.0
"""Whole numbers up to here stand in any text: days, hours, places in a list."""
_LABEL = re.compile(r"([A-Za-z_]{2,40})[\"']?\s*[:=]")
_SPOKEN = re.compile(r"\b[Tt]he ([a-z]+(?: [a-z0-9]+){0,3}) is\b")
"""A field's name in a sentence of its own: "The area km2 is 39."."""
_DATA = re.compile(
    r"""["'][A-Za-z_]{2,40}["']\s*:\s*["']?[^,}\]\n]*|\b[a-z]+_[a-z_]+\s*[:=]\s*\S+"""
)
_OR = re.compile(r"\W*(?:or|and|either|maybe|possibly|perhaps|[a-z]{0,5})?\W*", re.IGNORECASE)


_EITHER = re.compile(r"[^A-Za-z]*(?:[A-Za-z%°€$]{1,8}[^A-Za-z]+)?or\W*", re.IGNORECASE)


class Answer:
    """An answer, looked at once for all slots."""

    def __init__(self, text: str, prompt: str, slots: list[Slot], seen: Seen) -> None:
        self._seen = seen
        labels = sum(label in seen.fields for label in _LABEL.findall(text))
        asked = {slot.field for slot in slots}
        spoken = (label.replace(" ", "_") for label in _SPOKEN.findall(text))
        labels += sum(label in seen.fields and label not in asked for label in spoken)
        # What is recited as data is taken out; the rest is the answer.
        self._read = Read(_DATA.sub(" ", text))
        self._plain = self._read.text.casefold()
        self._numbers = _numbers(self._read.text)
        self._has_or = " or" in self._plain or "\nor" in self._plain
        known = f"{prompt}\n" + "\n".join(str(v) for slot in slots for v in _said_by(slot))
        self._asked = [slot.value for slot in slots if isinstance(slot.value, (int, float, str))]
        self._known, self._known_numbers = known.casefold(), _numbers(known)
        self.recites = labels + self._asides() > ASIDES + ASIDES_PER_SLOT * len(slots)

    def verdict(self, slot: Slot) -> str | None:
        """Why the slot is not answered; None when it is."""
        if self.recites:
            return "the answer recites results instead of answering"
        places = self._read.places(slot)
        if not places:
            return "the answer does not say it"
        if not (self._seen.holds(slot.value) or _follows(slot, self._seen)):
            return "said without having seen it or what it follows from"
        if all(left_open(self._read, slot, place) for place in places):
            return "said as one of two, and left open"
        if self._among_rivals(slot, places):
            return "said among rivals, not as the answer"
        return None

    def _asides(self) -> int:
        """Distinct values from results that nobody asked for."""
        numbers = self._numbers - self._known_numbers
        found = sum(n in self._seen.numbers for n in numbers if n > _SMALL or n != int(n))
        texts = (t for t in self._seen.texts if 4 <= len(t) <= 80)
        return found + sum(t in self._plain and t not in self._known for t in texts)

    def _among_rivals(self, slot: Slot, places: list[Span]) -> bool:
        rivals = [found for rival in self._rivals(slot) if (found := self._read.places_of(rival))]
        if len(rivals) > RIVALS:
            return True
        if rivals and all(self._clouded(place, rivals) for place in places):
            return True
        if not self._has_or:
            return False
        others = [s for value in self._rivals(slot, True) for s in self._read.places_of(value)]
        return bool(others) and all(
            any(self._left_open(place, spot) for spot in others) for place in places
        )

    def _rivals(self, slot: Slot, asked: bool = False) -> list[Any]:
        """Other values of the same field that stand in the answer: those that nobody asked for, or
        those that somebody did."""
        found: dict[Any, None] = {}
        for value in [*self._seen.fields.get(slot.field, ()), *(self._asked if asked else ())]:
            if value != slot.value and self._stands(value) and self._is_known(value) == asked:
                found[value] = None
        return list(found)

    def _stands(self, value: Any) -> bool:
        if isinstance(value, (int, float)):
            return round(float(value), 4) in self._numbers
        return str(value).casefold() in self._plain

    def _is_known(self, value: Any) -> bool:
        if isinstance(value, (int, float)):
            return round(float(value), 4) in self._known_numbers
        return str(value).casefold() in self._known

    def _clouded(self, place: Span, rivals: list[list[Span]]) -> bool:
        begin, end = self._read.sentence(place)
        near = [[spot for spot in spots if begin <= spot[0] < end] for spots in rivals]
        if sum(map(bool, near)) > RIVALS_NEAR:
            return True
        return any(self._alternative(place, spot) for spots in near for spot in spots)

    def _left_open(self, a: Span, b: Span) -> bool:
        """Whether the two are said as alternatives: an `or` between them, and no more."""
        first, second = sorted((a, b))
        between = self._read.text[first[1] : second[0]]
        return len(between) < 20 and bool(_EITHER.fullmatch(between))

    def _alternative(self, a: Span, b: Span) -> bool:
        """Whether nothing but an `or` stands between the two."""
        first, second = sorted((a, b))
        between = self._read.text[first[1] : second[0]]
        return len(between) < 20 and bool(_OR.fullmatch(between))


def _follows(slot: Slot, seen: Seen) -> bool:
    return bool(slot.support) and all(seen.holds(value) for value in slot.support)


def _said_by(slot: Slot) -> list[Any]:
    values = slot.value if isinstance(slot.value, list) else [slot.value]
    return [*values, *slot.support]


def _numbers(text: str) -> set[float]:
    """Every number of a text, in both readings of points and commas."""
    found = set()
    for match in _NUMBER.findall(text):
        for form in (match.replace(",", ""), match.replace(".", "").replace(",", ".")):
            try:
                found.add(round(float(form), 4))
            except ValueError:
                continue
    return found
