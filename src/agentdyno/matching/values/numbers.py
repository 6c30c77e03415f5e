"""Quantities in text as values: $3,400 = 3.4k = 3.400,00 $ = three thousand four hundred dollars.

Takes a text in which dates and codes are blanked, returns numbers with their unit and place. Marks
of several locales are read (1,234.5 · 1.234,5 · 1 234,5 · 1'234.5 · 12,34,567); where the notation
leaves it open, the other readings are kept beside the likelier one.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from agentdyno.matching.values.letters import any_of, lowered
from agentdyno.matching.values.spelled import find_spelled
from agentdyno.matching.values.units import UNIT_WORDS, Unit, unit

_SCALES = {"k": 1e3, "thousand": 1e3, "mn": 1e6, "mm": 1e6, "m": 1e6, "mio": 1e6, "mrd": 1e9,
           "million": 1e6, "millions": 1e6, "bn": 1e9, "b": 1e9, "billion": 1e9, "billions": 1e9,
           "tn": 1e12, "t": 1e12, "trillion": 1e12, "hundred": 1e2, "lakh": 1e5, "crore": 1e7,
           **dict.fromkeys(("tausend", "mille", "mila", "mil", "duizend", "tusen"), 1e3),
           **dict.fromkeys(("millionen", "millones", "milioni", "milhões", "miljoner", "miljoen",
                            "millón", "milione", "milionów"), 1e6),
           **dict.fromkeys(("milliarden", "milliards", "miliardi", "miljarder"), 1e9)}  # fmt: skip
LARGEST_POWER = 250
"""Exponents beyond are no numbers that anybody means, and overflow."""
_RUN = re.compile(
    r"\d+(?:(?:[.,'’_]|[ \u00a0\u202f](?=\d{3}(?!\d)))\d+)*(?:[eE][+-]?\d{1,3}(?!\w|\.\d))?"
)
_BEFORE = re.compile(
    r"(?P<sign>[-−–+±]\s?)?(?P<currency>(?:US|A|C|R)?\$|[€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD"
    r"|CNY|SEK|NOK|DKK|PLN|KRW|BRL))?[ \u00a0]?(?P<inner>[-−])?\Z"
)
_MIXED = re.compile(r"(?:[ -](?P<top>\d)/(?P<bottom>\d{1,2})(?![\d/])|\s?(?P<sign>[½¼¾⅓⅔⅛]))")
_OVER = re.compile(r"\s?/\s?(?P<bottom>\d{1,6})(?![\d/.,-])")
_SCALE = re.compile(
    r"(?:[ \u00a0-]?(?P<long>thousand|millions?|billions?|trillion|hundred|mn|mm|bn|tn)\b"
    r"|[ \u00a0]?(?P<short_word>(?i:mio|mrd|lakh|crore|tausend|mille|mila|mil|duizend|tusen"
    r"|millionen|millones|millón|milioni|milione|milhões|miljoner|miljoen|milionów|milliarden"
    r"|milliards|miliardi|miljarder))\b\.?"
    r"|\s?(?P<short>[kK]|M|B|T|b)(?![\w]))"
)
_MILLIONS = re.compile(r"m(?!\w)")
"""Behind a sign for money, m is no metre."""
_UNIT = re.compile(
    r"[ \u00a0-]?(?P<a>°?[^\W\d_]+[²³23]?(?:/[hs])?\.?|[℃℉%‰¢\"])"
    r"(?:[ -](?P<b>[^\W\d_]+\.?)(?: (?P<c>[^\W\d_]+))?)?"
)
_PER = re.compile(r"\s?(?:/|\bper\b|\ba\b|\bper-)\s?[A-Za-z]", re.IGNORECASE)
_CODE_AFTER = re.compile(r"[ \u00a0]?(?P<code>[€£¥$]|(?:USD|EUR|GBP|CHF|JPY|INR)\b)")
_HARDLY = r" (?:over|under|more than|less than|above|below|shy of)"
_ABOUT_WORDS = (
    r"about", r"around", r"roughly", r"approximately", r"approx\.?", r"nearly", r"almost", r"some",
    r"circa", r"ca\.", r"~", r"≈", r"close to", r"more or less", r"give or take",
    r"a little" + _HARDLY, r"a bit" + _HARDLY, r"slightly" + _HARDLY, r"just" + _HARDLY,
)  # fmt: skip
_ABOUT = re.compile(any_of(_ABOUT_WORDS) + r"\s*(?:us)?[$€£]?\s*\Z")
"""In lower case, as what follows."""
_ABOUT_AFTER = re.compile(r"\W{0,3}(?:give or take|or so|or thereabouts|-?ish\b)")
_FALL_WORDS = (
    r"down", r"fell", r"fallen", r"falls", r"falling", r"dropp\w{1,4}", r"drops?", r"declin\w{1,4}",
    r"decreas\w{1,4}", r"lost", r"loss(?:es)? of", r"lower by", r"minus", r"negative", r"behind",
    r"below zero", r"deficit of", r"shrank", r"contracted", r"west of", r"south of", r"reduced",
    r"reduction of", r"off", r"ow(?:e|es|ed|ing)", r"overdrawn", r"shortfall of", r"short by",
    r"debit of", r"arrears of", r"debt of", r"in debt by", r"in the red by", r"under by",
)  # fmt: skip
_FALL = re.compile(r"\b" + any_of(_FALL_WORDS) + r"\b[^.;!?\n\d]{0,24}\Z")
_FALL_AFTER = re.compile(
    r"\W{0,3}(?:degrees?\s|°\s?)?(?:in the red|overdrawn|in arrears|in debt|of debt"
    r"|debit|short|below (?:zero|freezing)|lower|less|decline|decrease|drop|loss"
    r"|down)\b"
)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}
_ONE_OF = re.compile(
    rf"\b(?P<lead>half\s)?(?:an?|one)\s(?P<unit>(?i:{UNIT_WORDS}))\b(?P<half>\sand\sa\shalf\b)?",
    re.IGNORECASE,
)
_PART_OF = re.compile(rf"\sof\s(?:an?|one)\s(?P<unit>{UNIT_WORDS})\b", re.IGNORECASE)
_BOOKED = re.compile(r"\)\s?(?:%|percent\b)")
"""Behind a share in brackets, as books write what is negative: (3.2)%."""
_DURING = re.compile(
    r"\b(?:is|was|takes|took|lasts|for|within|about|of|after|in|exactly|just|be|and)\s\Z",
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
    others: tuple[float, ...] = ()
    """Other readings of the same characters: 1.234 may be 1234."""
    falling: bool = False
    """Whether words make it negative: down 3.2 %, 5 degrees below zero."""
    rate: bool = False
    """Whether the unit goes on: mg/dL, dollars per night."""
    plain: bool = True
    """False for one of several readings that were split out of one run of digits."""


def find_quantities(text: str) -> Iterator[Quantity]:
    """Every number of a text, then parts of what may be one, then sums over two units."""
    found: list[Quantity] = []
    parts: list[Quantity] = []
    for run in _RUN.finditer(text):
        if _is_inside_a_word(text, run):
            continue
        whole, split = _numbers(text, run)
        found += whole
        parts += split
    taken = {q.start for q in found}
    for spelled in find_spelled(text):
        if (found_unit := _spelled_quantity(text, spelled)) and found_unit.start not in taken:
            found.append(found_unit)
    found += _single_units(text, {q.start for q in found}, {q.end for q in found})
    found.sort(key=lambda q: q.start)
    yield from found
    yield from parts
    yield from _sums(text, found)
    yield from _ratios(text, found)


def _is_inside_a_word(text: str, run: re.Match[str]) -> bool:
    before = text[run.start() - 1 : run.start()] if run.start() else ""
    if before == "." and text[max(0, run.start() - 2) : run.start() - 1].isalnum():
        return True
    return before.isalnum() and not text[max(0, run.start() - 3) : run.start()].isupper()


def _numbers(text: str, run: re.Match[str]) -> tuple[list[Quantity], list[Quantity]]:
    """The number of a run of digits and marks, or its numbers, and the other ways to part it."""
    readings = read_marks(run[0])
    if readings is None:
        pieces = re.finditer(r"\d+(?:\.\d+)?", run[0])
        return [
            _quantity(text, run.start() + p.start(), run.start() + p.end(), (float(p[0]),), p[0])
            for p in pieces
        ], []
    whole = _quantity(text, run.start(), run.end(), readings, run[0])
    parts = []
    if re.search(r"[ \u00a0\u202f]|\d,\d{1,2}\Z", run[0]):
        for piece in re.finditer(r"\d+(?:\.\d+)?", run[0]):
            start, end = run.start() + piece.start(), run.start() + piece.end()
            part = _quantity(text, start, end, (float(piece[0]),), piece[0])
            parts.append(part._replace(plain=False))
    return [whole], parts


def read_marks(run: str) -> tuple[float, ...] | None:
    """The values that digits with marks may be, the likeliest first; None for several numbers."""
    run, _, exponent = re.sub(r"[eE]", "e", run).partition("e")
    if len(exponent) > 4 or (exponent and abs(int(exponent)) > LARGEST_POWER):
        return None
    power = 10.0 ** int(exponent) if exponent else 1.0
    marks = re.findall(r"\D", run)
    groups = re.split(r"\D", run)
    if not marks:
        return (float(run) * power,) if len(run) <= 18 else (float(run[:300]),)
    kinds = set(marks)
    threes = all(len(g) == 3 for g in groups[1:]) and 1 <= len(groups[0]) <= 3
    joined = float("".join(groups)[:300])
    if len(kinds) == 1:
        mark = marks[0]
        if mark == "." and len(marks) == 1:
            value = float(run) * power
            open_to_both = threes and groups[0] != "0" and not exponent
            return (value, joined) if open_to_both else (value,)
        if threes and groups[0] != "0":
            decimal = (
                (float(f"{groups[0]}.{groups[1]}"),) if mark == "," and len(marks) == 1 else ()
            )
            return (joined, *decimal)
        if mark == "," and _is_indian(groups):
            return (joined,)
        if mark == "," and len(marks) == 1:
            return (float(f"{groups[0]}.{groups[1]}") * power,)
        return (joined,) if mark == "_" else None
    last = marks[-1]
    before = groups[:-1]
    grouped = all(len(g) == 3 for g in before[1:]) and len(set(marks[:-1])) == 1
    if last in ".," and marks.count(last) == 1 and (grouped or _is_indian(before)):
        return (float(f"{''.join(before)}.{groups[-1]}") * power,)
    return None


def _is_indian(groups: list[str]) -> bool:
    return (
        len(groups) > 2
        and len(groups[-1]) == 3
        and all(len(g) == 2 for g in groups[1:-1])
        and 1 <= len(groups[0]) <= 2
    )


def _quantity(
    text: str, start: int, end: int, readings: tuple[float, ...], written: str
) -> Quantity:
    before = _BEFORE.search(text[max(0, start - 8) : start])
    sign = (before and (before["sign"] or before["inner"])) or ""
    currency = before["currency"] if before else None
    # The blank in front of a bare minus belongs to the word before it: "is -0.55".
    lead = len(before[0].lstrip(" \u00a0")) if before and (sign or currency) else 0
    # A dash behind a word or a number is a hyphen or a range.
    behind = text[max(0, start - lead - 1) : start - lead]
    if sign and (behind.isalnum() or behind in (")", "%")):
        sign, lead = "", lead if currency else 0
    values, digits = list(readings), _digits(written)
    end, values, digits = _fraction(text, end, values, digits)
    end, values = _scaled(text, end, values, currency is not None)
    found, end, rate = _unit(text, end, currency)
    if sign.strip() in ("-", "−", "–"):
        values = [-value for value in values]
    booked = _BOOKED.match(text, end) if text[start - 1 : start] == "(" else None
    if booked is not None:
        return Quantity(-values[0], unit("%"), digits, False, start, booked.end())
    if currency and text[start - lead - 1 : start - lead] == "(" and text[end : end + 1] == ")":
        values.append(-values[0])  # As books write what is negative: ($18,400).
    about, falling = _hedges(text, start - lead, end)
    return Quantity(
        values[0], found, digits, about, start - lead, end, tuple(values[1:]), falling, rate
    )


def _hedges(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether the words around a number say that it is approximate, and that it is negative."""
    near, after = lowered(text[max(0, start - 40) : start]), lowered(text[end : end + 20])
    return (
        bool(_ABOUT.search(near[-26:]) or _ABOUT_AFTER.match(after)),
        bool(_FALL.search(near) or _FALL_AFTER.match(after)),
    )


