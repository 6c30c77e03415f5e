"""Answers that give an asked value under another one's name: "a low of 24 and a high of 18".

Takes an answer with the places of the asked values and what each is called; returns why it is no
answer, or None. A value is called by the words of its field and, where two values come from two
records, by the texts of its record: "labneh" of 21 days, "skyr" of 35. Only words that one of two
values has and the other has not are looked at.

In a sentence, names and values are paired off in the order in which they stand: two by two where
each two are a name and a value ("Lund 3, Ystad 2", "3 in Lund, 2 in Ystad"), else first with first
("Brann beat Lyngby 3-2"). In a table a value has the names of its row and its column. Values are
swapped where some pair is crossed and none is straight. A name without its fellow counts where it
clings to a value and the two could stand for each other ("turnout was 46 %", "7 sailors").
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from agentdyno.matching.legacy_values import (
    Found,
    Slot,
    Stated,
    Unit,
    one_kind,
    words_of_field,
)
from agentdyno.metrics.failures.contraries import is_contrary, is_each_for_all, is_rest_told
from agentdyno.metrics.failures.slots import is_spelled, wanted_fields, wanted_values
from agentdyno.records.failures import ToolTask

LONGEST_OVER = 8
"""Characters between two values of which one is said over the other."""
STEM = 6
"""Letters of a word that are looked for."""
_TURNED = re.compile(r"\b(?:lost|loses|losing|beaten|defeated by|fell|went down)\b", re.IGNORECASE)
"""Verbs behind which the first value is the other side's."""
SENTENCE = re.compile(r"[;!?\n]|\.(?=\s|\Z)")
_CLINGS_BEFORE = re.compile(
    r"(?:(?<=\w{6})\w*|(?:s|ed|ing)?)\**"
    r"(?::|\s(?:is|was|of|are|were|at|stands at|stood at|came to))?"
    r"\s[^\w(\[]{0,3}",
    re.IGNORECASE,
)
"""Turnout was 46 %; of a word that was not cut off, other forms are other words."""
_CLINGS_BEHIND = re.compile(r"\**[ \u00a0-](?:(?:is|are|was|were) )?\**")
"""7 sailors."""
_CONCLUDES = re.compile(
    r"\W{0,3}\s?(?:and )?(?:so|hence|thus|therefore|making|which makes|meaning|which means)\b",
    re.IGNORECASE,
)
_OF_WHICH = re.compile(r"(?: \w+){0,2},? of (?:which|them|these|those),? (?:\w+ )?", re.IGNORECASE)
_OF = re.compile(r"\s(?:out )?of (?:the|your|our|their|its|an?)?\s?(?:\w+ )?")
_MEASURES = {"length": ("long",), "depth": ("deep",), "width": ("wide",), "height": ("high",),
             "age": ("old",), "weight": ("heavy",), "breadth": ("broad",), "thickness": ("thick",),
             "min": ("low",), "minimum": ("low",), "max": ("high", "peak"),
             "maximum": ("high", "peak"), "remaining": ("left",), "left": ("remain",),
             "spent": ("used",), "used": ("spent",), "awarded": ("got",),
             "departs": ("leav",), "departure": ("leav", "departs"),
             "arrives": ("gets in", "lands"),
             "arrival": ("arriv", "gets in"), "starts": ("begin",), "ends": ("finish",),
             "closes": ("shut",), "sunrise": ("rises", "comes up"), "sunset": ("sets", "goes down"),
             "limit": ("allow", "permit", "maximum"), "loaded": ("on it", "aboard")}  # fmt: skip
"""Words that share no letters with what they measure."""
_ENDING = re.compile(r"(?:ed|ing)\Z")
"""Of a long word, so that cleared is clear."""
_WORD = re.compile(r"[^\W_]{2,}|\b\d\b")
Event = tuple[int, int, bool, int]
"""Where a name (true) or a value (false) starts and ends, and which of the two it belongs to."""


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
    for field, slot, places in zip(fields, slots, found, strict=True):
        if places and all(is_contrary(text, field or "", place) for place in places):
            return f"gives what is not {field}"
        if is_rest_told(text, field or "", slot, places, stated):
            return f"gives the rest as {field}"
        if places and all(is_each_for_all(task, text, place) for place in places):
            return f"gives {field} of all as that of each"
    for one, other in combinations(range(len(found)), 2):
        if set(found[one]) & set(found[other]):
            continue  # What is equal cannot be swapped.
        if "truth" in (slots[one].kind, slots[other].kind):
            continue  # A yes stands for no other value.
        both = _apart(task, fields, found, one, other)
        alike = fields[one] != fields[other] and _alike(slots[one], slots[other])
        if alike and _is_upside_down(text, found[one], found[other]):
            return f"gives {fields[other]} over {fields[one]}"
        if alike and _is_more_than_all(text, slots, found, one, other):
            return f"gives {fields[other]} over {fields[one]}"
        if _of_one_kind(slots, found, stated, one, other) and crossed(text, both, alike):
            return f"gives the value of {both[1].name} as {both[0].name}"
        for n, m in ((one, other), (other, one)):
            if _has_unit_of(slots[m], slots[n], found[m], found[n], stated):
                return f"gives the unit of {fields[n]} to {fields[m]}"
    return None


