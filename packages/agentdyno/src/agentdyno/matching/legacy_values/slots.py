"""Typed answer slots: a value that an answer has to state, and where the answer states it.

Kinds: `number` (with a unit and a tolerance where the slot has them), `date`, `month`, `time`,
`moment` (a date and a time), `entity` (a name with its aliases, or an id), `list` (every item; in
order where order counts), `word` (the beginning of a word is enough, and `|` parts words of which
any will do) and `truth` (yes or no). An answer
states a slot when one of its values is that value in any usual notation and the text does not
reject it.

Worked: Slot("time", "16:15") is stated by "at 4:15 PM" and "a quarter past four in the afternoon";
Slot("number", -3.2, unit="%") by "down 3.2 percent"; not by "up 3.2 %".
"""

import math
import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Literal, NamedTuple

from agentdyno.matching.codes import bare_code, code_kind, code_places, joined_code
from agentdyno.matching.legacy_values.comparing import matches, same_day
from agentdyno.matching.legacy_values.dates import ORDINALS
from agentdyno.matching.legacy_values.day_words import day_in_words, month_in_words
from agentdyno.matching.legacy_values.foreign_counts import count_in_words
from agentdyno.matching.legacy_values.names import every_place
from agentdyno.matching.legacy_values.numbers import DIVIDES, TIMES_UNDER
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.reading import Stated, read_values
from agentdyno.matching.legacy_values.rejecting import rejection
from agentdyno.matching.legacy_values.states import said_for
from agentdyno.matching.legacy_values.time_words import time_in_words
from agentdyno.matching.legacy_values.told_numbers import (
    SHORT,
    counts_things,
    is_rate_of_another,
    told_as_clock,
    told_as_words,
)
from agentdyno.matching.legacy_values.truths import truth_places
from agentdyno.matching.legacy_values.units import Unit, unit

SlotKind = Literal["number", "date", "month", "time", "moment", "entity", "word", "list", "truth"]
_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?"
)
"""2026-11-16T03:42:00Z; the zone is not looked at."""
_LETTERED = re.compile(r"\d{1,4}[A-Z]{1,2}|[A-Z]{1,2}\d{1,4}")
_WITHIN = r"[\s_-]{0,4}(?:(?:the|an?|your|our|its)\s)?"
"""What may stand between the words of a state: waiting on the vendor."""
SHORTEST_STEM = 5
"""Letters of a word whose last e may go: bounce, bouncing."""
_RISING = re.compile(
    r"\b(?:up|rose|ris(?:e|es|en|ing)|jump\w*|surg\w+|grew|grow\w*|gain\w*|increas\w*|climb\w*|advanc\w*|more|higher"
    r"|plus|added|expan\w*)\b|\+",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"\d:\d{2}:(\d{2})")
_WEEKDAY = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun))\b",
    re.IGNORECASE,
)
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
AROUND = 40
"""Characters behind a time in which its day may stand."""
_THAN = re.compile(
    r"\s(?:less|more|lower|higher|fewer|greater)\sthan\s[^.;!?\n\d:=]{1,60}[:=]", re.IGNORECASE
)
_TITLE = re.compile(r"(?:Dr|Prof|Mr|Mrs|Ms|Miss|Herr|Frau|Sr|Sra|Mme|M)\b\.? ")
_NOTHING = re.compile(
    r"\b(?:none|zero|nil|nothing|sold out|out of stock|not (?:even )?(?:once|a single)"
    r"|(?<!\bi\s)(?:have|has|had|did|was|were)n['’]t\s(?!clear|sure|able|possible)"
    r"(?:\w+\s){1,4}?at all|no(?=\s(?!longer|more|doubt|idea|way)\w))\b",
    re.IGNORECASE,
)
"""How people say 0."""


class Slot(NamedTuple):
    """One thing that an answer has to state."""

    kind: SlotKind
    """What sort of value it is."""
    value: Any
    """A number, an ISO date or time (`2026-05-04`, `16:15`), a text, a truth or a list of slots."""
    unit: str | Unit | None = None
    """The unit of a number, as people write it (`km`, `%`, `eur`); of a time, what it is said for
    (a pace in minutes for each `km`); None when it is not known."""
    tolerance: float | None = None
    """How far a number may be off, in its own unit; None for rounding to the figures shown."""
    aliases: tuple[str, ...] = ()
    """Other names of an entity; of a truth, the words of what it is about."""
    ordered: bool = False
    """Whether a list has to stand in this order."""
    change: bool = False
    """Whether a number says how something changed, so that "down 12" is not 12."""
    reached: bool = False
    """Whether a number says what share of a goal is reached, so that "5 % short of it" is 95 %."""


