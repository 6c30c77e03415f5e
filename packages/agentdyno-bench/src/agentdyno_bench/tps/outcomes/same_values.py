"""Whether a submitted value is the one that was asked for, by its type.

    is_same(slot, 49.17) · is_same(slot, "€49.17") · is_same(slot, "1 May 2026")

A number is right within half of its last digit (a hundredth at most), bare or with its unit or one
of the same kind. Dates, times and moments are compared as values, however they are written out.
Names, codes and texts are compared by their letters and digits, so case, accents, quotes and
hyphens do not matter. Anything around a value makes it another one.
"""

import math
import re
from datetime import datetime
from functools import lru_cache
from typing import Any

from agentdyno_bench.shared.values import DAYS, HOURS, fold, unit_named
from agentdyno_bench.tps.tasks.values import BARE, Slot

YEAR = 2026
"""The year that a day without one is in: the world's."""
_NUMBER = re.compile(
    r"(?P<before>[€$£]|[A-Z]{3})?\s*(?P<number>[+\-−]?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?"
    r"|[+\-−]?\d+(?:\.\d+)?)\s*(?P<after>[^\d\s].*)?"
)
TIMES = {
    "date": DAYS,
    "time": HOURS,
    "moment": tuple(f for d in DAYS for h in HOURS for f in (f"{d} {h}", f"{h} {d}")),
    "month": ("%Y-%m", "%Y %m", "%B %Y", "%b %Y"),
}
_OWN_FORM = {
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "time": re.compile(r"\d\d:\d\d"),
    "moment": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d"),
    "month": re.compile(r"\d{4}-\d\d"),
}
"""How the services write them."""
_WEEKDAY = r"\b(?:Mon|Tues?|Wednes|Thurs?|Fri|Satur|Sun)(?:day)?\b"
_FILLERS = re.compile(rf"(?<=\d)(?:st|nd|rd|th)\b|(?<=m)\.|,|\b(?:at|of|on|the)\b|{_WEEKDAY}", re.I)


def is_same(slot: Slot, given: Any) -> bool:
    """Whether a submitted value is the slot's."""
    if isinstance(slot.value, list):
        return _same_members(slot.value, given)
    return is_same_value(slot.value, given, slot.unit)


def _same_members(expected: list[Any], given: Any) -> bool:
    """Whether a list has each expected value and nothing else, in any order."""
    left = list(given) if isinstance(given, list) else []
    for value in expected:
        match = next((n for n, each in enumerate(left) if is_same_value(value, each)), None)
        if match is None:
            return False
        del left[match]
    return not left


def is_same_value(expected: Any, given: Any, unit: str | None = None) -> bool:
    """Whether a value is the expected one, whose own form tells its type."""
    if isinstance(expected, bool):
        return given is expected
    if isinstance(expected, int | float):
        return is_same_number(expected, unit, given)
    kind = time_kind(str(expected))
    if not isinstance(given, str):
        return False
    if kind is not None:
        return read_time(given, kind) == read_time(str(expected), kind)
    return bool(plain(given)) and plain(given) == plain(str(expected))


def is_same_number(expected: float, unit: str | None, given: Any) -> bool:
    """Whether a number, or a text of one number and its unit, is this one."""
    stated = None
    if isinstance(given, str):
        found = _NUMBER.fullmatch(given.strip())
        if not found or (found["before"] and found["after"]):
            return False
        stated = found["before"] or found["after"]
        given = float(re.sub(r"[, ]", "", found["number"]).replace("−", "-"))
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        return False
    if stated is not None and fold(stated) != fold(unit or ""):
        theirs, ours = unit_named(stated), None if unit in (None, BARE) else unit_named(unit)
        if not theirs or not ours:
            return False
        if (theirs.dimension, theirs.currency) != (ours.dimension, ours.currency):
            return False
        given = (given * theirs.factor + theirs.offset - ours.offset) / ours.factor
    digits = len(str(expected).partition(".")[2]) if isinstance(expected, float) else 0
    return bool(abs(given - expected) <= 0.5 * 10 ** -max(digits, 2) + 1e-9 * abs(expected))


def time_kind(text: str) -> str | None:
    """Whether a value is a date, a time, a moment or a month as the services write them."""
    return next((kind for kind, form in _OWN_FORM.items() if form.fullmatch(text)), None)


@lru_cache(4096)
def read_time(text: str, kind: str) -> datetime | None:
    """A date, a time or both, in figures or in words; None for anything else, such as a day with
    the name of another weekday."""
    named = {each[:3].title() for each in re.findall(_WEEKDAY, text, re.I)}
    text = re.sub(r"\b([ap])\.m\b", r"\1m", text.strip(" .\"'“”‘’"), flags=re.I)
    text = " ".join(re.sub(r"(?<=\d)T(?=\d)", " ", _FILLERS.sub(" ", text)).split())
    for written in (text, *_with_year(text, kind)):
        for form in TIMES[kind]:
            try:
                found = datetime.strptime(written, form).replace(second=0)
            except ValueError:
                continue
            return found if kind not in ("date", "moment") or named <= {f"{found:%a}"} else None
    return None


def _with_year(text: str, kind: str) -> list[str]:
    """A day in words, with the world's year put behind it."""
    day = r"\d{1,2} [A-Za-z]{3,9}|[A-Za-z]{3,9} \d{1,2}(?![:\d])"
    if kind not in ("date", "moment") or re.search(r"\d{4}", text):
        return []
    return [re.sub(day, rf"\g<0> {YEAR}", text, count=1)]


def plain(text: str) -> str:
    """The letters and digits of a name, an address, a code or a phone number, and the sign at the
    end of a grade: B+ is not B."""
    bare = fold(text).strip(" .\"'“”‘’«»`")
    sign = bare[-1] if bare[-1:] in ("+", "-") else ""
    return "".join(c for c in bare if c.isalnum() or c == "@") + sign