def _fraction(
    text: str, end: int, values: list[float], digits: int
) -> tuple[int, list[float], int]:
    if mixed := _MIXED.match(text, end):
        if mixed["sign"]:
            more = _FRACTIONS[mixed["sign"]]
        else:
            bottom = int(mixed["bottom"])
            more = int(mixed["top"]) / bottom if bottom else 0.0
        return mixed.end(), [values[0] + more], digits + 3
    over = _OVER.match(text, end)
    if over and int(over["bottom"]) and text[over.end() : over.end() + 1] != "/":
        share = values[0] / int(over["bottom"])
        return over.end(), [share, *(round(share, n) for n in (2, 3, 4)), values[0]], digits + 3
    return end, values, digits


def _scaled(text: str, end: int, values: list[float], is_money: bool) -> tuple[int, list[float]]:
    if is_money and _MILLIONS.match(text, end):
        return end + 1, [value * 1e6 for value in values]
    scale = _SCALE.match(text, end)
    if scale is None:
        return end, values
    word = (scale["long"] or scale["short_word"] or scale["short"]).lower()
    if word == "mm" and scale["long"] != "MM" and text[end - 1 : end] not in ("$", "€"):
        return end, values  # Millimetres.
    factor = _SCALES[word]
    return scale.end(), [value * factor for value in values]