def _is_upside_down(text: str, upper: Sequence[Found], lower: Sequence[Found]) -> bool:
    """82 over 128, where 128 and 82 were asked for."""
    return any(
        text[second.end : first.start].strip().lower() == "over"
        for first in upper
        for second in lower
        if 0 < first.start - second.end < LONGEST_OVER
    )


def _is_more_than_all(
    text: str, slots: Sequence[Slot], found: Sequence[Sequence[Found]], one: int, other: int
) -> bool:
    """48 of 33, where 33 of 48 are meant; 33, of which 48 are something."""
    more, less = (one, other) if slots[one].value > slots[other].value else (other, one)
    if any(
        _OF_WHICH.fullmatch(text, first.end, second.start)
        for first in found[less]
        for second in found[more]
        if first.end <= second.start
    ):
        return True
    return any(
        text[first.end : second.start].strip().lower() in ("of", "out of")
        for first in found[more]
        for second in found[less]
        if 0 < second.start - first.end < LONGEST_OVER + 2
    )


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


_KINDS = {"entity": "word", "moment": "date", "month": "date"}
"""Kinds that may stand for each other."""


def _of_one_kind(
    slots: Sequence[Slot], found: Sequence[Sequence[Found]], stated: Stated, one: int, other: int
) -> bool:
    """Whether a reader could take one value for the other: not a sum for a day, nor 93 °C for six
    hours; a value that stands in its own unit is told by it."""
    first, second = slots[one], slots[other]
    if _KINDS.get(first.kind, first.kind) != _KINDS.get(second.kind, second.kind):
        return False
    units = [slot.unit if isinstance(slot.unit, Unit) else None for slot in (first, second)]
    if units[0] and units[1] and one_kind(units[0].dimension, units[1].dimension):
        return True
    return not any(
        unit and _stands_in(unit, found[mine], stated) and not _stands_in(unit, found[its], stated)
        for unit, mine, its in zip(units, (one, other), (other, one), strict=True)
    )


def _stands_in(unit: Unit, places: Sequence[Found], stated: Stated) -> bool:
    """Whether a value is stated in its unit at every place."""
    at = {
        q.start for q in stated.quantities if q.unit and one_kind(q.unit.dimension, unit.dimension)
    }
    return bool(places) and all(place.start in at for place in places)


def _alike(one: Slot, other: Slot) -> bool:
    """Whether one value could stand for the other."""
    same = one.unit is None or other.unit is None or one.unit == other.unit
    return one.kind == other.kind == "number" and same


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
    return _called(names, words, (found[one], found[other]))


def called_by_field(
    fields: tuple[str, str], places: tuple[Sequence[Found], Sequence[Found]]
) -> tuple[Called, Called]:
    """The same of any two fields, by their names alone."""
    return _called(fields, [_stems(words_of_field(field)) for field in fields], places)


def _called(
    names: Sequence[str], words: Sequence[set[str]], places: Sequence[Sequence[Found]]
) -> tuple[Called, Called]:
    return (
        Called(names[0], frozenset(words[0] - words[1]), places[0]),
        Called(names[1], frozenset(words[1] - words[0]), places[1]),
    )


def _stems(words: str) -> set[str]:
    """The beginnings of words, which all their forms share: director, directs."""
    split = words.split()
    more = {other for word in split for other in _MEASURES.get(word, ())}
    bare = (_ENDING.sub("", word) if len(word) > STEM else word for word in split)
    return {word[:STEM] for word in bare} | more


def _record_words(task: ToolTask, value: str) -> set[str]:
    """The words of the record that holds the value; none where several hold it."""
    records = [
        record
        for step in task.script
        for record in records_of({"arguments": step.arguments, "returned": step.returns})
        if any(is_spelled(leaf, value) for leaf in record.values())
    ]
    if len(records) != 1:
        return set()
    texts = " ".join(leaf for leaf in records[0].values() if isinstance(leaf, str))
    return {word.lower() for word in _WORD.findall(texts)}


