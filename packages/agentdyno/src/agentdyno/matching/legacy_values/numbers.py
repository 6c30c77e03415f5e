"""Quantities in text as values: $3,400 = 3.4k = 3.400,00 $ = three thousand four hundred dollars.

Takes a text in which dates and codes are blanked, returns numbers with their unit and place. Marks
of several locales are read (1,234.5 · 1.234,5 · 1 234,5 · 1'234.5 · 12,34,567); where the notation
leaves it open, the other readings are kept beside the likelier one.
"""

import re
import unicodedata
from collections.abc import Iterator

from agentdyno.matching.legacy_values.hedging import ABOUT, hedges
from agentdyno.matching.legacy_values.joined import joined
from agentdyno.matching.legacy_values.letters import lowered
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.spelled import find_spelled
from agentdyno.matching.legacy_values.telling_units import INCHES, QUALIFIED, years_before_present
from agentdyno.matching.legacy_values.units import UNIT_WORDS, Unit, unit

_SCALES = {"k": 1e3, "thousand": 1e3, "mn": 1e6, "mm": 1e6, "m": 1e6, "mio": 1e6, "mrd": 1e9,
           "million": 1e6, "millions": 1e6, "bn": 1e9, "b": 1e9, "billion": 1e9, "billions": 1e9,
           "tn": 1e12, "t": 1e12, "trillion": 1e12, "hundred": 1e2, "lakh": 1e5, "crore": 1e7,
           "lakhs": 1e5, "crores": 1e7,
           **dict.fromkeys(("tausend", "mille", "mila", "mil", "duizend", "tusen"), 1e3),
           **dict.fromkeys(("millionen", "millones", "milioni", "milhões", "miljoner", "miljoen",
                            "millón", "milione", "milionów"), 1e6),
           **dict.fromkeys(("milliarden", "milliards", "miliardi", "miljarder"), 1e9)}  # fmt: skip