def _unit(text: str, end: int, currency: str | None) -> tuple[Unit | None, int, bool]:
    if currency is not None:
        found = unit(currency)
        return found, end, bool(_PER.match(text, end))
    if after := _CODE_AFTER.match(text, end):
        return unit(after["code"]), after.end(), bool(_PER.match(text, after.end()))
    found_unit, end = _unit_word(text, end)
    return found_unit, end, found_unit is not None and bool(_PER.match(text, end))


def _unit_word(text: str, end: int) -> tuple[Unit | None, int]:
    """The unit that follows, of as many words as possible."""
    after = _UNIT.match(text, end, end + 40)
    if after is None:
        return None, end
    for last in ("c", "b", "a"):
        stop = after.end(last)
        if stop < 0 or text[stop : stop + 1].isalnum():
            continue
        word = text[after.start("a") : stop]
        for spelling in (word, word.rstrip(".")):
            if found := unit(spelling):
                return found, after.start("a") + len(spelling)
    return None, end


def _digits(written: str) -> int:
    """Zeros at the end of a whole number may be there to fill up, so they do not count."""
    bare = re.sub(r"[^\d.,]", "", written.lower().partition("e")[0])
    decimal = re.search(r"[.,]\d{1,2}\Z|\.\d+\Z", bare) is not None
    plain = re.sub(r"\D", "", bare).lstrip("0")
    return max(1, len(plain if decimal else plain.rstrip("0")))


