"""Further ways to name one known day: the end of its month, the day after it as a limit, 21/5.

These would be too loose to read out of any text ("21/5" is a fraction, too), so they are only
looked for where the day is known.

Worked: 2028-03-31 is "the end of March 2028", "before 1 April 2028" and, without a year, "31/3".
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from agentdyno.matching.legacy_values.comparing import same_day
from agentdyno.matching.legacy_values.dates import StatedDate, StatedMonth, names_of_month

_BEFORE = re.compile(r"\b(?:before|prior to|vor dem|avant le)\s(?:the\s)?\Z", re.IGNORECASE)
_EDGE = {
    "last": r"(?:the\s)?(?:end|close|last day|last)\s(?:of|in)\s",
    "first": r"(?:the\s)?(?:beginning|start|first day|first)\s(?:of|in)\s",
}
_QUARTERS = ("first", "second", "third", "fourth")


def day_in_words(text: str, day: date, stated: Sequence[StatedDate]) -> Iterator[tuple[int, int]]:
    """Where a text names the day in one of these ways."""
    next_day = day + timedelta(days=1)
    for found in stated:
        before = _BEFORE.search(text[max(0, found.start - 20) : found.start])
        if before and same_day(found, next_day):
            yield found.start - len(before[0]), found.end
    if next_day.day == 1:
        yield from _edges(text, "last", day)
    elif day.day == 1:
        yield from _edges(text, "first", day)
    yield from _figures(text, day)
    yield from _in_parts(text, day)


def _edges(text: str, edge: str, day: date) -> Iterator[tuple[int, int]]:
    """The end of March, of the first quarter, of the year."""
    months = "|".join(re.escape(name) for name in names_of_month(day.month))
    periods = [rf"(?:{months})\b(?:,?\s(?P<year>\d{{4}}))?"]
    if day.month % 3 == (0 if edge == "last" else 1):
        number = (day.month + 2) // 3
        periods.append(
            rf"(?:Q{number}|the {_QUARTERS[number - 1]} quarter)(?: of)?,? (?P<year>\d{{4}})"
        )
    if day.month == (12 if edge == "last" else 1):
        periods.append(r"(?:the year )?(?P<year>\d{4})")
    for period in periods:
        for found in re.finditer(rf"\b{_EDGE[edge]}{period}(?!\d)", text, re.IGNORECASE):
            if found["year"] in (None, str(day.year)):
                yield found.span()


def _figures(text: str, day: date) -> Iterator[tuple[int, int]]:
    """21/5, 5/21, 21.05., 05-21: month and day in figures without a year."""
    month, number = f"0?{day.month}", f"0?{day.day}"
    ways = rf"(?:{number}/{month}|{month}/{number}|{number}\.\s?{month}\.|(?<!-){day:%m-%d})"
    for found in re.finditer(rf"(?<![\w/.-]){ways}(?![\w/]|[.-]\d)", text):
        yield found.span()


def _in_parts(text: str, day: date) -> Iterator[tuple[int, int]]:
    """In mid-February, on the 15th: month and day apart, in one sentence without another year."""
    months = "|".join(re.escape(name) for name in names_of_month(day.month))
    number = rf"{day.day}(?:st|nd|rd|th)"
    year = rf"(?P<year>(?:[^.;!?\n]{{0,20}}\b{day.year})?)(?![^.;!?\n]*\b(?:19|20)\d\d\b)"
    for found in re.finditer(
        rf"\b(?:{months})\b[^.;!?\n\d]{{1,40}}\b{number}\b{year}", text, re.IGNORECASE
    ):
        yield found.start(), found.start("year")


def month_in_words(
    text: str, year: int, month: int, days: Sequence[StatedDate], months: Sequence[StatedMonth]
) -> Iterator[tuple[int, int]]:
    """Where a text names a known month: by its name, in figures, or by a day of it."""
    yield from ((m.start, m.end) for m in months if (m.year, m.month) == (year, month))
    within = [d for d in days if any((day.year, day.month) == (year, month) for day in d.days)]
    yield from ((d.start, d.end) for d in within)
    figures = (
        rf"(?<![\w/.-])(?:0?{month}[/.-]{year}|{month:02}/{year % 100:02}|{year}[/.-]{month:02})"
        r"(?![\w/]|[.-]\d)"
    )
    names = "|".join(re.escape(name) for name in names_of_month(month))
    relative = rf"\b(?:{names})\b(?: of)? (?:next|this|last|the coming) year\b"
    short = rf"\b(?:{names})\.?\s?['’]{year % 100:02}\b"
    for found in re.finditer(f"{figures}|{short}|{relative}", text, re.IGNORECASE):
        yield found.span()