class Found(NamedTuple):
    """Where an answer states a slot."""

    start: int
    end: int
    rejected: str | None
    """The words that reject it there; None when the answer lets it stand."""


def states(answer: str, slot: Slot) -> bool:
    """Whether an answer states the slot and lets it stand."""
    return any(found.rejected is None for found in find_slot(answer, slot))


def find_slot(answer: str, slot: Slot, stated: Stated | None = None) -> list[Found]:
    """Every place where the answer states the slot, rejected ones included."""
    if slot.kind == "list":
        return _list_places(answer, slot, read_values(answer) if stated is None else stated)
    if slot.kind == "truth":
        about = " ".join(slot.aliases)
        return [Found(a, b, None) for a, b in truth_places(answer, bool(slot.value), about)]
    known = read_values(answer) if stated is None else stated
    places = list(dict.fromkeys(_places(answer, slot, known)))
    every = _value_places(known)
    return [
        Found(a, b, rejection(answer, a, b, [p for p in every if p != (a, b)])) for a, b in places
    ]


def slot_for(value: Any, unit_word: str | Unit | None = None) -> Slot:
    """The slot of a plain value: numbers, truths, ISO dates and times, lists, else an entity."""
    if isinstance(value, bool):
        return Slot("truth", value)
    if isinstance(value, int | float):
        return Slot("number", float(value), unit_word)
    if isinstance(value, list | tuple):
        return Slot("list", [slot_for(item, unit_word) for item in value])
    text = str(value).strip()
    if _MOMENT.fullmatch(text):
        return Slot("moment", text)
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return Slot("date", text)
    if re.fullmatch(r"\d{1,2}:\d{2}(?::\d{2})?", text):
        return Slot("time", text, unit_word)
    return Slot("entity", text)


def _places(answer: str, slot: Slot, stated: Stated) -> Iterator[tuple[int, int]]:
    if slot.kind == "number":
        yield from _number_places(answer, slot, stated)
    elif slot.kind == "date":
        yield from _date_places(answer, str(slot.value), stated)
    elif slot.kind == "month":
        year, month = map(int, str(slot.value).split("-"))
        yield from month_in_words(answer, year, month, stated.dates, stated.months)
    elif slot.kind == "time":
        yield from _paced(answer, slot, stated)
    elif slot.kind == "moment":
        yield from _moment_places(answer, str(slot.value), stated)
    elif slot.kind == "word":
        for word in str(slot.value).split("|"):
            stem = word[:-1] if len(word) > SHORTEST_STEM and word[-1] == "e" else word
            places = list(every_place(answer, stem, prefix=True, between=_WITHIN))
            places = places or _turned_name(answer, word) or _said_for(answer, word)
            yield from places or _spelled_out(answer, word, stated)
    else:
        for name in (str(slot.value), *slot.aliases):
            yield from _entity_places(answer, name, stated)


def _is_step(quantity: Quantity, answer: str, stated: Stated) -> bool:
    """Whether it only says how far another value is off: "5 % less than it was: 20 %"."""
    compared = _THAN.match(answer, quantity.end)
    if compared is None:
        return False
    return any(
        other.start >= compared.end() and not answer[compared.end() : other.start].strip()
        for other in stated.quantities
    )


