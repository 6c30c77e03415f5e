"""Quantities of several numbers: 2 h 31 min 47 s, 8 in 100, 54–69k.

Takes the numbers of a text in order, returns what neighbours make together.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import Unit, unit

_OUT_OF = re.compile(
    r"(?: [a-z]{2,14})?(?: [a-z]{2,14})? (?:in|out of|per)(?: every| each)? "
    r"|(?: [a-z]{2,14})? (?:of|for) (?:every|each) "
)
_OF_POWER = re.compile(
    r"(?: [a-z]{2,14}){0,2} (?:in|out of|per|for|of)(?: every| each)?(?: an?| one)? "
    r"(?P<power>hundred|thousand|million)\b(?!th)",
    re.IGNORECASE,
)
"""3.7 errors per thousand, six in every thousand, four in a million."""
_PART = re.compile(
    r"\s(?P<part>tenth|hundredth|thousandth)s?\sof\san?\s(?P<unit>[a-z]{3,12})\b", re.IGNORECASE
)
_PARTS_OF_TEN = {"tenth": 10.0, "hundredth": 100.0, "thousandth": 1000.0}
_POWERS = {"hundred": 100.0, "thousand": 1e3, "million": 1e6}
_INCHES = re.compile(r"\s?(?:in\b|″|'')")
"""Behind feet, `in` is no preposition."""
_MARKED = re.compile(r"\s?(?P<minutes>['’′])|\s?(?P<seconds>[\"”″]|'')")
"""How sports write minutes and seconds: 2h31'47"."""
_TO = re.compile(r"\s?[-–—]\s?\**|\s(?:to|and|or|bis|à|through|until)\s\**", re.IGNORECASE)
_FROM = re.compile(r"\b(?:between|from|zwischen|entre)\s(?:about\s|around\s|roughly\s)?\Z", re.I)
_IN_BRACKETS = re.compile(r"\s?\((?:exactly |precisely )?[\d.,]*\d\)")
"""Nearly 32 km (31.84)."""
_GOES_ON = re.compile(
    r"\s?(?:[^\w\s]|\n|\Z)|\s(?:rather|instead|and|or|but|as|from|until|in|at|to|for|on|so|with|if|after"
    r"|before|while|then|when|left|long|now|late|early|according|behind|ahead|each|per|a)\b"
)
"""What may follow a bare number that counts nothing itself: 4 hours 15 from now."""
_AND_PART = re.compile(
    r"\sand\s(?P<times>a|one|two|three)[\s-](?P<part>half|thirds?|quarters?)\b(?![ -](?:of|hours?"
    r"|days?|years?|miles?|[a-z]+s)\b)",
    re.IGNORECASE,
)
"""Four hours and a quarter."""
_PARTS, _TIMES = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}, {"two": 2, "three": 3}
_METRE, _KILO = unit("metre"), unit("kilo")
_KILOMETRE = unit("km")
_HOUR, _MINUTE, _SECOND = Unit("time", 60.0), Unit("time", 1.0), Unit("time", 1 / 60)


