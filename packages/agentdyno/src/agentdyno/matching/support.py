"""What a text states that nothing supports: a text and its sources in, spans out.

Supported is what stands in a return, in the question or in the arguments, what the caller adds, and
what simple arithmetic makes of these where the text shows that it calculates. Small bare counts,
numbers of a list and years of known days are no claims, and neither is what the text rejects.
"""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from agentdyno.matching.known_figures import Sources, sources
from agentdyno.matching.legacy_values.bounding import bounds
from agentdyno.matching.legacy_values.clocks import Clock
from agentdyno.matching.legacy_values.codes import bare_code
from agentdyno.matching.legacy_values.comparing import matches, same_number
from agentdyno.matching.legacy_values.dates import StatedDate
from agentdyno.matching.legacy_values.deriving import Known, combined, is_derived
from agentdyno.matching.legacy_values.following import (
    EXACT,
    MOST_SHOWN,
    MOST_TIMES,
    follows,
    is_apart,
    is_share_told,
    is_told_ratio,
)
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.reading import Stated
from agentdyno.matching.legacy_values.shares_of_each import (
    is_mean,
    is_part_of_longer,
    is_share_of_period,
)
from agentdyno.matching.legacy_values.taking import is_multiplied, is_taken
from agentdyno.matching.legacy_values.time_words import rounds_time
from agentdyno.matching.moved_times import (
    ends_known,
    is_half_told,
    is_moved_day,
    is_pace,
    is_zoned,
    lengths_between,
    moved_times,
    names_time,
)
from agentdyno.matching.restating import converts, restates, rounds
from agentdyno.matching.spoken_figures import is_spoken

__all__ = ["MOST_SPANS", "Claim", "Sources", "sources", "unsupported"]

SMALL_COUNT = 5
"""Bare whole numbers up to this are words like `two`, not findings."""
ABOUT = 0.125
"""How far off a figure may be that is said to be approximate."""
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

_COUNTS_UP = re.compile(
    r"\b(?:mak(?:e|es|ing)|totals?|totall?ing|in (?:all|total)|altogether|overall|together|leav"
    r"(?:e|es"
    r"|ing)|left|remaining|sum|=|comes? to|brings?|short of)\b|=",
    re.IGNORECASE,
)
_PERIODS = (12, 1 / 12, 4, 1 / 4, 52, 1 / 52, 365, 1 / 365, 7, 1 / 7, 24, 1 / 24, 60, 1 / 60)
"""A rent a month is twelve times that a year."""
_COUNTED = re.compile(r"[a-z]{0,3}\d{1,4}(?:[-–/:x]?\d{1,4})?[a-z]{0,3}")
"""Figures with a few letters before or behind them: 4x, q3, 10-12h."""


