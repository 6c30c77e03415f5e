"""What a text states that nothing supports: a text and its sources in, spans out.

Supported is what stands in a return, in the question or in the arguments, what the caller adds, and
what simple arithmetic makes of these where the text shows that it calculates. Small bare counts,
numbers of a list and years of known days are no claims, and neither is what the text rejects.
"""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from agentdyno.matching.values.codes import bare_code
from agentdyno.matching.values.comparing import matches, same_number
from agentdyno.matching.values.currencies import one_kind
from agentdyno.matching.values.dates import ISO_MONTH, Clock, StatedDate
from agentdyno.matching.values.deriving import Known, combined, is_derived
from agentdyno.matching.values.following import MOST_SHOWN, MOST_TIMES, bounds, follows, is_taken
from agentdyno.matching.values.numbers import DIVIDES
from agentdyno.matching.values.quantity import Quantity
from agentdyno.matching.values.reading import Stated, leaves, read_values
from agentdyno.matching.values.time_words import rounds_time
from agentdyno.matching.values.units import Unit

SMALL_COUNT = 5
"""Bare whole numbers up to this are words like `two`, not findings."""
ABOUT = 0.125
"""How far off a figure may be that is said to be approximate."""
LONGEST_BRIDGE = 40
"""Characters between a figure and the same in other terms."""
_AFTER_UNIT = re.compile(r"\A[/ ]?[^\W\d_]{1,12}(?:[ -][^\W\d_]{1,12})?(?=\s[(=≈~\[]|,\s)")
MOST_DAYS = 12
"""Beyond so many days, some two of them are any number of days apart."""
FEW_TIMES = 3
"""Known times of day that may be moved where the text does not state them."""
FURTHEST_DAYS = 3_660
"""Days that a known one may be moved by."""
MOST_SPANS = 20
"""As many are enough to show what is wrong."""
_CALCULATES = re.compile(
    r"\b(?:so|thus|that is|that['’]s|which is|comes to|makes|plus|including"
    r"|difference|apart|ahead|behind|faster|slower|more than|less than|higher|lower|remaining"
    r"|rest|per|together|total|sum|combined|about|roughly|equivalent|equals|converted|average|mean"
    r"|each|below|above|short of|under|times|double|half|split|between|overall|in all|saves?"
    r"|saving|gap|brings|yields|amounts to|adds up|means)\b|\bi\.e\.|[=(≈~×]",
    re.IGNORECASE,
)

_RESTATES = re.compile(
    r"[\s*]{0,3}(?:[(\[,][\s*]{0,2}(?:i\.e\.,?\s|that is,?\s|or\s|which is\s)?|=\s?)?"
    r"(?:≈|~|about|around|approx(?:\.|imately)?|roughly|some|nearly|ca\.?|or about)\s?\Z",
    re.IGNORECASE,
)
"""What says the last figure once more in other terms: "142 µmol/l (about 1.6 mg/dL)"."""
_COUNTS_UP = re.compile(
    r"\b(?:mak(?:e|es|ing)|totals?|totall?ing|in (?:all|total)|altogether|overall|together|leav"
    r"(?:e|es"
    r"|ing)|left|remaining|sum|=|comes? to|brings?)\b|=",
    re.IGNORECASE,
)
_EVERY = re.compile(r"\bevery\s\Z", re.IGNORECASE)
_AT = re.compile(r"\b(?:at|by|until|till|from|to|before|after|around|about)\s\Z", re.IGNORECASE)
_SHORT_DAY = re.compile(r"(\d{1,2})(?:\.(\d{1,2})\.|/(\d{1,2})(?![\d/]))")
"""30.11. and 30/11: a day without its year."""
_FIGURE = re.compile(r"\d")
_NOTHING = Stated([], [], [], [], [])
_AGO = re.compile(r"\s(?:ago|old|later|on)\b", re.IGNORECASE)
_SINCE = re.compile(
    r"\b(?:(?:that|it|this)(?:['’]s| has) (?:now )?been|so for)\s(?:about |almost |nearly |over "
    r"|around )?\Z",
    re.IGNORECASE,
)
"""How long ago a known day is, which nobody can check who does not know today's."""
THESE_YEARS = range(2024, 2036)
"""Years in which an answer may be given."""
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_POINTS = re.compile(r"\s(?:points?|pts)\b")
_ZONE = re.compile(r"\s?\(?(?:[A-Z]{2,4}T|UTC|GMT|BST|IST|local|your time)\b")
_PERIODS = (12, 1 / 12, 4, 1 / 4, 52, 1 / 52, 365, 1 / 365, 7, 1 / 7, 24, 1 / 24, 60, 1 / 60)
"""A rent a month is twelve times that a year."""
_COUNTED = re.compile(r"[a-z]{0,3}\d{1,4}(?:[-–/:x]?\d{1,4})?[a-z]{0,3}")
"""Figures with a few letters before or behind them: 4x, q3, 10-12h."""


