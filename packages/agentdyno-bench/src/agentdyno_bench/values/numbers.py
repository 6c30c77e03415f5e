"""Numbers in all usual notations, with the unit beside them: text in, values out.

1,234.5 · 1.234,5 · 1 234,5 · 1'234 · 3.4k · €2.5 million · 45.75 crore · 2½ · six and a half ·
three dozen · 38th · -4.5 °C · 4 euros 35 · 2 hours and 15 minutes · 1h27m · 12万.

Worked: "2 h 15 min" is one value of 8,100 seconds; "1.234" is 1.234, or 1234 as a second reading.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from agentdyno.matching.values.lexicon import (
    PERCENT,
    Unit,
    begins_number,
    number_words,
    ordinal,
    scale_named,
    unit_named,
)
from agentdyno.matching.values.value import Value

_DIGITS = re.compile(
    r"(?<![0-9A-Za-z_À-ɏ.,])(?:(?P<cur>(?:[A-Z]{2,3}\s?)?[$€£¥₹₩₺₽฿₦₱₪₫₴]|\b(?:EUR|USD|GBP|CHF|"
    r"JPY|Rs\.?|INR|"
    r"[A-Z]{3})\s?))?\s?(?P<sign>[-−–+]|[~≈]\s?)?(?P<cur2>[$€£¥₹])?"
    r"(?P<digits>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?![\d])|"
    r"\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?|"
    r"\d+(?:[.,·]\d+)*|(?<!\d)\.\d+)(?:[eE](?P<exp>[+-]?\d{1,2})\b)?"
)
_AFTER = re.compile(r"[ \u00a0\u202f-]?(?P<frac>\d/\d|[½¼¾⅓⅔⅛⅜⅝⅞⅕⅖])(?!\d|/)")
_FRACTIONS = {sign: unicodedata.numeric(sign) for sign in "½¼¾⅓⅔⅛⅜⅝⅞⅕⅖"}
_SCALE = re.compile(r"[ \u00a0-]?([^\W\d_一-鿿]+)\.?(?![\w])|(百万|[万億亿千])")
_UNIT = re.compile(
    r"[ \u00a0\u202f-]?([%‰°$€£¥₹₩″\"℃℉％][CcFf]?|[^\W\d_]+[²³23]?(?![\w])|[^\W\d_]+(?=\d))"
)
_QUOTIENT = re.compile(r"[ \u00a0]?([^\W\d_]+/[^\W\d_]+)(?!\w)")
_NEXT = re.compile(r"[ \u00a0-]([^\W\d_][\w.²³]*)")
_PER = re.compile(
    r"\s?/\s?(?:(?P<n>10{1,3})\s?)?(?P<sign>[^\W\d_]+[²³23]?)|\s(?:per|a|an|each|every|pro|par|"
    r"por|je|al|à l['’]|per)\s"
    r"(?:(?P<n2>10{1,3})\s?)?(?P<word>[^\W\d_]+(?:[ -]hour)?)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|approx(?:imately|\.)?|circa|ca\.?|some|nearly|almost|just "
    r"(?:over|under|above|"
    r"below|shy of)|a (?:bit|little) (?:over|under|more than|less than)|close to|or so|etwa|rund|"
    r"ungefähr|knapp|"
    r"environ|unos|casi|circa|ongeveer|około|cerca de|más de|plus de|over|under|more than|less "
    r"than|upwards of|"
    r"slightly (?:over|under|more than|less than|above|below)|in the region of)|[~≈約约])\W{0,4}\Z",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\s?°\s?(?:[SW]\b|[SW](?=[,;)])|South|West)|\s?(?:°C?|degrees?(?: Celsius)?|C)?\s?(?:below (?:zero|freezing)|under (?:zero|nul)|unter "  # noqa: E501
    r"null)",
    re.I,
)
_NEGATIVE = re.compile(r"(?:\bminus|\bnegative|\bmoins|\bmeno|\bmenos)\s?[$€£]?\Z", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th|º|ª|\.(?=\s[a-zäöü])|er|ème|e|-?(?:го|й))(?![\w])")
_HALF = re.compile(
    r"\s?(?:and a|et|y|und ein(?:e|en)?|en een|e)\s(half|halve?|halb\w*|demie?|media|mezz[oa]|"
    r"meia|quarter)\b|\s(?:and )?(three[- ]quarters?)\b",
    re.I,
)
_DIVIDES = re.compile(r"(?:\bper|\bpro|[^\W\d]/|±)\s?\Z", re.IGNORECASE)
"""A number behind it says of how many something is stated: 340 per 100 ml."""
_OUT_OF = re.compile(r"\s(?:in|out of|of|von|sur)\s(?:every\s|the\s)?", re.IGNORECASE)
_INCHES = re.compile(r"[ \u00a0-]in(?=[).,;:]|\s?[(x×]|$)")
_PARTS = re.compile(r"\s?(?:,|, and|and|und|et|y|e|en|i|och|og)?\s?")
_GROUPED_BY_POINTS = ("de", "es", "it", "nl", "pt", "da")
_CENT = 0.01
"""The size of a cent, whatever the currency."""
_JOINED = ("time", "months", "length", "mass", "money", "angle", "volume")
"""What people state in parts: 2 h 15 min, 5 ft 8 in."""


class Found(NamedTuple):
    """A number without its unit."""

    number: float
    step: float
    start: int
    end: int
    sure: bool = True
    spelled: bool = False
    unit: Unit | None = None


def find_numbers(text: str, language: str) -> list[Value]:
    """Every number of a text, second readings included, in order."""
    found = [
        each
        for each in (*_write(text, language), *_spell(text, language))
        if not _DIVIDES.search(text, max(0, each.start - 5), each.start)
    ]
    found.sort(key=lambda each: (each.start, not each.sure))
    values = _join(text, [_measure(text, each) for each in found])
    return [*values, *_shares(text, values)]


def _shares(text: str, values: list[Value]) -> Iterator[Value]:
    """Shares in two numbers, as second readings: one in eight, 12 out of 60."""
    for a, b in pairwise(values):
        if a.unit is None and 0 < a.number < b.number and _OUT_OF.fullmatch(text[a.end : b.start]):
            share = 100 * a.number / b.number
            yield Value("number", a.start, b.end, share, PERCENT, sure=False)


def _write(text: str, language: str) -> Iterator[Found]:
    for match in _DIGITS.finditer(text):
        digits = match["digits"]
        start, end = match.start(), match.end()
        if (
            text[end : end + 1].isalpha()
            and text[end : end + 2].strip().isupper()
            and len(digits) > 6
        ):
            continue
        sign = match["sign"] or ""
        negative = sign.strip() in ("-", "−", "–") and (start == 0 or not text[start - 1].isalnum())
        currency = (match["cur"] or match["cur2"] or "").strip()
        if currency and not (unit := unit_named(currency)):
            start = match.start("sign") if sign else match.start("digits")
        unit = unit_named(currency) if currency else None
        if text[start : start + 1].isspace():
            start += len(text[start:end]) - len(text[start:end].lstrip())
        for number, step, sure in _readings(digits, language):
            scale = 10.0 ** int(match["exp"]) if match["exp"] else 1.0
            number, close = number * scale * (-1 if negative else 1), end
            if fraction := _AFTER.match(text, end):
                number += _fraction(fraction["frac"]) * (-1 if negative else 1)
                close, step = fraction.end(), 0.0
            yield Found(number, step * scale, start, close, sure, False, unit)
    for match in () if text.isascii() else re.finditer(r"(?<![\d½¼¾⅓⅔])[½¼¾⅓⅔⅛⅜⅝⅞]", text):
        if not re.search(r"\d[ -]?\Z", text[max(0, match.start() - 2) : match.start()]):
            yield Found(_fraction(match[0]), 0.0, match.start(), match.end())


def _fraction(written: str) -> float:
    if written in _FRACTIONS:
        return _FRACTIONS[written]
    over, _, under = written.partition("/")
    return int(over) / int(under) if int(under) else 0.0


def _readings(digits: str, language: str) -> Iterator[tuple[float, float, bool]]:
    """Number, last digit, and whether it is the first reading."""
    plain = re.sub(r"[ \u00a0\u202f'’]", "", digits).replace("·", ".")
    marks = re.findall(r"[.,]", plain)
    if not marks:
        yield float(plain), 1.0, True
    elif len(set(marks)) == 2:
        mark = marks[-1]
        if marks.count(mark) == 1:
            yield _decimal(plain.replace("," if mark == "." else ".", "").replace(",", "."))
    elif len(marks) > 1:
        groups = re.split(r"[.,]", plain)
        if all(len(group) == 3 for group in groups[1:]) or (
            marks[0] == "," and len(groups[-1]) == 3
        ):
            yield float("".join(groups)), 1.0, True  # 12,34,567 is grouped as in India.
    else:
        before, after = re.split(r"[.,]", plain)
        grouped = len(after) == 3 and before not in ("", "0", "00") and len(before) <= 3
        decimal = _decimal(f"{before or 0}.{after}")
        whole = (float(before + after), 1.0, True) if grouped else None
        if whole is None:
            yield decimal
        elif (marks[0] == ",") is (language not in _GROUPED_BY_POINTS):
            yield from (whole, (*decimal[:2], False))
        else:
            yield from (decimal, (*whole[:2], False))


def _decimal(plain: str) -> tuple[float, float, bool]:
    return float(plain), 10.0 ** -len(plain.partition(".")[2]), True


_LETTERS = re.compile(r"[^\W\d_]+")
_LINKS = frozenset("and und et y e en i och og a".split())
_ARTICLES, _HUNDREDS = frozenset({"a", "an"}), frozenset({"hundred", "thousand", "million"})
_PART_WORDS = {"half": 0.5, "third": 1 / 3, "thirds": 1 / 3, "quarter": 0.25, "quarters": 0.25,
               "fifth": 0.2, "fifths": 0.2, "tenth": 0.1, "tenths": 0.1, "sixth": 1 / 6,
               "eighth": 0.125, "eighths": 0.125, "sixths": 1 / 6}  # fmt: skip
_POINT = re.compile(
    r"\s(?:point|comma|Komma|virgule|coma|virgola)\s((?:[^\W\d_]+\s?){1,4})", re.IGNORECASE
)
_ORDINALS = re.compile(
    r"\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-(?:first)?)?(?:(?<=first)|second|third|fif?th|"
    r"[a-z]{3,9}th|twentieth)\b(?!s)",
    re.IGNORECASE,
)
_ORDINAL_ENDINGS = ("th", "first", "second", "third")
_MEASURED = frozenset(
    "hour minute day week month year dozen quarter half third fifth sixth eighth tenth".split()
)
_HALF_OF = re.compile(
    r"\bhalf an? (?=(?!hour|minute|day|week|month|year|dozen)[a-z])", re.IGNORECASE
)
_ONE_OR_HALF = re.compile(
    rf"\b(?:half an?|a half|an?) (?=({'|'.join(sorted(_MEASURED))})\b)", re.IGNORECASE
)


def _spell(text: str, language: str) -> Iterator[Found]:
    """Runs of number words, put together as they are said."""
    words, firsts = number_words(language), begins_number(language)
    present = set(_LETTERS.findall(text.casefold()))
    if not present.isdisjoint(_HUNDREDS):
        firsts |= _ARTICLES
    tokens = [] if present.isdisjoint(firsts) else _tokens(text)
    at = 0
    while at < len(tokens):
        total, used = _run(tokens, at, words, text) if tokens[at][0] in firsts else (0.0, 0)
        if not used:
            at += 1
            continue
        start, end = tokens[at][1], tokens[at + used - 1][2]
        follows = tokens[at + used][0] if at + used < len(tokens) else ""
        if point := _POINT.match(text, end):
            digits = [
                words[w.casefold()] for w in point[1].split() if words.get(w.casefold(), 10) < 10
            ]
            if digits:
                total += sum(digit * 10.0 ** -(n + 1) for n, digit in enumerate(digits))
                used += 1 + len(digits)
                end = tokens[at + used - 1][2] if at + used <= len(tokens) else end
                if (
                    at + used < len(tokens)
                    and (scale := scale_named(tokens[at + used][0]))
                    and len(tokens[at + used][0]) > 2
                ):
                    total, end, used = total * scale, tokens[at + used][2], used + 1
                follows = ""
        part = _PART_WORDS.get(follows)
        if part and text[end : tokens[at + used][1]].strip(" -") == "":
            total, end, used = total * part, tokens[at + used][2], used + 1
        elif half := _HALF.match(text, end):
            total, end = total + _half(half), half.end()
        yield Found(total, 0.0, start, end, spelled=True)
        at += used
    if language == "en" and any(word.endswith(_ORDINAL_ENDINGS) for word in present):
        for match in _ORDINALS.finditer(text):
            if (place := ordinal(match[0])) and place > 1:
                yield Found(float(place), 0.0, *match.span(), spelled=True)
    if language == "en" and "single" in present:
        for match in re.finditer(r"\ba single(?= [a-z])", text, re.I):
            yield Found(1.0, 0.0, *match.span(), spelled=True)
    for match in _HALF_OF.finditer(text if "half" in present else ""):
        yield Found(0.5, 0.0, match.start(), match.end() - 1, spelled=True)
    for match in _ONE_OR_HALF.finditer("" if present.isdisjoint(_MEASURED) else text):
        halved = match[0].lower().startswith(("half", "a half"))
        word = match[1].lower()
        if word in _PART_WORDS:
            yield Found(_PART_WORDS[word], 0.0, match.start(), match.end(1), spelled=True)
        else:
            yield Found(0.5 if halved else 1.0, 0.0, match.start(), match.end() - 1, spelled=True)


def _tokens(text: str) -> list[tuple[str, int, int]]:
    return [(found[0].casefold(), *found.span()) for found in _LETTERS.finditer(text)]


def _run(
    tokens: list[tuple[str, int, int]], at: int, words: dict[str, int], text: str
) -> tuple[float, int]:
    """The number that begins at a token, and how many tokens it takes; 0 for none."""
    total = current = 0.0
    used = last = 0
    seen = False
    while at + used < len(tokens):
        word, start, _ = tokens[at + used]
        if used and text[tokens[at + used - 1][2] : start].strip(" -"):
            break
        value, taken = _longest(tokens, at + used, words)
        if (
            not seen
            and word in _ARTICLES
            and at + 1 < len(tokens)
            and tokens[at + 1][0] in _HUNDREDS
        ):
            value, taken = 1, 1
        if taken:
            if seen and not (
                (current % 100 == 0 and value < 100)
                or not current
                or (current % 10 == 0 and current % 100 >= 20 and value < 10)
            ):
                break
            current, seen = current + value, True
            used += taken
            last = used
        elif seen and (scale := scale_named(word)) and len(word) > 2:
            current *= scale
            if scale >= 1000:
                total, current = total + current, 0.0
            used += 1
            last = used
        elif seen and word in _LINKS and (current or total) and current % 100 == 0:
            used += 1
        else:
            break
    return (total + current, last) if seen else (0.0, 0)


def _longest(tokens: list[tuple[str, int, int]], at: int, words: dict[str, int]) -> tuple[int, int]:
    for count in range(min(4, len(tokens) - at), 0, -1):
        phrase = " ".join(token for token, _, _ in tokens[at : at + count])
        if phrase.replace("-", " ") in words:
            return words[phrase.replace("-", " ")], count
    return 0, 0


def _measure(text: str, found: Found) -> Value:
    """The number with its scale word, sign and unit."""
    number, step, end, unit = found.number, found.step, found.end, found.unit
    if (half := _HALF.match(text, end)) and not found.spelled:
        number, end, step = number + _half(half), half.end(), 0.0
    if ordinal := _ORDINAL.match(text, end):
        end = ordinal.end() if text[end] != "." else end
    scaled = _SCALE.match(text, end)
    if scaled and scaled[1] == "m" and unit and unit.dimension == "money":
        number, step, end, scaled = number * 1e6, step * 1e6, scaled.end(), None
    if (
        scaled
        and (scale := scale_named(scaled[1] or scaled[2]))
        and not _is_unit_instead(text, scaled, unit)
    ):
        number, step, end = number * scale, step * scale, scaled.end()
    per = None
    if unit is None:
        unit, end = _unit_at(text, end)
        if unit and unit.dimension in ("time", "months") and (half := _HALF.match(text, end)):
            number, end = number + _half(half), half.end()
    if divided := _PER.match(text, end):
        divisor = unit_named(divided["sign"] or divided["word"])
        if divisor and divisor.dimension != "money" and unit:
            count = int(divided["n"] or divided["n2"] or 1)
            per, end = divisor._replace(factor=divisor.factor * count), divided.end()
    before = text[max(0, found.start - 32) : found.start]
    if _NEGATIVE.search(before) or _BELOW.match(text, found.end) or _BELOW.match(text, end):
        number = -abs(number)
        end = (
            below.end()
            if (below := _BELOW.match(text, found.end) or _BELOW.match(text, end))
            else end
        )
    if unit and unit.dimension == "count":
        number, unit = number * unit.factor, None
    return Value(
        "number", found.start, end, number, unit, per, step, _ABOUT.search(before) is not None,
        sure=found.sure, spelled=found.spelled,
    )  # fmt: skip


def _half(found: re.Match[str]) -> float:
    word = (found[1] or found[2]).lower()
    return 0.75 if word.startswith("three") else 0.25 if word == "quarter" else 0.5


def _is_unit_instead(text: str, scaled: re.Match[str], money: Unit | None) -> bool:
    """Whether what looks like a scale is a unit: 5 m, 3 cent; "M" and "k" scale, "m" only money."""
    word = scaled[1] or ""
    if word in ("m", "b", "mm", "cent", "mil") or word.casefold() in ("cent",):
        return money is None or word in ("mm",)
    return word == "K" and money is None and scaled[0][0] == " "


def _unit_at(text: str, end: int) -> tuple[Unit | None, int]:
    """The unit right behind a number, by the longest words that name one."""
    if (speed := _QUOTIENT.match(text, end)) and (unit := unit_named(speed[1])):
        return unit, speed.end()
    first = _UNIT.match(text, end)
    if not first:
        return None, end
    if inches := _INCHES.match(text, end):
        return unit_named("inches"), inches.end()
    if ord(first[1][0]) > 0x3000:  # No spaces part words in Chinese and Japanese.
        sizes = (n for n in (4, 3, 2, 1) if unit_named(first[1][:n]))
        if size := next(sizes, 0):
            return unit_named(first[1][:size]), first.start(1) + size
    ends, words = [first.end()], [first[1]]
    while len(words) < 3 and (following := _NEXT.match(text, ends[-1])):
        words.append(following[1])
        ends.append(following.end())
    for count in range(len(words), 0, -1):
        if unit := unit_named(" ".join(words[:count]).rstrip(".")):
            return unit, ends[count - 1]
    return None, end


def _join(text: str, values: list[Value]) -> list[Value]:
    """Parts of one quantity put together: 2 h 15 min, 5 ft 8 in, 4 euros 35, 3 weeks and 2 days."""
    joined: list[Value] = []
    for value in values:
        last = joined[-1] if joined else None
        gap = text[last.end : value.start] if last else ""
        if (
            last
            and last.unit
            and value.sure
            and last.sure
            and last.per is None
            and _PARTS.fullmatch(gap)
        ):
            smaller = (
                value.unit
                and value.dimension == last.dimension
                and value.unit.factor < last.unit.factor
            )
            smaller = smaller and (
                "," not in gap
                or (last.dimension == "time" and (last.number > 1 or not last.spelled))
            )
            cents = (
                last.dimension == "money"
                and value.unit is None
                and gap.isspace()
                and 0 < value.number < 100
            )
            if (
                smaller
                and value.unit
                and (last.unit.currency == value.unit.currency or value.unit.factor == _CENT)
                and last.dimension in _JOINED
            ):
                number = last.number + value.number * value.unit.factor / last.unit.factor
                joined[-1] = last._replace(
                    end=value.end,
                    number=number,
                    step=value.step * value.unit.factor / last.unit.factor,
                )
                continue
            if cents and value.step in (0.0, 1.0) and text[last.end - 1].isalpha():
                joined[-1] = last._replace(
                    end=value.end, number=last.number + value.number / 100, step=0.01
                )
                continue
        if not any(value.end <= other.end and value.start > other.start for other in joined[-3:]):
            joined.append(value)
    return joined
