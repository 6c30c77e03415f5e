"""Days and times that follow from known ones: moved by a known length, in another zone, rounded.

Takes what a text states and what its sources hold; says whether a day or a time follows. Small
lengths are stated everywhere, so only known ones move anything.

Worked: 13:20 and 52 minutes make 14:12; three months before 30 June is 30 March.
"""

import re
from datetime import date, timedelta
from itertools import combinations

from agentdyno.matching.known_figures import Sources
from agentdyno.matching.legacy_values.clocks import Clock
from agentdyno.matching.legacy_values.comparing import matches
from agentdyno.matching.legacy_values.dates import StatedDate
from agentdyno.matching.legacy_values.following import MOST_TIMES
from agentdyno.matching.legacy_values.numbers import DIVIDES
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.reading import Stated
from agentdyno.matching.legacy_values.time_words import rounds_time
from agentdyno.matching.legacy_values.units import unit

MOST_DAYS = 12
"""Beyond so many days, some two of them are any number of days apart."""
FEW_TIMES = 3
"""Known times of day that may be moved where the text does not state them."""
FURTHEST_DAYS = 3_660
"""Days that a known one may be moved by."""
_ZONE = re.compile(r"\s?\(?(?:[A-Z]{2,4}T|UTC|GMT|BST|IST|local|your time)\b")
_ZONED = re.compile(r"(?:UTC|GMT|CET)\Z")
_A_DAY = 1440
_HALF_TOLD = re.compile(r"(?:[1-9]|1[012])[:.][0-5]\d")
A_SECOND = 1 / 60 + 1e-9
"""Minutes that a pace may be off by, since it is rounded or cut off."""
_END = re.compile(
    r"(?:[-–—]|\b(?:to|until|till|and|by|ends?|ending|finish(?:es|ing)?|over|done|out|closes?|back"
    r"|arriv(?:es?|ing)|lands?|gets? in)(?:\s(?:at|by|around|about))?)\s?\Z",
    re.IGNORECASE,
)
_AT = re.compile(r"\b(?:at|by|until|till|from|to|before|after|around|about)\s\Z", re.IGNORECASE)


def is_zoned(text: str, clock: Clock, known: Sources) -> bool:
    """A known time in another zone, which the text names; zones differ by quarters of an hour."""
    if not _ZONE.match(text, clock.end):
        within = _ZONED.search(text, clock.start, clock.end) is not None
        return within and any((m - k) % 60 == 0 for m in clock.minutes for k in known.clocks)
    return any((minute - other) % 15 == 0 for minute in clock.minutes for other in known.clocks)


def is_half_told(text: str, clock: Clock, known: set[int]) -> bool:
    """Whether it is a known time after noon, told without saying so: 7:30 of 19:30."""
    told = _HALF_TOLD.fullmatch(text, clock.start, clock.end)
    return told is not None and any((minute + 720) % _A_DAY in known for minute in clock.minutes)


def ends_known(text: str, clock: Clock, stated: Stated, known: Sources) -> bool:
    """Whether it is the end of what starts at a known time of the text and lasts a known length:
    "from 14:30 to 15:15", where 45 minutes are known."""
    if not _END.search(text[max(0, clock.start - 24) : clock.start]):
        return False
    starts = {m for c in stated.clocks if c.start < clock.start for m in c.minutes}
    lengths = {
        round(number.value * number.unit.factor)
        for number in known.numbers
        if number.unit and number.unit.dimension == "time" and number.field
    }
    ends = {(s + by) % _A_DAY for s in starts & known.clocks for by in lengths if by}
    return not ends.isdisjoint(clock.minutes)


def is_pace(text: str, clock: Clock, known: Sources) -> bool:
    """Whether minutes and seconds are a known time for each of a known distance: 4:52 per km."""
    divides = DIVIDES.match(text, clock.end)
    under = unit(divides["unit"]) if divides else None
    if under is None or under.dimension != "length":
        return False
    # A pace is read as hours and minutes, whatever it is.
    pace = clock.minutes[0] / 60
    times, ways = (
        [n.value * n.unit.factor for n in known.numbers if n.unit and n.unit.dimension == kind]
        for kind in ("time", "length")
    )
    return any(
        way and abs(time / (way / under.factor) - pace) <= A_SECOND
        for time in times
        for way in ways
    )