def _number_places(answer: str, slot: Slot, stated: Stated) -> Iterator[tuple[int, int]]:
    found_unit = unit(slot.unit) if isinstance(slot.unit, str) else slot.unit
    if not slot.value:
        yield from (found.span() for found in _NOTHING.finditer(answer))
    if found_unit is None and (ordinal := ORDINALS.get(float(slot.value))):
        yield from every_place(answer, ordinal)
    if found_unit is None:
        yield from told_as_words(answer, slot.value)
    yield from count_in_words(answer, slot.value)
    if found_unit and found_unit.dimension == "time":
        yield from told_as_clock(answer, float(slot.value) * found_unit.factor, stated.clocks)
    for quantity in stated.quantities:
        if found_unit and is_rate_of_another(answer, quantity, found_unit):
            continue
        if found_unit and counts_things(answer, quantity, found_unit):
            continue
        if slot.reached and SHORT.match(answer, quantity.end):
            # What is missing says the same, and is no share of what is reached.
            whole = 100.0 if found_unit and found_unit.factor == 1.0 else 1.0
            if matches(quantity, whole - float(slot.value), found_unit):
                yield quantity.start, quantity.end
            continue
        if slot.change and slot.value > 0 and quantity.falling and quantity.value > 0:
            continue
        if slot.change and slot.value < 0 < quantity.value and not quantity.falling:
            # Any verb may say that something became less; what says more is against it.
            after = re.split(r"[,;.]", answer[quantity.end : quantity.end + 16], maxsplit=1)[0]
            around = answer[max(0, quantity.start - 30) : quantity.end] + after
            if not _RISING.search(around) and matches(quantity, -float(slot.value), found_unit):
                yield quantity.start, quantity.end
        if found_unit is None and (times := TIMES_UNDER.match(answer, quantity.end)):
            rated = quantity._replace(value=quantity.value / int(times["count"]), others=())
            if matches(rated, float(slot.value), None):
                yield quantity.start, times.end()
        if _is_number(quantity, float(slot.value), found_unit, slot.tolerance):
            if _is_step(quantity, answer, stated):
                continue
            divides = DIVIDES.match(answer, quantity.end) if quantity.under else None
            yield quantity.start, divides.end() if divides else quantity.end


def _is_number(
    stated: Quantity, number: float, wanted: Unit | None, tolerance: float | None
) -> bool:
    if matches(stated, number, wanted):
        return True
    if tolerance is None:
        return False
    readings = [stated.value, -stated.value] if stated.falling else [stated.value]
    if stated.unit and wanted and stated.unit.dimension == wanted.dimension:
        readings = [
            (r * stated.unit.factor + stated.unit.offset - wanted.offset) / wanted.factor
            for r in readings
        ]
    elif stated.unit and wanted:
        return False
    return any(abs(r - number) <= tolerance or math.isclose(r, number) for r in readings)


def _date_places(answer: str, value: str, stated: Stated) -> Iterator[tuple[int, int]]:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return
    named = [(d.start, d.end) for d in stated.dates if same_day(d, day)]
    yield from named or day_in_words(answer, day, stated.dates)


def _time_places(answer: str, value: str, stated: Stated) -> Iterator[tuple[int, int]]:
    """A time of day; or, in hours and minutes or minutes and seconds, how long something takes."""
    parts = [int(part) for part in value.split(":")]
    minutes = (parts[0] * 60 + parts[1]) % 1440
    seconds = parts[2] if len(parts) > 2 else None
    for clock in stated.clocks:
        shown = _SECONDS.search(answer[clock.start : clock.end])
        if minutes in clock.minutes and (
            seconds is None or shown is None or int(shown[1]) == seconds
        ):
            yield clock.start, clock.end
    if len(parts) == 2:
        yield from time_in_words(answer, minutes)
    long = [parts[0] * 60 + parts[1] + (seconds or 0) / 60]
    long += [parts[0] + parts[1] / 60] if seconds is None else []
    lasting = [q for q in stated.quantities if q.unit and q.unit.dimension == "time"]
    for quantity in lasting:
        if any(matches(quantity, length, Unit("time", 1.0)) for length in long):
            yield quantity.start, quantity.end
    if parts[0] > 24:
        yield from every_place(answer, value)


def _paced(answer: str, slot: Slot, stated: Stated) -> Iterator[tuple[int, int]]:
    """A time; where it is said for a unit, in that unit: 4:14 a km is 6:49 a mile, not 4:14."""
    for start, end in _time_places(answer, str(slot.value), stated):
        if _times_longer(answer, end, slot) is None:
            yield start, end
    for clock in stated.clocks if slot.unit else ():
        if times := _times_longer(answer, clock.end, slot):
            minutes, seconds = map(int, str(slot.value).split(":")[:2])
            # Read as hours and minutes, whatever it is.
            if abs(clock.minutes[0] - (minutes * 60 + seconds) * times) <= 1:
                yield clock.start, clock.end