_LASTING = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
"""What may be a time of day, or how long something takes."""
_MINUTES = Unit("time", 1.0)
_A_DAY = 1440
_RANGE = re.compile(r"\d+[-–]\d+")
_EACH = re.compile(r"(?:\bper\s|/\s?)\Z", re.IGNORECASE)
_BESIDE = re.compile(r"[\s*]{0,3}[(\[][\s*]{0,2}(?:exactly |precisely |i\.e\.,?\s)?\Z")
_OTHERWISE = re.compile(
    r"[\s*]{0,3}(?:[(\[=≈/]|[,–—]?\s(?:or|i\.e\.,?|that is,?|that['’]s|which is)\b)[\s*]{0,2}"
    r"(?:(?:about|around|roughly|approx(?:\.|imately)?|some|nearly|almost|just (?:under|over)|~"
    r"|≈)\s?)?",
    re.IGNORECASE,
)
"""What leads over to the same figure in another unit."""
ROUGHLY = 0.03
"""How far off such a figure may be."""
ROUGH = 0.25
"""How far off a figure may be where the exact one stands in brackets behind it."""


class Sources(NamedTuple):
    """All that a text may state."""

    numbers: list[Known]
    days: set[date]
    month_days: set[tuple[int, int]]
    months: set[tuple[int, int]]
    codes: set[str]
    clocks: set[int]


class Claim(NamedTuple):
    """A stated value that nothing supports."""

    text: str
    start: int
    end: int
    kind: str
    """`number`, `date`, `time`, `code` or `name`."""


def sources(returns: Iterable[Any], texts: Iterable[str]) -> Sources:
    """What returns (decoded) and texts hold."""
    made = Sources([], set(), set(), set(), set(), set())
    for returned in returns:
        for leaf in leaves(returned):
            _take(made, leaf.value, leaf.unit, leaf.name)
    for text in texts:
        _take(made, text, None, "")
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
    for code in stated.codes:
        ends = (unit, field) if unit and _RANGE.fullmatch(code.text) else (None, "")
        made.numbers.extend(Known(float(n), *ends) for n in re.findall(r"\d{1,15}", code.text))


def unsupported(text: str, stated: Stated, known: Sources) -> list[Claim]:
    """The claims of a text that no source holds."""
    found = [
        Claim(text[d.start : d.end], d.start, d.end, "date")
        for d in stated.dates
        if not _known_day(d, known) and not _is_counted(d, stated, known)
    ]
    months = known.months | {(day.year, day.month) for day in known.days}
    found += [
        Claim(text[m.start : m.end], m.start, m.end, "date")
        for m in stated.months
        if (m.year, m.month) not in months
    ]
    clocks = known.clocks | _moved(stated, known)
    found += [
        Claim(text[c.start : c.end], c.start, c.end, "time")
        for c in stated.clocks
        if not clocks.intersection(c.minutes)
        and not _is_zoned(text, c, known)
        and not rounds_time(text, c, clocks)
    ]
    found += [
        Claim(c.text, c.start, c.end, "code")
        for c in stated.codes
        if not _known_code(c.text, known)
    ]
    found += _numbers(text, stated, known)
    return sorted(found, key=lambda claim: claim.start)[:MOST_SPANS]