def _spelled_quantity(text: str, spelled: tuple[float, int, int, int]) -> Quantity | None:
    value, start, end, digits = spelled
    lead = text[max(0, start - 8) : start].lower()
    half = value == 0.5 and text[start:end].lower() == "half"
    if half:
        step = re.match(rf"\s(?:an?\s)?(?P<unit>(?i:{UNIT_WORDS}))\b", text[end : end + 24])
        if step is None:
            return None
        about = bool(_ABOUT.search(lowered(text[max(0, start - 26) : start])))
        return Quantity(0.5, unit(step["unit"]), 2, about, start, end + step.end())
    part = _PART_OF.match(text, end) if value < 1 else None
    if part is not None:
        # A quarter of a second is a way of speaking.
        return Quantity(value, unit(part["unit"]), digits, True, start, part.end())
    found, end, rate = _unit(text, end, None)
    sign = -1.0 if re.search(r"\b(?:minus|negative)\s\Z", lead) else 1.0
    about, falling = _hedges(text, start, end)
    return Quantity(sign * value, found, digits, about, start, end, (), falling, rate)


_AND_MORE = re.compile(
    r",?\s(?:and\s)?(?:\d{1,3}|[a-z]+(?:-[a-z]+)?)\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|inch"
    r"(?:es)?|cents?|pence)\b",
    re.IGNORECASE,
)
"""An hour and 37 minutes: more of the same."""


