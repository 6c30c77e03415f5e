"""Answers that give an asked value under another one's name: "a low of 24 and a high of 18".

Takes an answer with the places of the asked values and what each is called; returns why it is no
answer, or None. A value is called by the words of its field and, where two values come from two
records, by the texts of its record: "labneh" of 21 days, "skyr" of 35. Only words that one of two
values has and the other has not are looked at, and only where each of them belongs to the other's
value and nowhere to its own; of values in one unit it is enough that one of them is the subject of
the other's value ("turnout was 46 %").

A word belongs to a value in the same row or column of a table; to the value right in front of it
("7 sailors"), else the first behind it; in "Brann beat Lyngby 3-2" names and values are paired in
order.
"""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from agentdyno.matching.values import Found, Slot, Stated, Unit, words_of_field
from agentdyno.metrics.failures.slots import wanted_fields, wanted_values
from agentdyno.records.failures import ToolTask

NEAR = 40
"""Characters between a word and its value."""
STEM = 6
"""Letters of a word that are looked for."""
_PAIRED = re.compile(r"\s?[-–:]\s?|,?\s(?:and|to)\s")
_TURNED = re.compile(r"\b(?:lost|loses|losing|beaten|defeated by|fell|went down)\b", re.IGNORECASE)
"""Verbs behind which the first value is the other side's."""
_FRONT = re.compile(
    r"(?:\s?/\s?\w{1,6})?\**(?:\s(?:is|as|was|(?!and)[a-z]{3,8}s))?(?:\s(?:the|an?|our))?"
    r"[ \u00a0-]\**",
    re.IGNORECASE,
)
"""7 sailors, Obi is the chair, Larsen as deputy, Pike plays Hedda."""
_AHEAD = re.compile(
    r"[\w\s%°/*()]{0,24}\s(?:in|at|for|of|from|by|on|as)\s(?:the\s)?\**", re.IGNORECASE
)
"""8,400 units in Lille."""
_FIRST = r"(?:\A|[.;:,\n]\s|\band\s)(?:the\s)?"
_IS = r"(?:\s(?:is|was|of|at|stands at|stood at|came to)|:)\s\W{0,3}"
_MEASURES = {"length": "long", "depth": "deep", "width": "wide", "height": "high", "age": "old",
             "weight": "heavy", "breadth": "broad", "thickness": "thick"}  # fmt: skip
"""Adjectives that share no letters with what they measure."""
_WORD = re.compile(r"[^\W_]{2,}|\b\d\b")


class Called(NamedTuple):
    """An asked value with its places and its words."""

    name: str
    words: frozenset[str]
    places: Sequence[Found]


def why_swapped(
    task: ToolTask, text: str, found: Sequence[Sequence[Found]], stated: Stated
) -> str | None:
    """Why the values stand under each other's names; None when they do not."""
    fields, slots = wanted_fields(task), wanted_values(task)
    for one, other in combinations(range(len(found)), 2):
        first, second = _apart(task, fields, found, one, other)
        if first.words and second.words and _crossed(text, first, second):
            return f"gives the value of {second.name} as {first.name}"
        for n, m in ((one, other), (other, one)):
            if _has_unit_of(slots[m], slots[n], found[m], found[n], stated):
                return f"gives the unit of {fields[n]} to {fields[m]}"
        if fields[one] == fields[other] or not _alike(slots[one], slots[other]):
            continue
        for mine, theirs in ((first, second), (second, first)):
            if _usurped(text, mine, theirs):
                return f"gives the value of {theirs.name} as {mine.name}"
    return None


def _has_unit_of(
    bare: Slot, measured: Slot, mine: Sequence[Found], theirs: Sequence[Found], stated: Stated
) -> bool:
    """Whether a value that has no unit stands everywhere in the other's, which has none itself:
    "141.8 m for 137.5 points"."""
    kind = measured.unit.dimension if isinstance(measured.unit, Unit) else None
    if bare.kind != "number" or bare.unit is not None or kind is None or not mine or not theirs:
        return False
    at = {q.start for q in stated.quantities if q.unit and q.unit.dimension == kind}
    return all(p.start in at for p in mine) and not any(p.start in at for p in theirs)


def _alike(one: Slot, other: Slot) -> bool:
    """Whether one value could stand for the other."""
    same = one.unit is None or other.unit is None or one.unit == other.unit
    return one.kind == other.kind == "number" and same


def _usurped(text: str, mine: Called, theirs: Called) -> bool:
    """Whether a word of one value is the subject of the other, and nowhere its own value's."""
    subjects = "|".join(map(re.escape, sorted(mine.words)))
    said = re.compile(rf"{_FIRST}(?:{subjects})\w*{_IS}\Z", re.IGNORECASE)
    places = [*mine.places, *theirs.places]
    return (
        bool(mine.words)
        and any(said.search(text[max(0, p.start - NEAR) : p.start]) for p in theirs.places)
        and not _named(text, mine.words, mine.places, places)
    )