def _is_zoned(text: str, clock: Clock, known: Sources) -> bool:
    """A known time in another zone, which the text names; zones differ by quarters of an hour."""
    if not _ZONE.match(text, clock.end):
        return False
    return any((minute - other) % 15 == 0 for minute in clock.minutes for other in known.clocks)


def _moved(stated: Stated, known: Sources) -> set[int]:
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


def _is_counted(day: StatedDate, stated: Stated, known: Sources) -> bool:
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


def _known_day(stated: StatedDate, known: Sources) -> bool:
    if stated.month_day is not None:
        return stated.month_day in known.month_days
    return bool(set(stated.days) & known.days) or any(
        (day.month, day.day) in known.month_days - {(d.month, d.day) for d in known.days}
        for day in stated.days
    )


def _known_code(code: str, known: Sources) -> bool:
    bare = bare_code(code)
    if bare in known.codes or any(bare in other for other in known.codes):
        return True
    # A clock, a count or an ordinal that looks like a code: its figures are known.
    counted = _COUNTED.fullmatch(bare)
    return counted is not None and all(
        any(n.value == float(d) for n in known.numbers) for d in re.findall(r"\d+", bare)
    )


def _numbers(text: str, stated: Stated, known: Sources) -> list[Claim]:
    years = {day.year for day in known.days} | {year for year, _ in known.months}
    spans = _between(known)
    made = combined(known.numbers) if _CALCULATES.search(text) else []
    if made:
        times = {q.value for q in stated.quantities if 2 <= q.value <= MOST_TIMES}
        made += [n.value * t for n in known.numbers for t in times if float(t).is_integer()]
    shown: list[Known] | None = None
    found: list[Claim] = []
    followed: list[Quantity] = []
    timed = [c for c in stated.clocks if known.clocks.intersection(c.minutes)]
    for quantity in stated.quantities:
        if any(c.start <= quantity.start and quantity.start < c.end for c in timed):
            continue  # 1840 hours, where it is a known time of day.
        if len(found) >= MOST_SPANS:
            break
        if quantity.unit and quantity.value * quantity.unit.factor in spans.get(
            quantity.unit.dimension, ()
        ):
            continue
        if _is_hour(quantity) and _names_time(text, _as_clock(quantity), known.clocks):
            continue
        if not _is_covered(quantity, text, stated.quantities, known, years, made):
            if shown is None:
                shown = _shown(text, stated, known, years)
            if (
                follows(quantity, shown, known.numbers)
                or is_taken(quantity, stated.quantities, known.numbers)
                or _is_counted_up(quantity, text, stated.quantities, shown)
            ):
                shown.append(Known(quantity.value, quantity.unit))
                followed.append(quantity)
                continue
            if any(_within(quantity, whole) for whole in followed):
                continue  # The 18 of 18,50.
            span = text[quantity.start : quantity.end]
            lead = len(span) - len(span.lstrip())
            start = quantity.start + lead
            found.append(Claim(span.strip(), start, quantity.end, "number"))
    return found


def _is_counted_up(claim: Quantity, text: str, every: list[Quantity], shown: list[Known]) -> bool:
    """Seventeen, with room for five more, which would make 22: a small count that the text names
    is added or taken away where the text says so."""
    around = text[max(0, claim.start - 24) : claim.end + 16]
    if claim.unit is not None or not _COUNTS_UP.search(around):
        return False
    small = {q.value for q in every if q is not claim and is_small(q)}
    return any(abs(claim.value - n.value) in small for n in shown if n.unit is None)


def _is_hour(quantity: Quantity) -> bool:
    """Just before six."""
    return quantity.unit is None and quantity.value in range(1, 13)


def _names_time(text: str, clock: Clock, known: set[int]) -> bool:
    """At eight, where 20:00 is known; just before six, where 5:52 is."""
    if known.intersection(clock.minutes):
        return _AT.search(text[max(0, clock.start - 8) : clock.start]) is not None
    return rounds_time(text, clock, known)


