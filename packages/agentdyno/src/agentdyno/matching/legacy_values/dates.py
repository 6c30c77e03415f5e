"""Days and months in the notations people use: a text in, places with readings out.

2004-09-03, 2004/09/03, 3 Sept 2004, September 3rd, 2004, 3.9.2004, 3. September 2004, 3 de
septiembre de 2004 are one day; 03/09/2004 may be two, and both are kept. "4 May" is a day without
its year.
"""

import re
from collections.abc import Iterator, Set
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from agentdyno.matching.legacy_values.letters import any_of, lowered

_NAMES = (
    ("jan", "january", "januar", "janvier", "enero", "gennaio", "janeiro", "januari", "stycznia"),
    ("feb", "february", "februar", "février", "fevrier", "febrero", "febbraio", "fevereiro",
     "lutego"),
    ("mar", "march", "märz", "maerz", "mars", "marzo", "março", "maart", "marca"),
    ("apr", "april", "avril", "abril", "aprile", "kwietnia"),
    ("may", "mai", "mayo", "maggio", "maio", "mei", "maja", "maj"),
    ("jun", "june", "juni", "juin", "junio", "giugno", "junho", "czerwca"),
    ("jul", "july", "juli", "juillet", "julio", "luglio", "julho", "lipca"),
    ("aug", "august", "août", "aout", "agosto", "augustus", "sierpnia"),
    ("sep", "sept", "september", "septembre", "septiembre", "settembre", "setembro", "września"),
    ("oct", "october", "oktober", "octobre", "octubre", "ottobre", "outubro", "okt",
     "października"),
    ("nov", "november", "novembre", "noviembre", "novembro", "listopada"),
    ("dec", "december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro",
     "dez", "grudnia", "desember"),
)  # fmt: skip
_FURTHER = (
    "tammikuuta января ledna ianuarie ocak gener ιανουαρίου januára január",
    "helmikuuta февраля února februarie şubat subat febrer φεβρουαρίου februára február",
    "maaliskuuta марта března martie mart març μαρτίου március",
    "huhtikuuta апреля dubna aprilie nisan απριλίου apríla április",
    "toukokuuta мая května mayıs mayis maig μαΐου mája május",
    "kesäkuuta июня června iunie haziran juny ιουνίου júna június",
    "heinäkuuta июля července iulie temmuz juliol ιουλίου júla július",
    "elokuuta августа srpna ağustos agustos agost αυγούστου augusta augusti augusztus",
    "syyskuuta сентября září eylül eylul setembre σεπτεμβρίου szeptember",
    "lokakuuta октября října octombrie ekim οκτωβρίου október",
    "marraskuuta ноября listopadu noiembrie kasım kasim νοεμβρίου november",
    "joulukuuta декабря prosince decembrie aralık aralik desembre δεκεμβρίου december",
)
"""Further names of the months, in Finnish, Russian, Czech, Romanian, Turkish, Catalan, Greek,
Slovak and Hungarian, as they stand in a date."""
_MONTHS = {
    name: number
    for number, (names, further) in enumerate(zip(_NAMES, _FURTHER, strict=True), 1)
    for name in (*names, *further.split())
}


