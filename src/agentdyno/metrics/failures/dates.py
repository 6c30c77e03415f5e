"""Dates in text, in the notations people use: a text in, dates with their places out.

2004-09-03, 2004/09/03, 3 Sept 2004, September 3rd, 2004, 3.9.2004 are one date; 03/09/2004 may be
two, and both are kept. A month with a year, or a quarter, is no date.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month{n}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DATE = re.compile(
    r"(?<![\w.-])(?:"
    r"(?P<y1>\d{4})[-/](?P<m1>\d{1,2})[-/](?P<d1>\d{1,2})(?:T[\d:.]+Z?)?"
    r"|(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<y2>\d{4})"
    r"|(?P<d3>\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?\s+" + _MONTH.format(n=3) + r",?\s+(?P<y3>\d{4})"
    r"|" + _MONTH.format(n=4) + r"\s+(?P<d4>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y4>\d{4})"
    r")(?![\w-]|\.\d)",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"(?<![\w.-])" + _MONTH.format(n=1) + r",?\s+(?P<year>\d{4})(?!\w)", re.IGNORECASE
)


class StatedDate(NamedTuple):
    """A date where it stands."""

    days: tuple[date, ...]
    start: int
    end: int


class StatedMonth(NamedTuple):
    """A month with its year where it stands."""

    year: int
    month: int
    start: int
    end: int


def find_dates(text: str) -> Iterator[StatedDate]:
    """Every date of a text; several readings where the notation leaves it open."""
    for found in _DATE.finditer(text):
        days = tuple(day for day in map(_day, _readings(found)) if day is not None)
        if days:
            yield StatedDate(days, found.start(), found.end())


def _readings(found: re.Match[str]) -> list[tuple[int, int, int]]:
    if found["y1"]:
        return [(int(found["y1"]), int(found["m1"]), int(found["d1"]))]
    if found["y2"]:
        year, a, b = int(found["y2"]), int(found["a"]), int(found["b"])
        return [(year, a, b), (year, b, a)] if a != b else [(year, a, b)]
    if found["y3"]:
        return [(int(found["y3"]), _month(found["month3"]), int(found["d3"]))]
    return [(int(found["y4"]), _month(found["month4"]), int(found["d4"]))]


def _month(word: str) -> int:
    return _MONTHS.index(word[:3].lower()) + 1


def _day(reading: tuple[int, int, int]) -> date | None:
    try:
        return date(*reading)
    except ValueError:
        return None


def find_months(text: str) -> Iterator[StatedMonth]:
    """Every month with a year; callers leave out those inside a whole date."""
    for found in _PARTIAL.finditer(text):
        yield StatedMonth(int(found["year"]), _month(found["month1"]), found.start(), found.end())