def _as_clock(quantity: Quantity) -> Clock:
    minutes = int(quantity.value) * 60
    return Clock((minutes % 720, minutes % 720 + 720), quantity.start, quantity.end)


def _shown(text: str, stated: Stated, known: Sources, years: set[int]) -> list[Known]:
    """The figures of a text that sources hold as they are."""
    plain = [q for q in stated.quantities if q.plain and not is_list_number(q, text)]
    if len(plain) > 2 * MOST_SHOWN:
        return []
    held = [q for q in plain if not is_small(q) and _supported(q, text, known, years, [])]
    return list(dict.fromkeys(each for q in held for each in _as_known(q, known)))


def _as_known(quantity: Quantity, known: Sources) -> Iterator[Known]:
    """A figure of the text, in the unit of the sources where it has none: "11.3 of your 15 GB"."""
    readings = (quantity.value, *quantity.others)
    held = (value for value in readings if any(n.value == value for n in known.numbers))
    yield Known(next(held, quantity.value), quantity.unit)
    if quantity.unit is None:
        yield from (
            Known(quantity.value, number.unit)
            for number in known.numbers
            if number.unit and same_number(quantity, number.value)
        )


def _between(known: Sources) -> dict[str, set[float]]:
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


def _is_covered(
    quantity: Quantity,
    text: str,
    every: list[Quantity],
    known: Sources,
    years: set[int],
    made: list[float],
) -> bool:
    """Supported itself, or as part of one that is, or in all its parts.

    52 feet are supported when 52 feet 6 inches are, and 48 165 when 48 and 165 are.
    """

    def supported(each: Quantity) -> bool:
        return _supported(each, text, known, years, made)

    if supported(quantity):
        return True
    near = [q for q in every if q != quantity and q.start < quantity.end and quantity.start < q.end]
    if any(_within(quantity, q) and supported(q) for q in near):
        return True
    parts = [q for q in near if _within(q, quantity)]
    if parts and all(supported(q) for q in parts):
        return True
    if any(_rounds(quantity, q, text) and supported(q) for q in every):
        return True
    if bounds(quantity, text, known.numbers):
        return True
    return any((_restates(quantity, q, text) or _converts(quantity, q, text)) and supported(q)
               for q in every)  # fmt: skip


def _rounds(quantity: Quantity, exact: Quantity, text: str) -> bool:
    """Just under half an hour (25 min)."""
    if quantity.end > exact.start or exact.start - quantity.end > LONGEST_BRIDGE:
        return False
    one, other = quantity.unit, exact.unit
    if one is None or other is None:
        value = exact.value if one is other else None
    else:
        alike = one_kind(one.dimension, other.dimension)
        value = exact.value * other.factor / one.factor if alike else None
    if value is None or not math.isclose(quantity.value, value, rel_tol=ROUGH):
        return False
    if not quantity.approximate and not same_number(quantity._replace(approximate=True), value):
        return False
    return _BESIDE.fullmatch(text, quantity.end, max(exact.start, quantity.end)) is not None


def _converts(quantity: Quantity, last: Quantity, text: str) -> bool:
    """Whether it says the figure right before it once more in another unit, rounded: 11.8 m/s
    (42 km/h)."""
    one, other = quantity.whole_unit, last.whole_unit
    if one is None or other is None or not 0 < quantity.start - last.end < LONGEST_BRIDGE:
        return False
    if one == other or not one_kind(one.dimension, other.dimension):
        return False
    said = DIVIDES.sub("", text[last.end : quantity.start], count=1)
    if _OTHERWISE.fullmatch(said) is None:
        return False
    value = (last.value * other.factor + other.offset - one.offset) / one.factor
    rough = math.isclose(quantity.value, value, rel_tol=ROUGHLY)
    return rough or same_number(quantity._replace(approximate=True), value)


def _restates(quantity: Quantity, last: Quantity, text: str) -> bool:
    """Whether it says the figure right before it in a unit that cannot be converted here."""
    if not 0 < quantity.start - last.end < LONGEST_BRIDGE:
        return False
    one, other = quantity.whole_unit, last.whole_unit
    if one is not None and other is not None and one_kind(one.dimension, other.dimension):
        return False
    said = _AFTER_UNIT.sub("", text[last.end : quantity.start], count=1)
    return _RESTATES.match(said) is not None


