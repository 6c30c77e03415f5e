"""Figures that are ways of speaking of a known day, time or share: a figure of a text in, yes or no
out.

Worked: "on the 18th" and "30.11." name known days, "every eight hours" is three times a day, "28
years ago" is 1998, "±2.6 points" is 0.026.
"""

import math
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain

from agentdyno.matching.known_figures import Sources
from agentdyno.matching.legacy_values.comparing import same_number
from agentdyno.matching.legacy_values.quantity import Quantity

_EVERY = re.compile(r"\bevery\s\Z", re.IGNORECASE)
_IN_DAYS = re.compile(r"(?:\b|_)(?:nights?|days?)(?:\b|_)")
MOST_DAYS, LONGEST_STAY = 6, 60
_ZONE = re.compile(r"\b(?:[A-Z]{2,4}T|UTC|GMT|local time)\b")
_SHORT_DAY = re.compile(r"(\d{1,2})(?:\.(\d{1,2})\.|/(\d{1,2})(?![\d/]))")
"""30.11. and 30/11: a day without its year."""
_AGO = re.compile(r"\s(?:ago|old|later|on)\b", re.IGNORECASE)
_DAY_BEFORE = re.compile(
    r"(?:\d{1,4}|\d(?:st|nd|rd|th)|\d{1,2}\.? [a-z]{3,9}"
    r"|[a-z]{3,9}\.? \d{1,2})\s?[,(–—-]\s?(?:that is |that['’]s |i\.e\. )?"
    r"(?:about |almost |nearly |exactly |just (?:over|under) |some |roughly )?\Z",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?:in|have|has|gives? (?:you|us|it|them)|another|within|for|leaves? (?:you|us))"
    r"\s(?:about |another |around |roughly |just |some |almost |over |nearly |more than |less than "
    r"|just (?:over|under) |well over |a good |at least )?\Z",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:(?:that|it|this)(?:['’]s| has) (?:now )?been|so for)\s(?:about |almost |nearly |over "
    r"|around )?\Z",
    re.IGNORECASE,
)
"""How long ago a known day is, which nobody can check who does not know today's."""
THESE_YEARS = range(2024, 2036)
"""Years in which an answer may be given."""
A_YEAR = 12.0
"""Months."""
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_POINTS = re.compile(r"\s(?:points?|pts)\b")


def is_spoken(stated: Quantity, text: str, known: Sources, years: set[int]) -> bool:
    """Whether a figure only speaks of something known."""
    if stated.unit is None:
        return _names_day(stated, text, known) or _is_points(stated, text, known)
    if stated.unit.dimension not in ("time", "months"):
        return False
    before = text[max(0, stated.start - 30) : stated.start]
    if _SINCE.search(before) or _is_ago(stated, text, known, years):
        return True
    if known.days and _DAY_BEFORE.search(before) and _AGO.match(text, stated.end):
        return True  # 29 October, two and a half weeks ago.
    return _EVERY.search(before) is not None and _is_every(stated, known)


def _names_day(stated: Quantity, text: str, known: Sources) -> bool:
    """On the 18th; 30.11.; the 31st, four nights after the 27th."""
    if _ORDINAL.match(text, stated.end):
        moved: Iterator[date] = (
            day + timedelta(days=n.value)
            for day in sorted(known.days)[:MOST_DAYS]
            for n in known.numbers
            if 0 < n.value <= LONGEST_STAY and _IN_DAYS.search(n.field)
        )
        if any(stated.value == day for _, day in known.month_days):
            return True
        if _ZONE.search(text[max(0, stated.start - 24) : stated.start]):
            # Elsewhere it is the day before or after.
            near = (d + timedelta(days=n) for d in sorted(known.days)[:MOST_DAYS] for n in (1, -1))
            moved = chain(moved, near)
        return any(stated.value == day.day for day in moved)
    if short := _SHORT_DAY.match(text, stated.start):
        pair = int(short[1]), int(short[2] or short[3])
        return bool(known.month_days & {pair, pair[::-1]})
    return False


def _is_points(stated: Quantity, text: str, known: Sources) -> bool:
    """±2.6 points of 0.026."""
    if _POINTS.match(text, stated.end) is None:
        return False
    return any(same_number(stated, 100 * n.value) for n in known.numbers if abs(n.value) < 1)


def _is_ago(stated: Quantity, text: str, known: Sources, years: set[int]) -> bool:
    """28 years ago, of 1998; about three years left, of 2029."""
    assert stated.unit is not None
    if stated.unit.factor != A_YEAR:
        return False
    since = {n.value for n in known.numbers if n.unit is None} | set(years)
    if _AGO.match(text, stated.end):
        return any(year + stated.value in THESE_YEARS for year in since)
    ahead = _AHEAD.search(text[max(0, stated.start - 30) : stated.start])
    return ahead is not None and any(year - stated.value in THESE_YEARS for year in since)


def _is_every(stated: Quantity, known: Sources) -> bool:
    """Every eight hours, three times a day."""
    assert stated.unit is not None
    hours = stated.value * stated.unit.factor / 60
    return any(math.isclose(n.value * hours, 24) for n in known.numbers)