def _apart(
    task: ToolTask,
    fields: Sequence[str | None],
    found: Sequence[Sequence[Found]],
    one: int,
    other: int,
) -> tuple[Called, Called]:
    """Two values with the words that tell them apart."""
    words = [_stems(words_of_field(fields[n] or "")) for n in (one, other)]
    if fields[one] == fields[other]:
        words = [_record_words(task, task.must_contain[n]) for n in (one, other)]
    names = [fields[n] or task.must_contain[n] for n in (one, other)]
    return (
        Called(names[0], frozenset(words[0] - words[1]), found[one]),
        Called(names[1], frozenset(words[1] - words[0]), found[other]),
    )


def _stems(words: str) -> set[str]:
    """The beginnings of words, which all their forms share: director, directs."""
    split = words.split()
    return {word[:STEM] for word in split} | {_MEASURES[w] for w in split if w in _MEASURES}


def _record_words(task: ToolTask, value: str) -> set[str]:
    """The words of the record that holds the value; none where several hold it."""
    records = [
        record
        for step in task.script
        for record in _records({"arguments": step.arguments, "returned": step.returns})
        if any(str(leaf) == value for leaf in record.values())
    ]
    if len(records) != 1:
        return set()
    texts = " ".join(leaf for leaf in records[0].values() if isinstance(leaf, str))
    return {word.lower() for word in _WORD.findall(texts)}


def _records(value: Any) -> list[dict[str, Any]]:
    """Every object of a return, at any depth."""
    if isinstance(value, list):
        return [record for item in value for record in _records(item)]
    if not isinstance(value, dict):
        return []
    inner = [record for item in value.values() for record in _records(item)]
    return [{k: v for k, v in value.items() if not isinstance(v, dict | list)}, *inner]


def _crossed(text: str, one: Called, other: Called) -> bool:
    places = [*one.places, *other.places]
    if (paired := _paired(text, one, other)) is not None:
        return paired
    return (
        _named(text, one.words, other.places, places)
        and _named(text, other.words, one.places, places)
        and not _named(text, one.words, one.places, places)
        and not _named(text, other.words, other.places, places)
    )


def _paired(text: str, one: Called, other: Called) -> bool | None:
    """Whether names and values that stand side by side are in opposite orders; None when apart."""
    for mine in one.places:
        for theirs in other.places:
            first, second = sorted((mine, theirs))
            if not _PAIRED.fullmatch(text, first.end, second.start):
                continue
            start = max(text.rfind(mark, 0, first.start) for mark in ("\n", ". ", "; ")) + 1
            ends = [at for mark in ("\n", ". ", ";") if (at := text.find(mark, second.end)) >= 0]
            around = text[start : min(ends, default=len(text))]
            spots = [_spots(around, called.words) for called in (one, other)]
            if len(spots[0]) != 1 or len(spots[1]) != 1 or _TURNED.search(around):
                continue
            return (spots[0] < spots[1]) != (mine < theirs)
    return None


def _begins(word: str) -> str:
    """A word's beginning; a figure that is part of a name stands alone: Hearth 5."""
    if word.isdigit():
        return rf"(?<![\d.,$€£])\b{word}\b(?![.,]?\d)"
    return rf"\b{re.escape(word)}"


def _spots(text: str, words: frozenset[str]) -> list[int]:
    return [
        spot.start() for word in words for spot in re.finditer(_begins(word), text, re.IGNORECASE)
    ]


def _named(
    text: str, words: frozenset[str], wanted: Sequence[Found], every: Sequence[Found]
) -> bool:
    """Whether one of the words belongs to one of the wanted values."""
    if any(_row_or_column(text, place, words) for place in wanted):
        return True
    for word in words:
        for spot in re.finditer(_begins(word), text, re.IGNORECASE):
            owner = _owner(text, spot, every)
            if owner is not None and owner in wanted:
                return True
    return False


def _owner(text: str, spot: re.Match[str], every: Sequence[Found]) -> Found | None:
    """The value right in front of a word ("7 sailors"), else the first behind it in its line."""
    for place in every:
        if _FRONT.fullmatch(text, place.end, spot.start()):
            return place
    if _line(text, spot.start()).count("|") > 1:
        return None  # A table's words belong to rows and columns.
    behind = [place for place in every if spot.end() <= place.start <= spot.end() + NEAR]
    if behind:
        return min(behind, key=lambda place: place.start)
    ahead = [p for p in every if _AHEAD.fullmatch(text, p.end, spot.start())]
    return max(ahead, key=lambda place: place.start, default=None)


def _row_or_column(text: str, place: Found, words: frozenset[str]) -> bool:
    """Whether the first cell of the value's row or the head of its column has such a word."""
    line = _line(text, place.start)
    if line.count("|") < 2:
        return False
    start = text.rfind("\n", 0, place.start) + 1
    column = text.count("|", start, place.start) - line.lstrip().startswith("|")
    cells = _cells(line)
    head = _head(text, start)
    names = [cells[0] if column else "", head[column] if column < len(head) else ""]
    said = {word.lower() for name in names for word in _WORD.findall(name)}
    return any(each.startswith(word) for word in words for each in said)


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)]


def _head(text: str, start: int) -> list[str]:
    """The cells of the first line of the table that a line belongs to."""
    head = ""
    while start > 0 and "|" in (above := _line(text, start - 1)):
        head, start = above, start - 1 - len(above)
    return _cells(head)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