LARGEST_POWER = 250
"""Exponents beyond are no numbers that anybody means, and overflow."""
FURTHEST_QUOTE = 400
"""Characters within which the beginning of a quote is looked for."""
_RUN = re.compile(
    r"\d+(?:(?:[.,'’_]|[ \u00a0\u202f](?=\d{3}(?!\d)))\d+)*(?:[eE][+-]?\d{1,3}(?!\w|\.\d))?"
)
_BEFORE = re.compile(
    r"(?P<sign>[-–+±]|−\s?)?(?:(?P<currency>(?:US|A|C|R|S|HK|NZ|MX)?\$|[€£¥₹₩₺₪฿₽₴₦₫]|\b[A-Z]{3})"
    r"[ \u00a0]?)?(?P<inner>[-−])?\Z"
)
"""A dash that does not cling to its number parts a word from it, or opens a list."""
_MIXED = re.compile(r"(?:[ -](?P<top>\d)/(?P<bottom>\d{1,2})(?![\d/])|\s?(?P<sign>[½¼¾⅐-⅞]))")
_OVER = re.compile(
    r"\s?/\s?(?P<bottom>\d{1,6})(?![\d/-]|[.,]\d)(?!(?<=0)\s?(?:k?g|m?[lL]|k?m|kWh)\b)"
)
_SCALE = re.compile(
    r"(?:[ \u00a0-]?(?P<long>thousand|millions?|billions?|trillion|hundred|mn|mm|bn|tn)\b"
    r"|[ \u00a0]?(?P<short_word>(?i:mio|mrd|lakhs?|crores?|tausend|mille|mila|mil|duizend|tusen"
    r"|millionen|millones|millón|milioni|milione|milhões|miljoner|miljoen|milionów|milliarden"
    r"|milliards|miliardi|miljarder))\b\.?"
    r"|\s?(?P<short>[kK]|M|B|T|b)(?!\w|\.\w))"
)
_MILLIONS = re.compile(r"[ \u00a0]?(?P<sign>m|L|Cr)(?!\w)")
_BEHIND_MONEY = {"m": 1e6, "L": 1e5, "Cr": 1e7}
"""Behind a sign for money, m is no metre and L no litre."""
_UNIT = re.compile(
    r"[ \u00a0-]?(?P<a>(?:[^\W\d_]\.){2,3}|°?[^\W\d_]+[²³23]?(?:/[hs]\b)?\.?|[℃℉%‰¢\"])"
    r"(?:[ -](?P<b>[^\W\d_]+\.?)(?: (?P<c>[^\W\d_]+))?)?"
)
_OF = r"(?:\sof\s\w{2,14}(?:\s(?!an?\b|per\b)\w{2,14})?)?"
"""4,200 kg of sulphur dioxide a day."""
_DIVIDED_BY = (
    rf"{_OF}\s?(?:/|\b(?:per|an?(?!\s\w+\s(?:ago|earlier|later|before|after)\b)|je|pro|par|por)\b|\bper-"
    r"|\bfor\s(?:every\s|each\s)?(?=10{1,3}\b))\s?"
)
"""What leads over to what a figure is divided by."""
_PER = re.compile(rf"{_DIVIDED_BY}(?:10{{1,3}}\s?)?[A-Za-z]", re.IGNORECASE)
_CODE_AFTER = re.compile(r"[ \u00a0]?(?P<code>[€£¥$₹₩₺₪฿₽₴₦₫]|[A-Z]{3}\b)")
DIVIDES = re.compile(
    rf"{_DIVIDED_BY}(?:(?P<count>10{{1,3}})\s?)?"
    r"(?P<unit>(?:square|cubic|sq|cu)\s[^\W\d_]+|[a-z]{4,8}[- ]hours?\b|[^\W\d_]+[²³23]?)",
    re.IGNORECASE,
)
TIMES_UNDER = re.compile(
    r"\s(?:per|for(?: every| each)?|je|pro|pour|por)\s(?:US|A|C|R|S|HK|NZ|MX)?[$€£¥₹₩₺₪฿₽₴₦₫]\s?"
    r"(?P<count>10{1,3})(?![\d.,]*\d)",
    re.IGNORECASE,
)
"""What a rate is told for, in money: €114.73 for every £100."""
_POWER = re.compile(
    r"\s?(?:[×x·*]|\\times|\\cdot)\s?10(?:(?:\^|\*\*)[{(]?(?P<power>[-−+]?\d{1,3})[)}]?"
    r"|(?P<small>[-−]\d{1,2})|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?!\d)"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_ONE_OF = re.compile(
    rf"\b(?P<lead>half\s)?(?:an?|one)\s(?P<unit>(?i:{UNIT_WORDS}))\b(?P<more>\sand\s(?:(?P<times>an?|one|two|three)"
    r"[\s-])?(?P<part>half|thirds?|quarters?)\b)?",
    re.IGNORECASE,
)
_PARTS, _TIMES = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}, {"two": 2, "three": 3}
_AND_PART = re.compile(
    r"\sand\s(?P<times>an?|one|two|three)[\s-](?P<part>half|thirds?|quarters?)\b", re.IGNORECASE
)
"""11 and a half."""
_PART_OF = re.compile(rf"\sof\s(?:an?|one)\s(?P<unit>{UNIT_WORDS})\b", re.IGNORECASE)
_SIGN = re.compile(r"(?<![\d½¼¾⅐-⅞])(?<!\d[ \u00a0])[½¼¾⅐-⅞]")
_BOOKED = re.compile(r"\)\s?(?:%|percent\b)")
"""Behind a share in brackets, as books write what is negative: (3.2)%."""
_DURING = re.compile(
    r"\b(?:is|was|takes|took|lasts|for|within|about|of|after|in|exactly|just|be|and)\s\Z",
    re.IGNORECASE,
)


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
    found += _signs(text)
    taken = {at for q in found for at in range(q.start, q.end)}
    last = 0
    for spelled in find_spelled(text):
        found_unit = _spelled_quantity(text, spelled) if spelled.start >= last else None
        if found_unit and found_unit.start not in taken:
            found.append(found_unit)
            last = found_unit.end  # The dozen of "three dozen".
    found += _single_units(text, {q.start for q in found}, {q.end for q in found})
    found.sort(key=lambda q: q.start)
    yield from found
    yield from parts
    yield from joined(text, found)