_MONTH = any_of(_MONTHS) + r"\b\.?"
_DAY = r"(?P<d{n}>\d{{1,2}})(?:st|nd|rd|th|er|ème|\.|º|ª|°)?"
_ORDINALS = {
    word: number
    for number, word in enumerate(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
        thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
        twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth
        twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first""".split(),
        1,
    )
}
ORDINALS = {float(number): word for word, number in _ORDINALS.items() if word != "second"}
"""Numbers as places in a row; a second is a time, too."""
_ORDINAL = "(?:" + "|".join(sorted(_ORDINALS, key=len, reverse=True)) + ")"
_UNITS = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
BELOW_HUNDRED = {
    **{word: n for n, word in enumerate([*_UNITS, *_TEENS], 1)},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
    **{f"{t}-{u}": 10 * n + k for n, t in enumerate(_TENS, 2) for k, u in enumerate(_UNITS, 1)},
}
"""Counts in words."""
SPELLED = (
    "(?:"
    + "|".join(word.replace("-", "[- ]") for word in sorted(BELOW_HUNDRED, key=len, reverse=True))
    + ")"
)
"""Any of them, with a hyphen or a blank in it."""
_YEAR_WORDS = re.compile(
    rf"(?:two thousand(?:(?: and)? (?P<after>{SPELLED}))?|(?P<century>nineteen|twenty|eighteen)"
    rf"(?: hundred(?: and)?| oh)? (?P<rest>{SPELLED}))",
    re.IGNORECASE,
)
"""Nineteen sixty-eight, twenty twenty-five, two thousand and four."""
_YEAR = r"(?:(?:1\d|2[01])\d{2}|['’]\d{2}|" + re.sub(r"\?P<\w+>", "?:", _YEAR_WORDS.pattern) + ")"
_ROMAN = {r: n for n, r in enumerate("I II III IV V VI VII VIII IX X XI XII".split(), 1)}
_DATE = re.compile(
    r"(?<![\w.-])(?:"
    r"(?P<y1>\d{4})(?P<s1>[-/.])(?P<m1>\d{1,2})(?P=s1)(?P<d1>\d{1,2})(?!\w)"
    r"|(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<y2>\d{4}|(?<=[/.])\d{2})(?!\w|\.\d)"
    r"|" + _DAY.format(n=3) + r"(?:\s{1,2}(?:of|de))?[\s-]{1,2}(?P<m3>" + _MONTH + r")"
    r"(?:(?:,?\s{1,2}(?:de\s|of\s|del\s)?|-)(?P<y3>" + _YEAR + r")(?!\w))?"
    r"|(?P<m4>" + _MONTH + r")\s{1,2}(?:the\s)?" + _DAY.format(n=4) + r"(?![\d:]|,\d{3}(?!\d))"
    r"(?:(?:,\s{0,2}|\s{1,2})(?P<y4>" + _YEAR + r")(?![\w:]))?"
    r"|(?P<d5>" + _ORDINAL + r")\s(?:day\s)?(?:of\s)?(?P<m5>" + _MONTH + r")"
    r"(?:,?\s{1,2}(?:of\s)?(?P<y5>" + _YEAR + r")(?!\w))?"
    r"|(?P<m7>" + _MONTH + r")\s(?:the\s)?(?P<d7>" + _ORDINAL + r")"
    r"(?:,?\s{1,2}(?P<y7>" + _YEAR + r")(?!\w))?"
    r"|(?P<y10>\d{4})[.,]?\s(?P<m10>" + _MONTH + r")\s(?P<d10>\d{1,2})(?:st|nd|rd|th|\.)?(?![\d:])"
    r"|(?P<y8>\d{4})\s?[年년]\s?(?P<m8>\d{1,2})\s?[月월]\s?(?P<d8>\d{1,2})\s?[日일]"
    r"|(?P<d9>\d{1,2})(?P<s9>[./-])(?P<m9>(?-i:X?I{1,3}|IV|VI{0,3}|IX|XI{0,2}))(?P=s9)(?P<y9>\d{4})"
    r")(?!\w|-\d|\.\d)|(?<![\w.-])(?P<y6>\d{4})-(?P<m6>\d\d)-(?P<d6>\d\d)T(?=\d\d:\d\d)",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"(?<![\w.-])(?P<month>" + _MONTH + r")(?:,?\s{1,2}(?:of\s|de\s)?)(?P<year>\d{4})(?!\w)",
    re.IGNORECASE,
)
_FIGURES = r"\d(?:[-/.](?:\d{1,2}[-/.]\d|[ivx]{1,4}[./-]\d{4})|\s?[年년])"
"""What a day in figures holds: two marks between them."""
_HINT = re.compile(_FIGURES + r"|\b" + any_of(_MONTHS) + r"\b")
"""What every day and month holds, in lower case."""
_HINT_WORDS = frozenset([*_MONTHS, "年", "년"])
_HINT_FIGURES = re.compile(_FIGURES + "|[年년]")
AROUND = 60
"""Characters on either side of a hint within which all of a day stands."""
ISO_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
"""As records write a month; in a text it is an id as often."""


class StatedDate(NamedTuple):
    """A day where it stands."""

    days: tuple[date, ...]
    """Every day it may be; empty when its year is not written."""
    start: int
    end: int
    month_day: tuple[int, int] | None = None
    """Month and day where no year is written."""


class StatedMonth(NamedTuple):
    """A month with its year where it stands."""

    year: int
    month: int
    start: int
    end: int


@lru_cache(maxsize=2)
def _near_hints(text: str) -> tuple[tuple[int, int], ...]:
    """The stretches of a text in which a day or a month may stand: looking closely costs much.

    Remembered, since a text is read for days and then for months."""
    found: list[tuple[int, int]] = []
    start, end = 0, -1
    for hint in _HINT.finditer(lowered(text)):
        if hint.start() - AROUND > end:
            if end >= 0:
                found.append((start, end))
            start = max(0, hint.start() - AROUND)
        end = min(len(text), hint.end() + AROUND)
    return (*found, (start, end)) if end >= 0 else ()


def may_hold_days(words: Set[str], rest: str) -> bool:
    """Whether a text may hold a day, by its words in lower case and by all else between blanks:
    whoever has parted a text knows it at once, and most texts hold none."""
    return not _HINT_WORDS.isdisjoint(words) or _HINT_FIGURES.search(rest) is not None


def find_dates(text: str) -> Iterator[StatedDate]:
    """Every day of a text; several readings where the notation leaves it open."""
    for start, end in _near_hints(text):
        yield from _dates_within(text, start, end)


def _dates_within(text: str, start: int, end: int) -> Iterator[StatedDate]:
    for found in _DATE.finditer(text, start, end):
        if _is_modal(found):
            continue
        partial = _without_year(found)
        if partial is not None:
            if _day((2024, *partial)) is not None:
                yield StatedDate((), found.start(), found.end(), partial)
            continue
        days = tuple(day for day in map(_day, _readings(found)) if day is not None)
        if days:
            yield StatedDate(days, found.start(), found.end())


def _is_modal(found: re.Match[str]) -> bool:
    """Whether words only look like a day: "the first may be late" names no month."""
    loose = (found["d5"] and not found["y5"]) or (found["d7"] and not found["y7"])
    return bool(loose) and not re.search(r"\s(?:of|the)\s", found[0], re.IGNORECASE)


def _without_year(found: re.Match[str]) -> tuple[int, int] | None:
    for n in ("3", "4", "5", "7"):
        if found[f"m{n}"] and not found[f"y{n}"]:
            return month_number(found[f"m{n}"]), _day_number(found[f"d{n}"])
    return None


def _day_number(written: str) -> int:
    return int(written) if written.isdigit() else _ORDINALS[written.lower()]


def _readings(found: re.Match[str]) -> list[tuple[int, int, int]]:
    for n in ("1", "6", "8"):
        if found[f"y{n}"]:
            return [(int(found[f"y{n}"]), int(found[f"m{n}"]), int(found[f"d{n}"]))]
    if found["y10"]:
        return [(int(found["y10"]), month_number(found["m10"]), int(found["d10"]))]
    if found["y9"]:
        return [(int(found["y9"]), _ROMAN.get(found["m9"], 0), int(found["d9"]))]
    if found["y2"]:
        a, b = int(found["a"]), int(found["b"])
        pairs = [(a, b), (b, a)] if a != b else [(a, b)]
        return [(year, *pair) for year in _centuries(found["y2"]) for pair in pairs]
    n = next(n for n in ("3", "4", "5", "7") if found[f"y{n}"])
    year = _year_number(found[f"y{n}"])
    return [(year, month_number(found[f"m{n}"]), _day_number(found[f"d{n}"]))]


def _year_number(written: str) -> int:
    words = _YEAR_WORDS.fullmatch(written)
    if words is None:
        return _century(written.lstrip("'’"))
    rest = (words["after"] or words["rest"] or "").lower().replace(" ", "-")
    century = BELOW_HUNDRED[words["century"].lower()] * 100 if words["century"] else 2000
    return century + BELOW_HUNDRED.get(rest, 0)


def _century(year: str) -> int:
    short = int(year)
    return short if len(year) == 4 else short + (2000 if short < 70 else 1900)


def _centuries(year: str) -> tuple[int, ...]:
    """The years that two figures may be, the likelier first: 29.02.68 was or will be."""
    likely = _century(year)
    return (likely,) if len(year) == 4 else (likely, likely + (-100 if likely >= 2000 else 100))


def month_number(word: str) -> int:
    """The number of a month's name."""
    return _MONTHS[word.lower().rstrip(".")]


def names_of_month(number: int) -> list[str]:
    """Every name of a month."""
    return [name for name, each in _MONTHS.items() if each == number]


def _day(reading: tuple[int, int, int]) -> date | None:
    try:
        return date(*reading)
    except ValueError:
        return None


def find_months(text: str) -> Iterator[StatedMonth]:
    """Every month with a year; callers leave out those inside a whole date."""
    for start, end in _near_hints(text):
        for found in _PARTIAL.finditer(text, start, end):
            month = month_number(found["month"])
            yield StatedMonth(int(found["year"]), month, found.start(), found.end())
