"""Whether an answer gives a slot's value as an answer, and was not guessed or recited.

A slot is answered when
- the answer says its value,
- the agent has seen the value, or everything that it follows from, in the results of its calls,
- the value does not stand among rivals: values of the same field, seen by the agent and not asked
  for, more than one of them in the same sentence, more than three anywhere, or one as an
  alternative ("49.17 or 61.20"),
- it is said in words, not as data: `"balance_eur": 4210.55` and `balance_eur: 4210.55` are recited,
- the answer as a whole answers: beside what was asked for and what the task itself says it holds at
  most 3 values and field names from results, and one more for each slot. Reciting everything that
  was read is no answer.
"""

import re
from typing import Any

from agentdyno.benchmarks.tps.outcomes.evidence import Seen
from agentdyno.benchmarks.tps.outcomes.saying import says
from agentdyno.benchmarks.tps.tasks.values import Slot

ASIDES, ASIDES_PER_SLOT = 3, 1
RIVALS_NEAR, RIVALS = 1, 3
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")
_SMALL = 31.0
"""Whole numbers up to here stand in any text: days, hours, places in a list."""
_LABEL = re.compile(r"([A-Za-z_]{2,40})[\"']?\s*[:=]")
_DATA = re.compile(r"""["'][A-Za-z_]{2,40}["']\s*:\s*["']?[^,}\]\n]*|\b[a-z]+_[a-z_]+\s*[:=]\s*\S+""")
_OR = re.compile(r"^\W*(?:or|and|/|either|maybe|possibly|,)?\W*$", re.IGNORECASE)


class Answer:
    """An answer, looked at once for all slots."""

    def __init__(self, text: str, prompt: str, slots: list[Slot], seen: Seen) -> None:
        self._seen = seen
        self._labels = sum(label in seen.fields for label in _LABEL.findall(text))
        # What is recited as data is taken out; the rest is the answer.
        self.text = text = _DATA.sub(" ", text)
        self._sentences = [part for part in _SENTENCE.split(text) if part.strip()]
        self._known = f"{prompt}\n" + "\n".join(str(v) for slot in slots for v in _said_by(slot))
        self._known_plain = self._known.casefold()
        self._numbers = _numbers(text)
        self._known_numbers = _numbers(self._known)
        self.recites = self._asides() > ASIDES + ASIDES_PER_SLOT * len(slots)

    def verdict(self, slot: Slot) -> str | None:
        """Why the slot is not answered; None when it is."""
        if not says(self.text, slot.value):
            return "the answer does not say it"
        if not (self._seen.holds(slot.value) or _follows(slot, self._seen)):
            return "said without having seen it or what it follows from"
        if self.recites:
            return "the answer recites results instead of answering"
        if self._among_rivals(slot):
            return "said among rivals, not as the answer"
        return None

    def _asides(self) -> int:
        """Distinct values from results that nobody asked for."""
        plain = self.text.casefold()
        numbers = self._numbers - self._known_numbers
        found = sum(n in self._seen.numbers for n in numbers if n > _SMALL or n != int(n))
        texts = (t for t in self._seen.texts if 4 <= len(t) <= 80)
        return self._labels + found + sum(t in plain and t not in self._known_plain for t in texts)

    def _among_rivals(self, slot: Slot) -> bool:
        rivals = self._rivals(slot)
        said = [rival for rival in rivals if says(self.text, rival)] if rivals else []
        if not said:
            return False
        if len(said) > RIVALS:
            return True
        return all(self._clouded(sentence, slot, said) for sentence in self._sentences
                   if says(sentence, slot.value))  # fmt: skip

    def _rivals(self, slot: Slot) -> list[Any]:
        """Other values of the same field that could be in the answer; most are not."""
        found: dict[Any, None] = {}
        for value in self._seen.fields.get(slot.field, ()):
            if value == slot.value or self._is_known(value):
                continue
            if isinstance(value, (int, float)) and round(float(value), 4) not in self._numbers:
                continue
            found[value] = None
        return list(found)

    def _is_known(self, value: Any) -> bool:
        if isinstance(value, (int, float)):
            return round(float(value), 4) in self._known_numbers
        return str(value).casefold() in self._known_plain

    def _clouded(self, sentence: str, slot: Slot, rivals: list[Any]) -> bool:
        near = [rival for rival in rivals if says(sentence, rival)]
        return len(near) > RIVALS_NEAR or any(_alternative(sentence, slot.value, r) for r in near)


def _follows(slot: Slot, seen: Seen) -> bool:
    return bool(slot.support) and all(seen.holds(value) for value in slot.support)


def _said_by(slot: Slot) -> list[Any]:
    values = slot.value if isinstance(slot.value, list) else [slot.value]
    return [*values, *slot.support]


def _numbers(text: str) -> set[float]:
    found = set()
    for match in _NUMBER.findall(text):
        for form in (match.replace(",", ""), match.replace(".", "").replace(",", ".")):
            try:
                found.add(round(float(form), 4))
            except ValueError:
                continue
    return found


def _alternative(sentence: str, value: Any, rival: Any) -> bool:
    """Whether nothing but an `or` stands between the two."""
    a, b = _place(sentence, value), _place(sentence, rival)
    if a is None or b is None:
        return False
    first, second = sorted((a, b))
    between = sentence[first[1] : second[0]]
    return len(between) < 20 and bool(_OR.match(re.sub(r"[€$£]|\b[A-Za-z]{3}\b(?<!and)", "", between)))


def _place(sentence: str, value: Any) -> tuple[int, int] | None:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    start = sentence.casefold().find(text.casefold())
    return None if start < 0 else (start, start + len(text))