_EACH = re.compile(r"(?:\bper\s|\b(?:every|each)\s|/\s?)\Z", re.IGNORECASE)
_BUYS = re.compile(
    r"\s?(?:[=≈]|(?:will |would )?(?:gets?|buys?|is worth|is|equals?|fetch(?:es)?|brings?|makes?"
    r"|costs?|converts? (?:in)?to)\b)[^.;!?\n\d]{0,24}\Z",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
FURTHEST_PRICE = 40
"""Characters between one of something and what it is worth."""
_RULE = re.compile(r"[^\n]*\|[^\n]*\n\s*\|?[\s:|-]*-{2}[\s:|-]*(?:\n|\Z)")
"""The rest of a table's head and the line under it."""


class Claim(NamedTuple):
    """A stated value that nothing supports."""

    text: str
    start: int
    end: int
    kind: str
    """`number`, `date`, `time`, `code` or `name`."""


def unsupported(text: str, stated: Stated, known: Sources) -> list[Claim]:
    """The claims of a text that no source holds."""
    found = [
        Claim(text[d.start : d.end], d.start, d.end, "date")
        for d in stated.dates
        if not _known_day(d, known) and not is_moved_day(d, stated, known)
    ]
    months = known.months | {(day.year, day.month) for day in known.days}
    found += [
        Claim(text[m.start : m.end], m.start, m.end, "date")
        for m in stated.months
        if (m.year, m.month) not in months
    ]
    clocks = known.clocks | moved_times(stated, known)
    spans = lengths_between(known)
    found += [
        Claim(text[c.start : c.end], c.start, c.end, "time")
        for c in stated.clocks
        if not clocks.intersection(c.minutes)
        and not _is_length(c, stated, known)
        and not any(
            q.start == c.start and not q.plain and _is_between(q, spans) for q in stated.quantities
        )
        and not is_zoned(text, c, known)
        and not is_pace(text, c, known)
        and not ends_known(text, c, stated, known)
        and not rounds_time(text, c, clocks)
        and not is_half_told(text, c, clocks)
    ]
    found += [
        Claim(c.text, c.start, c.end, "code")
        for c in stated.codes
        if not _known_code(c.text, known)
    ]
    found += _numbers(text, stated, known)
    return sorted(found, key=lambda claim: claim.start)[:MOST_SPANS]


def _known_day(stated: StatedDate, known: Sources) -> bool:
    if stated.month_day is not None:
        return stated.month_day in known.month_days
    return bool(set(stated.days) & known.days) or any(
        (day.month, day.day) in known.month_days - {(d.month, d.day) for d in known.days}
        for day in stated.days
    )


def _is_length(clock: Clock, stated: Stated, known: Sources) -> bool:
    """Whether 1:15:30 is how long something takes, and known."""
    return any(
        q.start == clock.start and matches(q, number.value, number.unit)
        for q in stated.quantities
        if not q.plain
        for number in known.numbers
        if number.unit is not None
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
    spans = lengths_between(known)
    made = combined(known.numbers) if _CALCULATES.search(text) else []
    if made:
        times = {q.value for q in stated.quantities if 2 <= q.value <= MOST_TIMES}
        made += [n.value * t for n in known.numbers for t in times if float(t).is_integer()]
    shown: list[Known] | None = None
    found: list[Claim] = []
    followed: list[Quantity] = []
    between = [q for q in stated.quantities if _is_between(q, spans)]
    clocked = {c.start for c in stated.clocks}
    timed = [c for c in stated.clocks if known.clocks.intersection(c.minutes)]
    for quantity in stated.quantities:
        if any(c.start <= quantity.start and quantity.start < c.end for c in timed):
            continue  # 1840 hours, where it is a known time of day.
        if not quantity.plain and quantity.start in clocked:
            continue  # The other reading of 1:15:30, which is one claim.
        if len(found) >= MOST_SPANS:
            break
        if any(_within(quantity, whole) for whole in between):
            continue
        if names_time(quantity, text, known.clocks):
            continue
        if not _is_covered(quantity, text, stated.quantities, known, years, made):
            if shown is None:
                shown = _shown(text, stated, known, years, made)
            if (
                follows(quantity, shown, known.numbers)
                or is_apart(quantity, text, stated.quantities, known.numbers)
                or is_told_ratio(quantity, text, stated.quantities)
                or is_mean(quantity, text, known.numbers)
                or is_taken(quantity, stated.quantities, known.numbers)
                or _is_counted_up(quantity, text, stated.quantities, shown)
                or is_multiplied(quantity, text, known.numbers)
                or is_share_told(quantity, text, stated.quantities, known.numbers)
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


def _is_between(quantity: Quantity, spans: dict[str, set[float]]) -> bool:
    """Whether it is how far known days or times are apart, to the rounding of a float."""
    if quantity.unit is None:
        return False
    length = quantity.value * quantity.unit.factor
    return any(
        math.isclose(length, span, rel_tol=1e-9) for span in spans.get(quantity.unit.dimension, ())
    )


def _is_counted_up(claim: Quantity, text: str, every: list[Quantity], shown: list[Known]) -> bool:
    """Seventeen, with room for five more, which would make 22: a small count that the text names
    is added or taken away where the text says so."""
    around = text[max(0, claim.start - 24) : claim.end + 16]
    if claim.unit is not None or not _COUNTS_UP.search(around):
        return False
    small = {q.value for q in every if q is not claim and is_small(q)}
    return any(abs(claim.value - n.value) in small for n in shown if n.unit is None)


def _shown(
    text: str, stated: Stated, known: Sources, years: set[int], made: list[float]
) -> list[Known]:
    """The figures of a text that sources hold, or that are made of theirs."""
    plain = [q for q in stated.quantities if q.plain and not is_list_number(q, text)]
    if len(plain) > 2 * MOST_SHOWN:
        return []
    held = [q for q in plain if not is_small(q) and _supported(q, text, known, years, made)]
    return list(dict.fromkeys(each for q in held for each in _as_known(q, known)))


def _as_known(quantity: Quantity, known: Sources) -> Iterator[Known]:
    """A figure of the text, in the unit of the sources where it has none: "11.3 of your 15 GB"."""
    readings = (quantity.value, *quantity.others)
    held = (value for value in readings if any(n.value == value for n in known.numbers))
    yield Known(next(held, quantity.value), quantity.unit)
    if quantity.under is not None:
        yield Known(quantity.value, quantity.whole_unit)
    if quantity.unit is None:
        yield from (
            Known(quantity.value, number.unit)
            for number in known.numbers
            if number.unit and same_number(quantity, number.value)
        )


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
    if any(rounds(quantity, q, text) and supported(q) for q in every):
        return True
    if bounds(quantity, text, known.numbers, every):
        return True
    return any((restates(quantity, q, text) or converts(quantity, q, text)) and supported(q)
               for q in every)  # fmt: skip


def _within(inner: Quantity, outer: Quantity) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _supported(
    stated: Quantity, text: str, known: Sources, years: set[int], made: list[float]
) -> bool:
    if is_small(stated) or is_list_number(stated, text) or _is_base(stated, text):
        return True
    if stated.unit is None and stated.value in years:
        return True
    if is_spoken(stated, text, known, years):
        return True
    if stated.scale != 1.0:
        stated = stated._replace(approximate=True)  # 8.1K is rounded by its sign.
    for number in known.numbers:
        if matches(stated, number.value, number.unit, signed=False) or _reunited(stated, number):
            return True
        if stated.approximate and _is_about(stated, number):
            return True
        if stated.rate and any(same_number(stated, number.value * times) for times in _PERIODS):
            return True
        if stated.under is not None and (
            is_share_of_period(stated, number) or is_part_of_longer(stated, number)
        ):
            return True
    return is_derived(stated, made)


def _is_about(stated: Quantity, known: Known) -> bool:
    """Within an eighth, for a text that says `about`."""
    value = known.value
    if (
        stated.unit
        and stated.unit.dimension.startswith("money")
        and not (known.unit or known.field)
    ):
        return False  # A figure of a name or a code, which is no price.
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
    if _EACH.search(text[max(0, stated.start - 6) : stated.start]):
        return stated.value in (10.0, 100.0, 1000.0)
    if stated.value != 1.0:
        return False
    return text[stated.start : stated.start + 1].isalpha() or _heads(stated, text)


def _heads(stated: Quantity, text: str) -> bool:
    """1 kg as the head of a column of prices, £1 as what so many euros are paid for."""
    if _RULE.match(text, stated.end):
        return True
    bought = _FIGURE.search(text, stated.end, stated.end + FURTHEST_PRICE)
    return bool(bought and _BUYS.fullmatch(text, stated.end, bought.start()))


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
    money = known.unit is not None and known.unit.dimension.startswith("money")
    in_cents = money and stated.unit is None and stated.digits >= EXACT
    if in_cents and same_number(stated, 100 * known.value):
        return True  # 163.9 cents a litre; yesterday 158.9.
    if stated.unit is None or known.unit is None:
        return same_number(stated, known.value)
    if {stated.unit.dimension, known.unit.dimension} == {"time", "months"}:
        return False
    return stated.rate and same_number(stated, known.value)
