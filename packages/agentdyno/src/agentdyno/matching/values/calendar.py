"""Days in all usual notations: text in, months and days out.

2026-11-24 · 24.11.2026 · 11/24/2026 · 24 November · Nov 24th, 2026 · 24 de noviembre · 11月24日.

Worked: "5/4/2026" is the fifth of April, and the fourth of May as a second reading.
"""

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator
from functools import cache
from itertools import chain

from agentdyno.matching.values.lexicon import (
    ascii_months,
    lexicon,
    month_named,
    ordinal,
)

_NUMERIC = re.compile(
    r"(?<![0-9A-Za-z_À-ɏ.,/-])(\d{1,4})([./-])(\d{1,2})\2(\d{2,4})(?![\w]|[./-]\d)(?=T\d|)"
)
_ISO = re.compile(r"(?<![0-9A-Za-z_À-ɏ-])(\d{4})[-/](\d{2})[-/](\d{2})(?=T\d|(?![\w-]))")
_SHORT = re.compile(
    r"(?:(?<=am )|(?<=vom )|(?<=bis )|(?<=zum )|(?<=den )|(?<=dem )|(?<=der )|(?<=ab "
    r"))(\d{1,2})\.(\d{1,2})\.(?!\d)|(?<![\d.,])(\d{1,2})\.(\d{1,2})\.(?=[,;)])"
)
_ASIAN = re.compile(r"(\d{1,2})月(\d{1,2})日")
_YEAR = r"(?:(?:-|,?\s*)(?:de[l]?\s|of\s)?['’]?((?:1[5-9]|20|21)\d{2})(?![\d.,]*\d))?"
_ORDINAL = r"(?:st|nd|rd|th|er|º|ª|\.)?"
_DAY_MONTH = re.compile(
    rf"(?<![0-9A-Za-z_À-ɏ.,])(\d{{1,2}}){_ORDINAL}(?:\s|\s?-\s?)(?:(?:day )?(?:of|de|"
    rf"di)\s)?([^\W\d_]{{3,}})\.?{_YEAR}",
    re.I,
)
_MONTH_DAY = re.compile(
    rf"\b([^\W\d_]{{3,}})\.?\s(?:the )?(\d{{1,2}}){_ORDINAL}(?![\d:%])(?!\.\d|,\d){_YEAR}", re.I
)
_WORD_DAY = re.compile(r"\b([^\W\d_]{3,})\s(?:the )?([a-z]+(?:-[a-z]+)?)\b(?:,?\s(\d{4}))?", re.I)
_DAY_WORD = re.compile(r"\bthe ([a-z]+(?:-[a-z]+)?) of ([^\W\d_]{3,})(?:,?\s(\d{4}))?", re.I)
_LAST_DAY = re.compile(r"\b(?:last day|end|close) of ([^\W\d_]{3,})(?:,? (\d{4}))?", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_NO_LETTERS = bytes(n if n > 127 or chr(n).isalpha() else 32 for n in range(256))
"""Turns into blanks what is ASCII and no letter."""
_DIGIT = re.compile(r"\d")
_PARTED = re.compile(r"\d[./-]\d{1,2}[./-]")
"""Digits as marks part them in every date that is written in figures."""
_DOTTED = re.compile(r"\d\.\d{1,2}\.(?!\d)")
_RUN = re.compile(r"[\w\s.,'’-]+")
"""Signs of which dates with a month's name consist."""


_WORD_BEHIND = re.compile(r"\s(?:the )?([a-z]+(?:-[a-z]+)?)\b", re.IGNORECASE)


def _find_named(text: str) -> list[tuple[int, int]]:
    """Spans around names of months: runs, each with the sign behind it, that no date goes beyond.
    Few texts have any, and six patterns look for them."""
    names = _find_months(text)
    if not names:
        return []
    places = sorted(chain.from_iterable(_find_dated(text, name) for name in names))
    runs = (run.span() for run in (_RUN.finditer(text) if places else ()))
    return [
        (start, end + 1)
        for start, end in runs
        if bisect_left(places, start) < bisect_left(places, end)
    ]


def _find_months(text: str) -> set[str]:
    """The words that are names of months; those of ASCII are found without a pattern."""
    runs = set(text.encode("utf-8", "surrogatepass").translate(_NO_LETTERS).split())
    non_ascii = b" ".join(run for run in runs if not run.isascii())
    words = _LETTERS.findall(non_ascii.decode("utf-8", "surrogatepass"))
    named = {word for word in words if word.casefold() in lexicon()["months"]}
    return named.union(run.decode() for run in runs if run.lower() in _encoded_months())


@cache
def _encoded_months() -> frozenset[bytes]:
    return frozenset(month.encode() for month in ascii_months() if len(month) > 2)


def _find_dated(text: str, name: str) -> Iterator[int]:
    """Positions of a month's name next to a number, as in every date: `set`, `out` and `may` are
    mostly other words."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        near = _DIGIT.search(text, max(start - 16, 0), start) or _DIGIT.search(text, end, end + 8)
        word = _WORD_BEHIND.match(text, end)
        if near or text[max(start - 3, 0) : start].lower() == "of " or (word and ordinal(word[1])):
            yield start
        start = text.find(name, end)


def _each(
    pattern: re.Pattern[str], text: str, places: list[tuple[int, int]]
) -> Iterator[re.Match[str]]:
    return chain.from_iterable(pattern.finditer(text, *span) for span in places)


def find_days(text: str) -> Iterator[tuple[int, int]]:
    """Month and day of every date; of one in figures both orders where both exist."""
    return ((month, day) for month, day in _read_days(text) if 1 <= month <= 12 and 1 <= day <= 31)


def _read_days(text: str) -> Iterator[tuple[int, int]]:
    named_at = _find_named(text)
    in_figures = text if _PARTED.search(text) else ""
    if not named_at and not in_figures and "月" not in text:
        return
    for match in _ISO.finditer(in_figures):
        yield int(match[2]), int(match[3])
    for match in _NUMERIC.finditer(in_figures):
        first, second, third = int(match[1]), int(match[3]), int(match[4])
        if len(match[1]) == 4:
            if match[2] != "-" or len(match[3]) < 2:
                yield second, third
        elif len(match[4]) in (2, 4):
            yield from {(second, first), (first, second)}
    for match in _SHORT.finditer(text if _DOTTED.search(in_figures) else ""):
        yield int(match[2] or match[4]), int(match[1] or match[3])
    for match in _ASIAN.finditer(text if "月" in text else ""):
        yield int(match[1]), int(match[2])
    for match in _each(_DAY_MONTH, text, named_at):
        if month := month_named(match[2]):
            yield month, int(match[1])
    for match in _each(_MONTH_DAY, text, named_at):
        if month := month_named(match[1]):
            yield month, int(match[2])
    for match in (*_each(_WORD_DAY, text, named_at), *_each(_DAY_WORD, text, named_at)):
        names = (match[1], match[2]) if match.re is _WORD_DAY else (match[2], match[1])
        if (month := month_named(names[0])) and (day := ordinal(names[1])):
            yield month, day
    for match in _each(_LAST_DAY, text, named_at):
        if month := month_named(match[1]):
            yield month, monthrange(int(match[2] or 2001), month)[1]
