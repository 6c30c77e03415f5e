"""Numbers and codes in text as values: $3,400 = 3.4k = 3400.00 dollars, 5h 47m = 347 minutes.

A text in, what it states out: dates, codes (4.6.31, CVE-2031-10442, T1021) and quantities, each
with its place. What is one thing is not another: the digits of a date are no number, and 4.6.31
holds no 4.6.
"""

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from agentdyno.metrics.failures.dates import StatedDate, StatedMonth, find_dates, find_months
from agentdyno.metrics.failures.units import UNIT_WORDS, Unit, unit

_SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "mn": 1e6,
    "mm": 1e6,
    "million": 1e6,
    "bn": 1e9,
    "b": 1e9,
    "billion": 1e9,
    "tn": 1e12,
    "trillion": 1e12,
}
_SCALE = "thousand|million|billion|trillion|mn|mm|bn|tn|k|K|M|B|T"
_NAMES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = {word: number for number, word in enumerate(_NAMES, 1)}
_CODE = re.compile(
    r"(?<![\w.])(?:v(?=\d))?(?:\d+(?:\.\d+){2,}"  # versions and addresses
    r"|\d{1,2}:\d{2}(?::\d{2})?"  # times of day
    r"|(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[A-Za-z][\w]*(?:[-.][\w]+)*"  # letters first, then digits
    r"|\d+(?:-\d+)+)(?![\w])"  # 2019-204, 5-4
)
_NUMBER = re.compile(
    r"(?P<currency>(?:US|us)?\s?\$\s?|USD\s?)?"
    r"(?<![\w.])(?P<sign>[-−](?=\d))?"
    r"(?P<whole>\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d{1,18})"
    r"(?P<fraction>\.\d{1,15})?(?:[eE](?P<exponent>[+-]?\d{1,2}))?"
    r"(?:\s(?P<top>[1-9])/(?P<bottom>[2-9]))?"
    rf"(?:\s?(?P<scale>{_SCALE})\b)?"
    rf"(?:[ \u00a0-]?(?P<unit>(?i:{UNIT_WORDS}))(?![\w/$]))?"
    r"(?![\w]|\.\d)"
)
_SPELT = re.compile(
    rf"\b(?P<count>{'|'.join(_COUNTS)})\s(?P<unit>(?i:{UNIT_WORDS}))\b", re.IGNORECASE
)
_ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca\.|~|≈|close to"
    r"|a little (?:over|under)|just (?:over|under)|give or take)\s*(?:US)?\$?\s*$",
    re.IGNORECASE,
)


class Quantity(NamedTuple):
    """A number where it stands."""

    value: float
    """As written, scale words included and unit not."""
    unit: Unit | None
    digits: int
    """Significant digits that were written."""
    approximate: bool
    start: int
    end: int


class Code(NamedTuple):
    """An identifier, a version, an address or a time of day."""

    text: str
    start: int
    end: int


class Stated(NamedTuple):
    """All that a text states."""

    dates: list[StatedDate]
    months: list[StatedMonth]
    codes: list[Code]
    quantities: list[Quantity]


def read_values(text: str) -> Stated:
    """Dates first, then codes, then numbers; each from what the ones before left."""
    dates = list(find_dates(text))
    left = _without(text, dates)
    months = list(find_months(left))
    left = _without(left, months)
    codes = [Code(c[0], c.start(), c.end()) for c in _CODE.finditer(left) if not _is_number(c[0])]
    left = _without(left, codes)
    return Stated(dates, months, codes, list(_quantities(left)))


def _without(text: str, spans: list[StatedDate] | list[StatedMonth] | list[Code]) -> str:
    """The text with the spans blanked by a letter-free mark, so that places stay true."""
    for span in spans:
        text = text[: span.start] + "\x00" * (span.end - span.start) + text[span.end :]
    return text


def _is_number(code: str) -> bool:
    """USD3400 or v2 are written without a space and are no codes."""
    return bool(re.fullmatch(r"(?:USD|US)\d[\d,.]*", code))


def _quantities(text: str) -> Iterator[Quantity]:
    found = [_quantity(text, match) for match in _NUMBER.finditer(text)]
    # "48 165" may be one number or two; both readings are kept.
    parts = [p for match in _NUMBER.finditer(text) for p in _apart(text, match)]
    found += [_spelt(match) for match in _SPELT.finditer(text)]
    found.sort(key=lambda q: q.start)
    yield from found
    yield from parts
    yield from _sums(text, found)


def _apart(text: str, match: re.Match[str]) -> Iterator[Quantity]:
    """The numbers that blanks separate inside of what may also be one number."""
    if not re.search(r"\d[ \u00a0\u202f]\d", match["whole"]):
        return
    start, end = match.span("whole")
    for place in re.compile(r"\d+").finditer(text, start, end):
        single = _NUMBER.match(text, place.start())
        if place.end() < end:
            yield Quantity(
                float(place[0]), None, _digits(place[0]), False, place.start(), place.end()
            )
        elif single:
            yield _quantity(text, single)


def _quantity(text: str, match: re.Match[str]) -> Quantity:
    whole = re.sub(r"\D", "", match["whole"])
    written = whole + (match["fraction"] or "")
    value = float(written) * 10 ** int(match["exponent"] or 0)
    if match["bottom"]:
        value += int(match["top"]) / int(match["bottom"])
    value *= _scale(match["scale"], bool(match["currency"]))
    value = -value if match["sign"] else value
    before = text[max(0, match.start() - 24) : match.start()]
    after = text[match.end() : match.end() + 16]
    about = bool(_ABOUT.search(before)) or "give or take" in after or "or so" in after
    found = Unit("money", 1.0) if match["currency"] else None
    if match["unit"]:
        found = unit(match["unit"]) if found is None else found
    return Quantity(value, found, _digits(written), about, match.start(), match.end())


def _scale(word: str | None, money: bool) -> float:
    if word is None:
        return 1.0
    return _SCALES.get(word.lower(), {"m": 1e6, "t": 1e12}.get(word.lower(), 1.0))


def _digits(written: str) -> int:
    """Zeros at the end of a whole number may be there to fill up, so they do not count."""
    bare = written.replace(".", "").lstrip("0")
    return max(1, len(bare if "." in written else bare.rstrip("0")))


def _spelt(match: re.Match[str]) -> Quantity:
    value = float(_COUNTS[match["count"].lower()])
    return Quantity(value, unit(match["unit"]), 1, False, match.start(), match.end())


def _sums(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """52 feet 6 inches, two days and 18 hours: one quantity in two units."""
    for first, second in pairwise(found):
        between = text[first.end : second.start].strip(" ,").lower()
        if first.unit is None or second.unit is None or between not in ("", "and"):
            continue
        # Behind hours, m is no metre.
        minutes = first.unit.dimension == "time" and text[: second.end].endswith("m")
        rest = Unit("time", 1.0) if minutes else second.unit
        if first.unit.dimension == rest.dimension and rest.factor < first.unit.factor:
            total = first.value * first.unit.factor + second.value * rest.factor
            value = total / first.unit.factor
            yield Quantity(value, first.unit, 6, False, first.start, second.end)


def same_number(stated: Quantity, value: float) -> bool:
    """Equal, or equal after rounding to the digits stated: three of them, or two and `about`."""
    if math.isclose(stated.value, value, rel_tol=1e-9, abs_tol=1e-12):
        return True
    if stated.digits < (2 if stated.approximate else 3) or not value:
        return False
    return math.isclose(_rounded(value, stated.digits), stated.value, rel_tol=1e-9)


def _rounded(value: float, digits: int) -> float:
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))