def _times_longer(answer: str, end: int, slot: Slot) -> float | None:
    """How much more the unit is that a time is said for; None for the slot's own, or none."""
    wanted = unit(slot.unit) if isinstance(slot.unit, str) else slot.unit
    divides = DIVIDES.match(answer, end)
    written = unit(divides["unit"]) if divides else None
    if wanted is None or written is None or written == wanted:
        return None
    return written.factor / wanted.factor if written.dimension == wanted.dimension else None


def _moment_places(answer: str, value: str, stated: Stated) -> Iterator[tuple[int, int]]:
    """The time, with its day anywhere in the answer or, where no day is named, alone."""
    found = _MOMENT.fullmatch(value)
    if found is None:
        return
    days = list(_date_places(answer, found[1], stated))
    for start, end in _time_places(answer, found[2], stated) if days or not stated.dates else ():
        if days or not _is_another_day(answer, start, date.fromisoformat(found[1])):
            yield start, end


def _is_another_day(answer: str, at: int, day: date) -> bool:
    """Whether the time's sentence has days of the week, and not this one's: Friday at 9:20."""
    start = max(answer.rfind(mark, 0, at) for mark in ("\n", ". ", "; ", "! ", "? ")) + 1
    said = {name.lower()[:3] for name in _WEEKDAY.findall(answer, start, at + AROUND)}
    return bool(said) and _WEEK[day.weekday()] not in said


def _entity_places(answer: str, name: str, stated: Stated) -> Iterator[tuple[int, int]]:
    if code_kind(name) is not None:
        wanted = bare_code(name)
        joined = joined_code(name)
        yield from (
            (c.start, c.end)
            for c in stated.codes
            if bare_code(c.text) == wanted or (c.kind == "id" and joined_code(c.text) == joined)
        )
        yield from code_places(answer, name)
    yield from every_place(answer, name)
    if _LETTERED.fullmatch(name):
        yield from every_place(answer, re.sub(r"(?<=\d)(?=[A-Z])|(?<=[A-Z])(?=\d)", "-", name))
    yield from _turned_name(answer, name)


def _turned_name(answer: str, name: str) -> list[tuple[int, int]]:
    """A name of two words the other way round, or its initial or title: "Shah, Priyank", "P. Shah",
    "Dr Shah"."""
    words = _TITLE.sub("", name).split()
    if len(words) != 2 or not all(word[0].isupper() and word.isalpha() for word in words):
        return []
    titled = re.compile(rf"\b{_TITLE.pattern}{re.escape(words[1])}\b")
    return [
        *(found.span() for found in titled.finditer(answer)),
        *every_place(answer, f"{words[0][0]} {words[1]}", between=r"\.\s?"),
        *every_place(answer, f"{words[1]} {words[0]}", between=r"[\s,(]{1,3}"),
    ]


def _said_for(answer: str, state: str) -> list[tuple[int, int]]:
    """A state in other words: going down for falling."""
    said = said_for(state)
    return [found.span() for found in said.finditer(answer)] if said else []


def _spelled_out(answer: str, figure: str, stated: Stated) -> list[tuple[int, int]]:
    """A figure in words: one hundred and fifty for 150."""
    if not figure.isdecimal():
        return []
    return [
        (q.start, q.end)
        for q in stated.quantities
        if q.value == float(figure) and answer[q.start].isalpha()
    ]


def _list_places(answer: str, slot: Slot, stated: Stated) -> list[Found]:
    """The span from the first item to the last, when every item is stated."""
    items = [item if isinstance(item, Slot) else slot_for(item, slot.unit) for item in slot.value]
    places = [[f for f in find_slot(answer, i, stated) if f.rejected is None] for i in items]
    if not places or not all(places):
        return []
    firsts = [found[0] for found in places]
    if slot.ordered:
        at = -1
        for found in places:
            later = [f.start for f in found if f.start > at]
            if not later:
                return []
            at = min(later)
    return [Found(min(f.start for f in firsts), max(f.end for f in firsts), None)]


def _value_places(stated: Stated) -> list[tuple[int, int]]:
    places = [(d.start, d.end) for d in stated.dates]
    places += [(c.start, c.end) for c in stated.codes]
    places += [(c.start, c.end) for c in stated.clocks]
    return places + [(q.start, q.end) for q in stated.quantities if q.plain]
