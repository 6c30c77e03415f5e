"""Compares a submitted value with the expected one, by its type.

    is_same("139.25", "$139.25", "last_usd")                numbers in their unit, or one that
    is_same("15775", "15.775 billion USD", "revenue_musd")  converts into it
    is_same("2026-05-01", "May 1, 2026", "due_on")          dates and times as values
    is_same("Judge Okoro", "judge OKORO", "judge")          names and codes by letters and digits

The form of the expected value tells its type, the name of its field its unit. All that was given
has to be the value, with its unit and words of its field: a text that only contains it is another
text. Numbers agree to half of the last digit that is expected, and to half a hundredth.
"""

import re
import unicodedata
from collections.abc import Collection
from typing import Any

from agentdyno.matching.values.lexicon import Unit, unit_named
from agentdyno_bench.shared.values.fields import split_name, unit_of_field
from agentdyno_bench.shared.values.times import DAYS, HOURS, MOMENTS, read_time

_NUMBER = re.compile(
    r"(?P<label>[^\d+\-−.€$£¥]*?)\s*(?P<minus>[\-−](?=\s*[€$£¥]))?\s*"
    r"(?P<sign>US\$|[€$£¥]|\b[A-Z]{3})?\s*"
    r"(?P<number>[+\-−]?(?:\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+))\s*"
    r"(?P<scale>(?i:thousand|million|billion|trillion)\b|(?:[kKMB]|mn|bn)(?![A-Za-z]))?\s*"
    r"(?P<unit>[^\d]*)"
)
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9,
           "b": 1e9, "bn": 1e9, "trillion": 1e12}  # fmt: skip
_PLAIN_NUMBER = re.compile(r"[+-]?(?!0\d)\d+(?:\.\d+)?")
"""A number as a record has it; 0042 is a code."""
_THOUSANDS = Unit("count", 1e3)
_FILLERS = frozenset(("per", "a", "of", "the", "no", "in"))
_VAGUE = frozenset("~<>≈≤≥±≠?")
"""Signs that make a number another one."""
HEDGES = frozenset(
    "not no never or nor either neither except but unless than instead versus vs about around"
    " approximately approx roughly nearly almost maybe perhaps possibly likely probably least most"
    " under over above below less more between if guess think believe unsure unknown wrong false"
    " without isn wasn don didn cannot to until through".split()
)
"""Words that make what stands beside them another statement, also where the question has them."""
LONGEST = 400
"""Characters of a submitted value that are compared; no value of a record is as long."""


def is_same(expected: Any, submitted: Any, field: str = "", words: Collection[str] = ()) -> bool:
    """Compare a submitted value with a field's; `words` may stand beside a number as its unit."""
    if isinstance(submitted, bool) or not isinstance(submitted, str | int | float):
        return False
    text, written = str(expected).strip(), str(submitted).strip()[:LONGEST]
    if _PLAIN_NUMBER.fullmatch(text):
        return _is_same_number(text, written, field, words)
    for forms in (MOMENTS, DAYS, HOURS):
        if (when := read_time(text, forms)) is not None:
            return read_time(written, forms) == when
    field_words = set(split_name(field)) - set(_tokens(text))
    return bool(_tokens(text)) and name_of(written, field_words) == name_of(text)


def _is_same_number(text: str, submitted: str, field: str, words: Collection[str]) -> bool:
    match = _NUMBER.fullmatch(submitted)
    if match is None or not _VAGUE.isdisjoint(submitted):
        return False
    beside = {*split_name(field), *(set(words) - HEDGES), *_FILLERS}
    if not beside.issuperset(_tokens(match["label"])):
        return False
    number = float(re.sub(r"[, ]", "", match["number"]).replace("−", "-"))
    number *= _SCALES[match["scale"].lower()] if match["scale"] else 1.0
    number *= -1 if match["minus"] else 1
    target = float(text)
    near = 0.5 * 10.0 ** -max(len(text.partition(".")[2]), 2) + 1e-9 * abs(target)
    readings = _in_unit_of_field(number, match["sign"] or "", match["unit"].strip(), field, beside)
    return any(abs(reading - target) <= near for reading in readings)


def _in_unit_of_field(
    number: float, sign: str, unit: str, field: str, beside: Collection[str]
) -> list[float]:
    """The number as its field would have it; empty where its unit is another quantity's."""
    ours = _THOUSANDS if split_name(field)[-1:] == ("k",) else unit_of_field(field)
    first, *parts = filter(None, (sign, *re.split(r"/|\bper\b", unit))) if sign or unit else ("",)
    if not all(_is_known(other.strip(), beside) for other in parts):
        return []
    actual = unit_named(first.strip()) if first else None
    if first and actual is None and not _is_known(first, beside):
        return []
    if ours is None or actual is None:
        # In the unit of the field; of millions and thousands, the whole sum may be written out.
        scaled = ours is not None and ours.factor >= 1e3 and ours.dimension in ("money", "count")
        return [number, number / ours.factor] if ours and scaled else [number]
    if actual.currency and actual.currency == ours.currency and "/" in ours.dimension:
        return [number * actual.factor]  # Of a price for so much of something.
    if (ours.dimension, ours.currency) != (actual.dimension, actual.currency):
        return []
    return [(number * actual.factor + actual.offset - ours.offset) / ours.factor]


def _is_known(unit: str, beside: Collection[str]) -> bool:
    """True for a unit, or for words that may stand beside the number."""
    tokens = _tokens(unit)
    return "".join(tokens) in beside or all(word in beside or unit_named(word) for word in tokens)


def name_of(text: str, without: Collection[str] = ()) -> str:
    """The letters and digits of a name or a code, and the sign of a grade: B+ is not B."""
    plain = text.strip(" .\"'“”‘’")
    sign = plain[-1] if plain[-1:] in ("+", "-", "−") else ""
    return "".join(token for token in _tokens(plain) if token not in without) + sign


def _tokens(text: str) -> list[str]:
    """Words in small letters without accents."""
    plain = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.findall(r"[^\W_]+", bare.casefold())