def joined(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """All that neighbours make together."""
    yield from _sums(text, found)
    yield from _ratios(text, found)
    yield from _of_powers(text, found)
    yield from _hundredths_of(text, found)
    yield from _ends(text, found)
    yield from _spoken(text, found)
    yield from _and_parts(text, found)


def _sums(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """52 feet 6 inches, two days and 18 hours, 2 h 31 min 47 s: one quantity in several units."""
    total: Quantity | None = None
    last: Unit | None = None
    for first, second in pairwise(found):
        if total is None or total.end != first.end:
            total, last = first, first.unit
        made = _more(text, total, last, second)
        if made is None:
            total = None
            continue
        (total, last) = made
        yield total


def _more(
    text: str, total: Quantity, last: Unit | None, second: Quantity
) -> tuple[Quantity, Unit] | None:
    """The sum with the next number, and that number's unit."""
    between = text[total.end : second.start].strip(" ,").lower()
    if total.unit is None or last is None or between not in ("", "and", "und", "et", "y", "&"):
        return None
    if parts := _hundredths(text, total, second, between):
        value = total.value + second.value / parts
        return Quantity(value, total.unit, 4, False, total.start, second.end), total.unit
    rest, end = _rest(text, last, second, between)
    if rest is None or not _goes_on(total.unit, rest) or not rest.factor < last.factor:
        return None
    value = total.value + second.value * rest.factor / total.unit.factor
    step = rest.factor / total.unit.factor  # What has several parts is rounded to the last.
    about = total.approximate
    whole = Quantity(
        value, total.unit, 6, about, total.start, end, rate=second.rate, under=second.under,
        step=step,
    )  # fmt: skip
    return whole, rest


def _goes_on(first: Unit, rest: Unit) -> bool:
    return rest.factor > 0 and one_kind(first.dimension, rest.dimension)


def _rest(text: str, last: Unit, second: Quantity, between: str) -> tuple[Unit | None, int]:
    """The unit of a number that goes on behind one in `last`, and where it ends."""
    marked = _MARKED.match(text, second.end)
    if last == _HOUR and marked and marked["minutes"]:
        return _MINUTE, marked.end()
    if last == _MINUTE and marked and marked["seconds"]:
        return _SECOND, marked.end()
    if last == _MINUTE and text[second.end - 1 : second.end] == '"':
        return _SECOND, second.end
    # Behind hours, m is no metre, and 5h47 needs no sign for minutes at all.
    bare = second.unit is None and float(second.value).is_integer() and second.value < 60
    alone = bare and not between and _GOES_ON.match(text, second.end) is not None
    if last == _HOUR and (text[second.end - 1 : second.end] in ("m", "M") or alone):
        return _MINUTE, second.end
    if last == _MINUTE and alone:
        return _SECOND, second.end
    if last == Unit("length", 1.0) and _INCHES.match(text, second.end):
        return unit("inch"), second.end
    return second.unit, second.end


def _and_parts(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Four hours and a quarter."""
    for first in found:
        if first.unit and (part := _AND_PART.match(text, first.end)):
            more = _PARTS[part["part"].lower().rstrip("s")] * _TIMES.get(part["times"].lower(), 1)
            yield first._replace(value=first.value + more, digits=first.digits + 1, end=part.end())


def _spoken(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Fourteen fifty: as people say prices, 14.50 or 1450."""
    for first, second in pairwise(found):
        if text[first.end : second.start] not in (" ", "-") or not 10 <= second.value < 100:
            continue
        if text[first.start].isalpha() and text[second.start].isalpha() and 1 <= first.value < 100:
            values = first.value + second.value / 100, first.value * 100 + second.value
            unit_said = first.unit or second.unit
            yield Quantity(
                values[0], unit_said, 4, False, first.start, second.end, values[1:], plain=False
            )


def _hundredths(text: str, first: Quantity, second: Quantity, between: str) -> int | None:
    """Six francs twenty, 1 metre 80, 31 kilos 200: how many of what follows make one."""
    assert first.unit is not None
    bare = text[first.end - 1 : first.end].isalpha() and not between and second.unit is None
    if not bare or not float(second.value).is_integer() or text[second.end : second.end + 1] == "%":
        return None
    if first.unit.dimension.startswith("money") or first.unit == _METRE:
        return 100 if 0 < second.value < 100 else None
    written = text[second.start : second.end]
    return (
        1000
        if first.unit in (_KILO, _KILOMETRE) and len(written) == 3 and written.isdigit()
        else None
    )


def _ratios(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """8 in 100, 3 packets out of 10,000, 51°30′: one figure over, or beside, another."""
    for first, second in pairwise(found):
        between = text[first.end : second.start].lower()
        if _OUT_OF.fullmatch(between) and first.unit is None and second.unit is None:
            if 0 < first.value < second.value and text[second.end : second.end + 1] != "%":
                share, about = first.value / second.value, first.approximate
                others = tuple(round(share, n) for n in (2, 3, 4))
                yield Quantity(share, None, 4, about, first.start, second.end, others, plain=False)
        elif between == "°" and text[second.end : second.end + 1] in ("′", "'", "’"):
            value = first.value + second.value / 60
            yield Quantity(value, None, 4, False, first.start, second.end + 1, plain=False)


def _hundredths_of(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """38 hundredths of a second."""
    for first in found:
        part = _PART.match(text, first.end) if first.unit is None else None
        if part and (whole := unit(part["unit"])):
            value = first.value / _PARTS_OF_TEN[part["part"].lower()]
            yield first._replace(value=value, unit=whole, others=(), end=part.end(), plain=False)


def _of_powers(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """3.7 per thousand: one figure over a round one in words."""
    for first in found:
        over = _OF_POWER.match(text, first.end) if first.unit is None else None
        if over and 0 < first.value < (most := _POWERS[over["power"].lower()]):
            share = first.value / most
            yield first._replace(value=share, others=(), end=over.end(), plain=False)


def _ends(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Both ends of a range have what one of them says: 54–69k, about 5 to 7 kg; and of two in a
    row the first has the unit of the second: 46.2 and 52.3 °F."""
    for first, second in pairwise(found):
        if (
            first.unit
            and second.unit is None
            and _IN_BRACKETS.fullmatch(text, first.end, second.end + 1)
        ):
            yield second._replace(unit=first.unit, under=first.under, plain=False)
        between = _TO.fullmatch(text, first.end, second.start)
        if between is None:
            continue
        listed = between[0].strip(" *").lower() in ("and", "or")
        if listed and not _FROM.search(text[max(0, first.start - 24) : first.start]):
            if first.unit is None and second.unit:
                yield first._replace(unit=second.unit, under=second.under, plain=False)
            continue
        yield from _alike(first, second)


def _alike(first: Quantity, second: Quantity) -> Iterator[Quantity]:
    about = first.approximate or second.approximate
    scale = second.scale if first.scale == 1.0 else 1.0
    if scale != 1.0 or (first.unit is None and second.unit):
        yield first._replace(
            value=first.value * scale, others=(), unit=first.unit or second.unit,
            under=first.under or second.under, approximate=about, plain=False,
        )  # fmt: skip
    if about and not second.approximate:
        yield second._replace(approximate=True, plain=False)
