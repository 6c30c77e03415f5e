"""What an answer has to contain, as values: a task's strings in, things that can be looked for out.

`211.4` is a number, `500 mg` a number with a unit, `2004-09-03` a date, `4.6.31` a code and `minor`
a word. Where the field is known its unit is too, so 5.25 of `dividend_yield_pct` is found in
`0.0525` and in `525 basis points`, and 37.5 of `starting_dose_mg` is not found in `37.5 g`.
"""

import re
from datetime import date
from typing import Any, NamedTuple

from agentdyno.metrics.failures.quantities import Quantity, Stated, read_values, same_number
from agentdyno.metrics.failures.units import Unit, unit_of_field
from agentdyno.records.failures import ToolTask

LOOSE = ("percent", "money")
"""Dimensions that may be added to a number whose unit is not known."""


class Wanted(NamedTuple):
    """One thing to look for."""

    text: str
    """As the task writes it."""
    number: float | None
    unit: Unit | None
    day: date | None
    code: str | None


class Place(NamedTuple):
    """Where something was found."""

    start: int
    end: int


def wanted_values(task: ToolTask) -> list[Wanted]:
    """What the task asks for, in its order."""
    fields: tuple[str | None, ...] = task.fields or tuple(
        _field_of(task.returned, text) for text in task.must_contain
    )
    return [
        as_wanted(text, field, task.kind == "required")
        for text, field in zip(task.must_contain, fields, strict=True)
    ]


def as_wanted(text: str, field: str | None = None, valued: bool = True) -> Wanted:
    """A string as a value; words of an explanation (not `valued`) stay words."""
    stated = read_values(text.strip()) if valued else Stated([], [], [], [])
    covers = len(text.strip())
    if stated.dates and _covers(stated.dates[0], covers):
        return Wanted(text, None, None, stated.dates[0].days[0], None)
    if stated.codes and _covers(stated.codes[0], covers):
        return Wanted(text, None, None, None, bare_code(text))
    if stated.quantities and _covers(stated.quantities[0], covers):
        found = stated.quantities[0]
        unit = found.unit or (unit_of_field(field) if field else None)
        return Wanted(text, found.value, unit, None, None)
    return Wanted(text, None, None, None, None)


def _covers(span: Any, length: int) -> bool:
    return bool(span.start == 0 and span.end == length)


def _field_of(returned: Any, text: str, name: str | None = None) -> str | None:
    """The field of a return whose value is spelt like this."""
    if isinstance(returned, dict):
        items = [(str(key), value) for key, value in returned.items()]
    elif isinstance(returned, list):
        items = [(name or "", value) for value in returned]
    else:
        return name if str(returned) == text else None
    for key, value in items:
        if found := _field_of(value, text, key):
            return found
    return None


def find(wanted: Wanted, text: str, stated: Stated) -> Place | None:
    """Where the answer states it; None when it does not."""
    if wanted.day is not None:
        days = (d for d in stated.dates if wanted.day in d.days)
        return next((Place(d.start, d.end) for d in days), None)
    if wanted.code is not None:
        codes = (c for c in stated.codes if bare_code(c.text) == wanted.code)
        return next((Place(c.start, c.end) for c in codes), None)
    if wanted.number is not None:
        found = (q for q in stated.quantities if matches(q, wanted.number, wanted.unit))
        return next((Place(q.start, q.end) for q in found), None)
    return _find_word(wanted.text, text)


def bare_code(text: str) -> str:
    """A code as it is compared: v4.6.31 is 4.6.31."""
    return text.strip().lower().removeprefix("v") if text[1:2].isdigit() else text.strip().lower()


def matches(stated: Quantity, number: float, unit: Unit | None) -> bool:
    """Whether a stated quantity is that number in that unit."""
    if stated.unit is None:
        if same_number(stated, number):
            return True
        # A share may be written as a fraction, and a number of millions in full.
        if unit and unit.dimension == "percent" and abs(stated.value) <= 1.5:
            return same_number(stated, number * unit.factor / 100)
        return bool(unit and unit.factor > 1 and same_number(stated, number * unit.factor))
    if unit is None:
        return stated.unit.dimension in LOOSE and same_number(stated, number)
    if stated.unit.dimension != unit.dimension:
        return False
    if unit.dimension == "money" and unit.factor > 1 and same_number(stated, number):
        return True  # "$5,200" for a field that counts millions, beside a heading that says so.
    return same_number(stated, number * unit.factor / stated.unit.factor)


_NOT = re.compile(
    r"\b(?:not|isn't|is not|never|no longer|rather than|instead of)\s+(?:a\s+|an\s+)?$",
    re.IGNORECASE,
)


def _find_word(word: str, text: str) -> Place | None:
    pattern = re.compile("|".join(map(_loose, word.split("|"))), re.IGNORECASE)
    for found in pattern.finditer(text):
        if not _NOT.search(text[max(0, found.start() - 20) : found.start()]):
            return Place(found.start(), found.end())
    return None


def _loose(word: str) -> str:
    """The word at the start of a word; hyphens, underscores and blanks are alike."""
    parts = [re.escape(part) for part in re.split(r"[\s_-]+", word.strip()) if part]
    return r"(?<![A-Za-z0-9])" + r"[\s_-]*".join(parts)
