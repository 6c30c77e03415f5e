"""What a text may draw on: returns and texts in, their numbers, days, times and codes out."""

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from agentdyno.matching.legacy_values.codes import bare_code
from agentdyno.matching.legacy_values.dates import ISO_MONTH
from agentdyno.matching.legacy_values.deriving import Known
from agentdyno.matching.legacy_values.field_units import holds_code
from agentdyno.matching.legacy_values.reading import Stated, leaves, read_values
from agentdyno.matching.legacy_values.units import Unit
from agentdyno.matching.legacy_values.units import unit as unit_called

_LASTING = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
"""What may be a time of day, or how long something takes."""
_MINUTES = Unit("time", 1.0)
_RANGE = re.compile(r"\d+[-–]\d+")
_DECIMAL = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_PARTED = re.compile(r"\d{1,15}(?:[. ]\d{1,15}){1,5}")
"""6204.62, which people write 6204 62 where it is a code."""
_FIGURE = re.compile(r"\d")
_DISTANCES = (
    (re.compile(r"\bhalf[ -]?marathon", re.IGNORECASE), 21.0975),
    (re.compile(r"(?<!half)(?<!half[ -])\bmarathon", re.IGNORECASE), 42.195),
    (re.compile(r"\b5 ?k\b", re.IGNORECASE), 5.0),
    (re.compile(r"\b10 ?k\b", re.IGNORECASE), 10.0),
)
"""Distances that have a name, in kilometres."""
_KILOMETRE = unit_called("km")
_NOTHING = Stated([], [], [], [], [])


class Sources(NamedTuple):
    """All that a text may state."""

    numbers: list[Known]
    days: set[date]
    month_days: set[tuple[int, int]]
    months: set[tuple[int, int]]
    codes: set[str]
    clocks: set[int]


def sources(returns: Iterable[Any], texts: Iterable[str]) -> Sources:
    """What returns (decoded) and texts hold."""
    made = Sources([], set(), set(), set(), set(), set())
    for returned in returns:
        for leaf in leaves(returned):
            _take(made, leaf.value, leaf.unit, leaf.name)
    for text in texts:
        _take(made, text, None, "")
        named = (way for name, way in _DISTANCES if name.search(text))
        made.numbers.extend(Known(way, _KILOMETRE) for way in named)
    return made


@lru_cache(maxsize=4096)
def _read(text: str) -> Stated:
    """A source's text; field names and states come again and again, and most hold no value."""
    stated = read_values(text)
    return stated if any(stated) or _FIGURE.search(text) else _NOTHING


def _take(made: Sources, leaf: Any, unit: Unit | None, field: str) -> None:
    if isinstance(leaf, bool):
        return
    if isinstance(leaf, int | float):
        made.numbers.append(Known(float(leaf), unit, field))
        return
    stated = _read(str(leaf))
    if stated is _NOTHING:
        return
    for q in stated.quantities:
        for value in (q.value, *q.others):
            made.numbers.append(Known(value, q.unit or unit, field))
    for day in stated.dates:
        made.days.update(day.days)
        made.month_days.update((d.month, d.day) for d in day.days)
        if day.month_day is not None:
            made.month_days.add(day.month_day)
    made.months.update((m.year, m.month) for m in stated.months)
    made.codes.update(bare_code(code.text) for code in stated.codes)
    made.clocks.update(minute for clock in stated.clocks for minute in clock.minutes)
    if month := ISO_MONTH.fullmatch(str(leaf).strip()):
        made.months.add((int(month[1]), int(month[2])))
    if lasting := _LASTING.fullmatch(str(leaf).strip()):
        first, second, third = int(lasting[1]), int(lasting[2]), int(lasting[3] or 0)
        made.numbers.append(Known(first * 60 + second + third / 60, _MINUTES, field))
        made.numbers.append(Known(first + second / 60, _MINUTES, field))
    if holds_code(field) and _PARTED.fullmatch(str(leaf).strip()):
        made.numbers.extend(Known(float(n), None) for n in re.findall(r"\d{1,15}", str(leaf)))
    for code in stated.codes:
        if code.kind == "version":
            # The parts of 7.14.3 are no figures, but 7 and 7.14 are versions.
            parts = bare_code(code.text).split(".")
            heads = [parts[0], ".".join(parts[:2])]
            made.numbers.extend(Known(float(h), None) for h in heads if _DECIMAL.fullmatch(h))
            continue
        ends = (unit, field) if unit and _RANGE.fullmatch(code.text) else (None, "")
        made.numbers.extend(Known(float(n), *ends) for n in re.findall(r"\d{1,15}", code.text))