def _single_units(text: str, taken: set[int], ends: set[int]) -> Iterator[Quantity]:
    """An hour and a half; takes a week; a fortnight."""
    for found in _ONE_OF.finditer(text):
        if found["lead"] or found.start() in taken or found.end() in ends:
            continue
        during = _DURING.search(text[max(0, found.start() - 10) : found.start()])
        if during and found.start() - len(during[0]) - 1 in ends:
            continue  # "1.5 grams in a day": how often, not how long.
        goes_on = _AND_MORE.match(text, found.end()) is not None
        if found["half"] or during or goes_on or found["unit"].lower() in ("fortnight", "dozen"):
            value = 1.5 if found["half"] else 1.0
            yield Quantity(value, unit(found["unit"]), 2, False, found.start(), found.end())


_OUT_OF = re.compile(r" (?:in|out of)(?: every| each)? | (?:of|for) (?:every|each) ")
_INCHES = re.compile(r"\s?(?:in\b|″|'')")
"""Behind feet, `in` is no preposition."""


def _ratios(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """8 in 100, two out of twenty-five, 51°30′: one figure over, or beside, another."""
    for first, second in pairwise(found):
        between = text[first.end : second.start].lower()
        if _OUT_OF.fullmatch(between) and first.unit is None and second.unit is None:
            if 0 < first.value < second.value and text[second.end : second.end + 1] != "%":
                share = first.value / second.value
                yield Quantity(share, None, 4, False, first.start, second.end, plain=False)
        elif between == "°" and text[second.end : second.end + 1] in ("′", "'", "’"):
            value = first.value + second.value / 60
            yield Quantity(value, None, 4, False, first.start, second.end + 1, plain=False)


def _is_change(text: str, first: Quantity, second: Quantity, between: str) -> bool:
    """Six francs twenty: what follows the currency's name are its hundredths."""
    assert first.unit is not None
    return (
        first.unit.dimension.startswith("money")
        and text[first.end - 1 : first.end].isalpha()
        and not between
        and second.unit is None
        and second.value in range(1, 100)
    )


def _sums(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """52 feet 6 inches, two days and 18 hours, a year and two months: one quantity in two units."""
    for first, second in pairwise(found):
        between = text[first.end : second.start].strip(" ,").lower()
        if first.unit is None or between not in ("", "and"):
            continue
        if _is_change(text, first, second, between):
            value = first.value + second.value / 100
            yield Quantity(value, first.unit, 4, False, first.start, second.end)
            continue
        # Behind hours, m is no metre, and 5h47 needs no sign for minutes at all.
        bare = second.unit is None and float(second.value).is_integer() and second.value < 60
        minutes = first.unit == Unit("time", 60.0) and (
            text[second.end - 1 : second.end] in ("m", "M")
            or (bare and not between and not text[second.end : second.end + 2].strip().isalnum())
        )
        inches = first.unit == Unit("length", 1.0) and _INCHES.match(text, second.end)
        rest = Unit("time", 1.0) if minutes else unit("inch") if inches else second.unit
        if rest is None or first.unit.dimension != rest.dimension:
            continue
        if 0 < rest.factor < first.unit.factor:
            value = first.value + second.value * rest.factor / first.unit.factor
            # Feet and inches are rounded to the inch.
            about = first.approximate or bool(inches)
            yield Quantity(value, first.unit, 6, about, first.start, second.end)