def records_of(value: Any) -> list[dict[str, Any]]:
    """Every object of a return, at any depth."""
    if isinstance(value, list):
        return [record for item in value for record in records_of(item)]
    if not isinstance(value, dict):
        return []
    inner = [record for item in value.values() for record in records_of(item)]
    return [{k: v for k, v in value.items() if not isinstance(v, dict | list)}, *inner]


def crossed(text: str, both: tuple[Called, Called], alike: bool) -> bool:
    """Whether some name goes with the other's value, and none with its own."""
    pairs = list(_in_tables(text, both))
    named = all(called.words for called in both)
    start = 0
    for end in (*(mark.end() for mark in SENTENCE.finditer(text)), len(text)):
        events = events_of(text, both, start, end)
        if text.count("|", start, end) < 2:  # A table's words belong to rows and columns.
            pairs += _pairs(text, events, named, alike)
        start = end
    return any(name != value for name, value in pairs) and not any(n == v for n, v in pairs)


def events_of(text: str, both: Sequence[Called], start: int, end: int) -> list[Event]:
    """Names and values of a sentence in order; of one that is said twice in a row, the last end."""
    values = [
        (p.start, p.end, False, n) for n, called in enumerate(both) for p in called.places
        if start <= p.start < end
    ]  # fmt: skip
    names = [
        (spot.start(), spot.end(), True, n)
        for n, called in enumerate(both) if values
        for word in called.words
        for spot in _begins(word).finditer(text, start, end)
        if not any(first <= spot.start() < last for first, last, _, _ in values)
    ]  # fmt: skip
    merged: list[Event] = []
    for event in sorted(values + names):
        if merged and merged[-1][2:] == event[2:]:
            merged[-1] = (merged[-1][0], *event[1:])
        else:
            merged.append(event)
    return merged


def _pairs(text: str, events: list[Event], paired: bool, alike: bool) -> list[tuple[int, int]]:
    """Whose name goes with whose value."""
    events = _before_conclusion(text, events)
    kinds = [event[2] for event in events]
    twos = list(zip(events[::2], events[1::2], strict=False))
    if len(events) == 4 and kinds in ([True, True, False, False], [False, False, True, True]):
        if _TURNED.search(text, events[0][0], events[-1][1]):
            return []
        twos = [(events[0], events[2]), (events[1], events[3])]
        if kinds[2] and _CLINGS_BEHIND.fullmatch(text, events[1][1], events[2][0]):
            twos = [(events[1], events[2]), (events[0], events[3])]  # 132 of 160 rooms are sold.
    elif kinds == [False, True, False, True] and _is_of_whole(text, events):
        twos = [(events[1], events[2]), (events[0], events[3])]  # $5 of the planned $9 is left.
    elif len(events) % 2 or not paired or any(a[2] == b[2] for a, b in twos):
        twos = clinging(text, events) if alike else []
    return [(a[3], b[3]) if a[2] else (b[3], a[3]) for a, b in twos]


def _before_conclusion(text: str, events: list[Event]) -> list[Event]:
    """Without a last name that only stands in what is concluded: ", so Brewbar is cheaper"."""
    concludes = len(events) % 2 == 1 and len(events) > 2 and events[-1][2] and not events[-2][2]
    if concludes and _CONCLUDES.match(text, events[-2][1]):
        return events[:-1]
    return events


def _is_of_whole(text: str, events: list[Event]) -> bool:
    """Whether a value is said to be part of another, whose name stands right before it."""
    part = text[events[0][1] : events[1][0]]
    return (
        _OF.fullmatch(part) is not None
        and re.fullmatch(r"\w*\s\W{0,2}", text[events[1][1] : events[2][0]]) is not None
    )


def clinging(text: str, events: list[Event]) -> list[tuple[Event, Event]]:
    """Names with the value that they cling to."""
    return [
        (first, second)
        for first, second in pairwise(events)
        if first[2] != second[2]
        and (_CLINGS_BEFORE if first[2] else _CLINGS_BEHIND).fullmatch(text, first[1], second[0])
    ]


def _in_tables(text: str, both: Sequence[Called]) -> Iterator[tuple[int, int]]:
    for value, called in enumerate(both):
        for place in called.places:
            for name, other in enumerate(both):
                if _row_or_column(text, place, other.words):
                    yield name, value


@lru_cache(maxsize=4096)
def _begins(word: str) -> re.Pattern[str]:
    """A word's beginning; a figure that is part of a name stands alone: Hearth 5."""
    if word.isdigit():
        return re.compile(rf"(?<![\d.,$€£])\b{word}\b(?![.,]?\d)")
    return re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)


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