def _within(inner: Quantity, outer: Quantity) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _supported(
    stated: Quantity, text: str, known: Sources, years: set[int], made: list[float]
) -> bool:
    if is_small(stated) or is_list_number(stated, text) or _is_base(stated, text):
        return True
    if stated.unit is None and stated.value in years:
        return True
    if (
        stated.unit
        and stated.unit.dimension in ("time", "months")
        and _SINCE.search(text[max(0, stated.start - 30) : stated.start])
    ):
        return True
    if stated.unit and stated.unit.dimension == "months" and _AGO.match(text, stated.end):
        now = {number.value + stated.value for number in known.numbers if number.unit is None}
        if any(year in THESE_YEARS for year in now | {year + stated.value for year in years}):
            return True
    if stated.unit is None and (short := _SHORT_DAY.match(text, stated.start)):
        pair = int(short[1]), int(short[2] or short[3])
        if known.month_days & {pair, pair[::-1]}:
            return True
    if stated.unit is None and _ORDINAL.match(text, stated.end):
        if any(stated.value == day for _, day in known.month_days):
            return True  # On the 18th.
    if stated.unit is None and _POINTS.match(text, stated.end):
        if any(same_number(stated, 100 * n.value) for n in known.numbers if abs(n.value) < 1):
            return True  # ±2.6 points of 0.026.
    if stated.unit and stated.unit.dimension == "time" and _EVERY.search(text[: stated.start][-6:]):
        hours = stated.value * stated.unit.factor / 60
        if any(math.isclose(n.value * hours, 24) for n in known.numbers):
            return True  # Every eight hours, three times a day.
    for number in known.numbers:
        if matches(stated, number.value, number.unit, signed=False) or _reunited(stated, number):
            return True
        if stated.approximate and _is_about(stated, number):
            return True
        if stated.rate and any(same_number(stated, number.value * times) for times in _PERIODS):
            return True
    return is_derived(stated, made)


def _is_about(stated: Quantity, known: Known) -> bool:
    """Within an eighth, for a text that says `about`."""
    value = known.value
    if stated.unit is None and known.unit is not None and known.unit.dimension == "percent":
        value = value / 100 if abs(stated.value) <= 1 else value
    if stated.unit is not None and stated.unit.dimension == "count" and known.unit is None:
        value = value / stated.unit.factor
    if stated.unit is not None and known.unit is not None:
        if stated.unit.dimension != known.unit.dimension or stated.unit.offset:
            return False
        value = value * known.unit.factor / stated.unit.factor
    return math.isclose(stated.value, value, rel_tol=ABOUT)


def is_small(stated: Quantity) -> bool:
    """Whether it is a small bare count."""
    whole = float(stated.value).is_integer()
    return stated.unit is None and whole and 0 <= stated.value <= SMALL_COUNT


def _is_base(stated: Quantity, text: str) -> bool:
    """One litre, an hour, per 100 ml: what something is counted by."""
    if _EACH.search(text[max(0, stated.start - 5) : stated.start]):
        return stated.value in (10.0, 100.0, 1000.0)
    return stated.value == 1.0 and text[stated.start : stated.start + 1].isalpha()


def is_list_number(stated: Quantity, text: str) -> bool:
    """Whether it numbers an item of a list."""
    start = text.rfind("\n", max(0, stated.start - 20), stated.start) + 1
    start = max(start, stated.start - 20)
    return not text[start : stated.start].strip(" *-#") and text[stated.end : stated.end + 1] in (
        ".",
        ")",
        ":",
    )


def _reunited(stated: Quantity, known: Known) -> bool:
    """The same figure where only one of the two has a unit, or the units are of no one kind."""
    if stated.unit is None or known.unit is None:
        return same_number(stated, known.value)
    if {stated.unit.dimension, known.unit.dimension} == {"time", "months"}:
        return False
    return stated.rate and same_number(stated, known.value)
