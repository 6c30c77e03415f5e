"""Compares a submitted value with the requested one, by its type.

    is_same(slot, 49.17) · is_same(slot, "€49.17") · is_same(slot, "1 May 2026")

A number is right within half of its last digit (a hundredth at most), bare or with its unit or one
of the same kind. Dates, times and moments are compared as values, however they are written out.
Names, codes and texts are compared by their letters and digits, so case, accents, quotes and
hyphens do not matter. Anything around a value makes it another one.
"""

import math
import re
from datetime import datetime
from typing import Any

from agentdyno_bench.shared.values import fold, times, unit_named
from agentdyno_bench.shared.values.times import DAYS, HOURS
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


def is_same(slot: Slot, submitted: Any) -> bool:
    """Compare a submitted value with the slot's."""
    if isinstance(slot.value, list):
        return _same_members(slot.value, submitted)
    return is_same_value(slot.value, submitted, slot.unit)


def _same_members(expected: list[Any], submitted: Any) -> bool:
    """True when a list has each expected value and nothing else, in any order."""
    unmatched = list(submitted) if isinstance(submitted, list) else []
    for value in expected:
        match = next((n for n, item in enumerate(unmatched) if is_same_value(value, item)), None)
        if match is None:
            return False
        del unmatched[match]
    return not unmatched


def is_same_value(expected: Any, submitted: Any, unit: str | None = None) -> bool:
    """Compare a value with the expected one, whose own form tells its type."""
    if isinstance(expected, bool):
        return submitted is expected
    if isinstance(expected, int | float):
        return is_same_number(expected, unit, submitted)
    kind = time_kind(str(expected))
    if not isinstance(submitted, str):
        return False
    if kind is not None:
        return read_time(submitted, kind) == read_time(str(expected), kind)
    return bool(plain(submitted)) and plain(submitted) == plain(str(expected))


def is_same_number(expected: float, unit: str | None, value: Any) -> bool:
    """Compare a number, or a text of one number and its unit, with the expected one."""
    written = None
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value.strip())
        if not match or (match["before"] and match["after"]):
            return False
        written = match["before"] or match["after"]
        value = float(re.sub(r"[, ]", "", match["number"]).replace("−", "-"))
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    if written is not None and fold(written) != fold(unit or ""):
        actual, ours = unit_named(written), None if unit in (None, BARE) else unit_named(unit)
        if not actual or not ours:
            return False
        if (actual.dimension, actual.currency) != (ours.dimension, ours.currency):
            return False
        value = (value * actual.factor + actual.offset - ours.offset) / ours.factor
    digits = len(str(expected).partition(".")[2]) if isinstance(expected, float) else 0
    return bool(abs(value - expected) <= 0.5 * 10 ** -max(digits, 2) + 1e-9 * abs(expected))


def time_kind(text: str) -> str | None:
    """The kind of a value in the services' form: a date, a time, a moment or a month."""
    return next((kind for kind, form in _OWN_FORM.items() if form.fullmatch(text)), None)


def read_time(text: str, kind: str) -> datetime | None:
    """A date, a time or both, in figures or in words; a day without a year is in the world's."""
    when = times.read_time(text, TIMES[kind], YEAR if kind in ("date", "moment") else None)
    return when and when.replace(second=0)


def plain(text: str) -> str:
    """The letters and digits of a name, an address, a code or a phone number, and the sign at the
    end of a grade: B+ is not B."""
    bare = fold(text).strip(" .\"'“”‘’«»`")
    sign = bare[-1] if bare[-1:] in ("+", "-") else ""
    return "".join(c for c in bare if c.isalnum() or c == "@") + sign
