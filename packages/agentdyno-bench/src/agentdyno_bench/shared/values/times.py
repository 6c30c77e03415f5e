"""Dates and times as people write them: text and its possible forms in, a datetime out.

read_time("Sunday, March 29, 2026", DAYS)   2026-03-29
read_time("Monday, March 29, 2026", DAYS)   None: it was a Sunday
"""

import re
from datetime import datetime
from functools import lru_cache

DAYS = ("%Y-%m-%d", "%d %B %Y", "%B %d %Y", "%d %b %Y", "%b %d %Y", "%d.%m.%Y", "%Y/%m/%d")
HOURS = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p", "%I %p", "%I%p")
"""Forms in which people write a day and a time of day."""
MOMENTS = tuple(f"{day} {hour}" for day in DAYS for hour in HOURS)
_WEEKDAY = r"\b(?:Mon|Tues?|Wednes|Thurs?|Fri|Satur|Sun)(?:day)?\b"
_FILLERS = re.compile(rf"(?<=\d)(?:st|nd|rd|th)\b|(?<=m)\.|,|\b(?:at|of|on|the)\b|{_WEEKDAY}", re.I)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DAY = (
    r"\d{4}[-/]\d\d[-/]\d\d|\d{1,2}\.\d{1,2}\.\d{4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? \d{{4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
)
_HOUR = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?"
WRITTEN = re.compile(
    rf"(?<![\w.])(?:(?:{_WEEKDAY}),? )?(?:{_DAY})(?:(?:T|,? (?:at )?)(?:{_HOUR}))?(?![\w-])"
    rf"|(?<![\w.])(?:{_HOUR})(?!\w)",
    re.I,
)
"""A date, a time or both within a text."""


@lru_cache(maxsize=4096)
def read_time(text: str, forms: tuple[str, ...], year: int | None = None) -> datetime | None:
    """A date, a time or both in one of the forms; None for anything else, such as a day with the
    name of another weekday. A day without a year is in `year`."""
    if not re.search(r"\d", text):
        return None
    named = {weekday[:3].title() for weekday in re.findall(_WEEKDAY, text, re.I)}
    text = re.sub(r"\b([ap])\.m\b", r"\1m", text.strip(" .\"'“”‘’"), flags=re.I)
    text = " ".join(re.sub(r"(?<=\d)T(?=\d)", " ", _FILLERS.sub(" ", text)).split())
    for written in (text, *([] if year is None else _with_year(text, year))):
        for form in forms:
            try:
                parsed = datetime.strptime(written, form)
            except ValueError:
                continue
            return parsed if "%d" not in form or named <= {f"{parsed:%a}"} else None
    return None


def _with_year(text: str, year: int) -> list[str]:
    """A day in words, with the year put behind it."""
    day = r"\d{1,2} [A-Za-z]{3,9}|[A-Za-z]{3,9} \d{1,2}(?![:\d])"
    return [] if re.search(r"\d{4}", text) else [re.sub(day, rf"\g<0> {year}", text, count=1)]