def _signs(text: str) -> Iterator[Quantity]:
    """¾ of a litre: a fraction that is one sign, without a number before it."""
    for sign in _SIGN.finditer(text) if not text.isascii() else ():
        value, end = unicodedata.numeric(sign[0]), sign.end()
        part = _PART_OF.match(text, end)
        if part is not None:
            yield Quantity(value, unit(part["unit"]), 3, False, sign.start(), part.end())
            continue
        found, end, rate, under = _unit(text, end, None)
        others = tuple(round(value, n) for n in (2, 3, 4))
        yield Quantity(value, found, 3, False, sign.start(), end, others, rate=rate, under=under)


def _is_inside_a_word(text: str, run: re.Match[str]) -> bool:
    before = text[run.start() - 1 : run.start()] if run.start() else ""
    if before == "." and text[max(0, run.start() - 2) : run.start() - 1].isalnum():
        return True
    return before.isalnum() and not text[max(0, run.start() - 3) : run.start()].isupper()


def _numbers(text: str, run: re.Match[str]) -> tuple[list[Quantity], list[Quantity]]:
    """The number of a run of digits and marks, or its numbers, and the other ways to part it."""
    if text[run.start() - 1 : run.start()] == "." and run[0].isdigit():
        return [_quantity(text, run.start(), run.end(), (float(f"0.{run[0]}"),), f".{run[0]}")], []
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
    if currency and unit(currency) is None:
        currency = None  # Three capitals that are no currency's.
    # The blank in front of a bare minus belongs to the word before it: "is -0.55".
    lead = len(before[0].lstrip(" \u00a0")) if before and (sign or currency) else 0
    # A dash behind a word or a number is a hyphen or a range.
    behind = text[max(0, start - lead - 1) : start - lead]
    if sign and (behind.isalnum() or behind in (")", "%")):
        sign, lead = "", lead if currency else 0
    values, digits = list(readings), _digits(written)
    end, values, digits = _fraction(text, end, values, digits)
    end, scale = _scaled(text, end, currency is not None)
    values = [value * scale for value in values]
    found, end, rate, under = _unit(text, end, currency)
    if sign.strip() in ("-", "−", "–"):
        values = [-value for value in values]
    booked = _BOOKED.match(text, end) if text[start - 1 : start] == "(" else None
    if booked is not None:
        return Quantity(-values[0], unit("%"), digits, False, start, booked.end())
    if currency and text[start - lead - 1 : start - lead] == "(" and text[end : end + 1] == ")":
        values.append(-values[0])  # As books write what is negative: ($18,400).
    about, falling = hedges(text, start - lead, end)
    return Quantity(
        values[0], found, digits, about, start - lead, end, tuple(values[1:]), falling, rate,
        under=under, scale=scale,
    )  # fmt: skip


def _fraction(
    text: str, end: int, values: list[float], digits: int
) -> tuple[int, list[float], int]:
    if mixed := _MIXED.match(text, end):
        if mixed["sign"]:
            more = unicodedata.numeric(mixed["sign"])
        else:
            bottom = int(mixed["bottom"])
            more = int(mixed["top"]) / bottom if bottom else 0.0
        return mixed.end(), [values[0] + more], digits + 3
    if part := _AND_PART.match(text, end):
        more = _PARTS[part["part"].lower().rstrip("s")] * _TIMES.get(part["times"].lower(), 1)
        return part.end(), [values[0] + more], digits + 2
    over = _OVER.match(text, end)
    if over and int(over["bottom"]) and text[over.end() : over.end() + 1] != "/":
        share = values[0] / int(over["bottom"])
        return over.end(), [share, *(round(share, n) for n in (2, 3, 4)), values[0]], digits + 3
    return end, values, digits


def _scaled(text: str, end: int, is_money: bool) -> tuple[int, float]:
    """What a scale word or a power of ten multiplies the digits by, and where it ends."""
    if is_money and (millions := _MILLIONS.match(text, end)):
        return millions.end(), _BEHIND_MONEY[millions["sign"]]
    if power := _POWER.match(text, end):
        written = (power["power"] or power["small"] or power["raised"]).translate(_RAISED)
        return (power.end(), 10.0 ** int(written)) if abs(int(written)) < 99 else (end, 1.0)
    scale = _SCALE.match(text, end)
    if scale is None:
        return end, 1.0
    word = (scale["long"] or scale["short_word"] or scale["short"]).lower()
    if word == "mm" and scale["long"] != "MM" and text[end - 1 : end] not in ("$", "€"):
        return end, 1.0  # Millimetres.
    return scale.end(), _SCALES[word]