def moved_times(stated: Stated, known: Sources) -> set[int]:
    """Known times that the text moves by a known length it states: 17:52, 9 minutes late."""
    lengths = {
        round(q.value * q.unit.factor)
        for q in stated.quantities[:MOST_TIMES]
        if q.unit and q.unit.dimension == "time" and _is_known(q, known)
    }
    times = {m for c in stated.clocks for m in c.minutes if m in known.clocks}
    if len(known.clocks) <= FEW_TIMES:
        times |= known.clocks
    return {(time + way * by) % _A_DAY for time in times for by in lengths for way in (1, -1)}


def is_moved_day(day: StatedDate, stated: Stated, known: Sources) -> bool:
    """A known day moved by a known length that the text states: 12 days after 10 November."""
    lengths = {
        q.value * q.unit.factor / _A_DAY
        for q in stated.quantities[:MOST_TIMES]
        if q.unit and q.unit.dimension == "time" and _is_known(q, known)
    }
    days = sorted(known.days)[:MOST_DAYS]
    if _is_months_away(day, days, stated, known):
        return True
    if day.month_day is not None:
        moved = [d + timedelta(days=way * n) for d in days for n in lengths for way in (1, -1)
                 if n < FURTHEST_DAYS]  # fmt: skip
        return day.month_day in {(d.month, d.day) for d in moved}
    apart = {abs((each - other).days) for each in day.days for other in days}
    return bool(apart & lengths)


def _is_months_away(day: StatedDate, days: list[date], stated: Stated, known: Sources) -> bool:
    """A known day moved by whole months that the text states and a source holds, to a day: three
    months before 30 June is 30 or 31 March."""
    months = {
        round(q.value * q.unit.factor)
        for q in stated.quantities[:MOST_TIMES]
        if q.unit and q.unit.dimension == "months" and _is_known(q, known)
    }
    for each in days if months else ():
        for by in (way * n for n in months for way in (1, -1)):
            month = each.year * 12 + each.month - 1 + by
            if not 12 <= month < 12 * 9999:
                continue
            near = date(month // 12, month % 12 + 1, min(each.day, 28))
            if day.month_day is not None:
                near_days = [(near + timedelta(days=n)) for n in range(5)]
                if day.month_day in {(d.month, d.day) for d in near_days}:
                    return True
            elif any(abs((d - near).days - (each.day - near.day)) <= 1 for d in day.days):
                return True
    return False


def _is_known(quantity: Quantity, known: Sources) -> bool:
    return any(matches(quantity, number.value, number.unit) for number in known.numbers)


def _is_hour(quantity: Quantity) -> bool:
    """Just before six."""
    return quantity.unit is None and quantity.value in range(1, 13)


def names_time(quantity: Quantity, text: str, known: set[int]) -> bool:
    """At eight, where 20:00 is known; just before six, where 5:52 is."""
    if not _is_hour(quantity):
        return False
    clock = _as_clock(quantity)
    if known.intersection(clock.minutes):
        return _AT.search(text[max(0, clock.start - 8) : clock.start]) is not None
    return rounds_time(text, clock, known)


def _as_clock(quantity: Quantity) -> Clock:
    minutes = int(quantity.value) * 60
    return Clock((minutes % 720, minutes % 720 + 720), quantity.start, quantity.end)


def lengths_between(known: Sources) -> dict[str, set[float]]:
    """How far apart known days and times are, in minutes and in months."""
    days, clocks = sorted(known.days)[:MOST_DAYS], sorted(known.clocks)[:MOST_DAYS]
    apart = {1440.0 * (b - a).days for a, b in combinations(days, 2)}
    apart |= {float(b - a) for a, b in combinations(clocks, 2)}
    months = {
        float(12 * (b.year - a.year) + b.month - a.month)
        for a, b in combinations(days, 2)
        if a.day == b.day
    }
    return {"time": apart, "months": months}