def _unit(text: str, end: int, currency: str | None) -> tuple[Unit | None, int, bool, Unit | None]:
    """The unit, where it ends, whether it goes on, and the unit that divides it."""
    if currency is not None:
        found = unit(currency)
    elif (after := _CODE_AFTER.match(text, end)) and (found := unit(after["code"])):
        end = after.end()
    else:
        found, end = _unit_word(text, end)
    if found is None or not _PER.match(text, end):
        return found, end, False, None
    under = DIVIDES.match(text, end)
    return found, end, True, _divisor(under) if under else None


def _divisor(under: re.Match[str]) -> Unit | None:
    """The unit that divides, as often as it is said: 0.81 g per 100 ml."""
    found = unit(under["unit"])
    if found is None or under["count"] is None:
        return found
    return found._replace(factor=found.factor * int(under["count"]))


def _unit_word(text: str, end: int) -> tuple[Unit | None, int]:
    """The unit that follows, of as many words as possible."""
    if ago := years_before_present(text, end):
        return unit("years"), ago
    after = _UNIT.match(text, end, end + 40)
    if after is None:
        return None, end
    if (qualified := QUALIFIED.match(text, end)) and (found := unit(qualified["unit"])):
        return found, qualified.end()
    if inches := INCHES.match(text, end):
        return unit("inch"), inches.end()
    quoted = after["a"] == '"' and _is_quoted(text, end)
    for last in ("c", "b", "a") if not quoted else ():
        stop = after.end(last)
        if stop < 0 or text[stop : stop + 1].isalnum():
            continue
        word = text[after.start("a") : stop]
        for spelling in (word, word.rstrip("."), word.partition("/")[0]):
            if found := unit(spelling):
                return found, after.start("a") + len(spelling)
    return None, end


def _is_quoted(text: str, end: int) -> bool:
    """Whether a quote is open, so that the next mark ends it and means no inches."""
    start = text.rfind("\n", max(0, end - FURTHEST_QUOTE), end)
    return text.count('"', max(start, end - FURTHEST_QUOTE, 0), end) % 2 == 1


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
        about = bool(ABOUT.search(lowered(text[max(0, start - 26) : start])))
        return Quantity(0.5, unit(step["unit"]), 2, about, start, end + step.end())
    part = _PART_OF.match(text, end) if value < 1 else None
    if part is not None:
        # A quarter of a second is a way of speaking.
        return Quantity(value, unit(part["unit"]), digits, True, start, part.end())
    found, end, rate, under = _unit(text, end, None)
    sign = -1.0 if re.search(r"\b(?:minus|negative)\s\Z", lead) else 1.0
    about, falling = hedges(text, start, end)
    others = tuple(sign * round(value, n) for n in (2, 3, 4)) if 0 < value < 1 else ()
    return Quantity(
        sign * value, found, digits, about, start, end, others, falling, rate, under=under
    )


_AND_MORE = re.compile(
    r",?\s(?:and\s)?(?:\d{1,3}|[a-z]+(?:-[a-z]+)?)\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|inch"
    r"(?:es)?|cents?|pence)\b",
    re.IGNORECASE,
)
"""An hour and 37 minutes: more of the same."""


_OFF = re.compile(r"\s(?:late|early|overdue|later|earlier|longer|ahead|behind)\b", re.IGNORECASE)
"""A week late."""


def _single_units(text: str, taken: set[int], ends: set[int]) -> Iterator[Quantity]:
    """An hour and a half; takes a week; a fortnight."""
    for found in _ONE_OF.finditer(text):
        if found["lead"] or found.start() in taken or (found.end() in ends and not found["more"]):
            continue
        during = _DURING.search(text[max(0, found.start() - 10) : found.start()])
        if during and found.start() - len(during[0]) - 1 in ends:
            continue  # "1.5 grams in a day": how often, not how long.
        goes_on = _AND_MORE.match(text, found.end()) or _OFF.match(text, found.end())
        if found["more"] or during or goes_on or found["unit"].lower() in ("fortnight", "dozen"):
            part = _PARTS[found["part"].lower().rstrip("s")] if found["part"] else 0.0
            value = 1.0 + part * _TIMES.get((found["times"] or "a").lower(), 1)
            digits = 3 if part else 2
            yield Quantity(value, unit(found["unit"]), digits, False, found.start(), found.end())
