"""Dates and times of day in all usual notations: text in, values out.

2026-11-24 · 24.11.2026 · 11/24/2026 · 24 November · Nov 24th, 2026 · 24 de noviembre · 11月24日 ·
16:15 · 4.15 pm · 9h15 · quarter past nine · halb sieben · noon · 2:07.36 as a duration.

Worked: "5/4/2026" is the fifth of April, and the fourth of May as a second reading.
"""

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator
from functools import cache
from itertools import chain

from agentdyno.matching.values.lexicon import (
    SECONDS,
    Unit,
    ascii_months,
    lexicon,
    month_named,
    number_words,
)
from agentdyno.matching.values.numbers import ordinal
from agentdyno.matching.values.value import Value

_NUMERIC = re.compile(
    r"(?<![0-9A-Za-z_À-ɏ.,/-])(\d{1,4})([./-])(\d{1,2})\2(\d{2,4})(?![\w]|[./-]\d)(?=T\d|)"
)
_ISO = re.compile(r"(?<![0-9A-Za-z_À-ɏ-])(\d{4})[-/](\d{2})[-/](\d{2})(?=T\d|(?![\w-]))")
_SHORT = re.compile(
    r"(?:(?<=am )|(?<=vom )|(?<=bis )|(?<=zum )|(?<=den )|(?<=dem )|(?<=der )|(?<=ab "
    r"))(\d{1,2})\.(\d{1,2})\.(?!\d)|(?<![\d.,])(\d{1,2})\.(\d{1,2})\.(?=[,;)])"
)
_ASIAN = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?")
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
_MONTH_YEAR = re.compile(r"\b([^\W\d_]{3,})\.?,?\s(?:de\s|of\s)?(\d{4})(?!\d)")
_MONTH_OF = re.compile(r"(?<![\w./-])(0?[1-9]|1[0-2])[/.]((?:19|20)\d{2})(?![\w/])")
_LAST_DAY = re.compile(r"\b(?:last day|end|close) of ([^\W\d_]{3,})(?:,? (\d{4}))?", re.IGNORECASE)
_YEAR_MONTH = re.compile(r"(?<![0-9A-Za-z_À-ɏ-])((?:19|20)\d{2})-(0[1-9]|1[0-2])(?![\w-])")
_CLOCK = re.compile(
    r"(?<![0-9A-Za-z_À-ɏ:.,])(?P<h>[01]?\d|2[0-4])(?P<mark>[:.h]|\sh\s|\su\s|時|点|"
    r"时)(?P<m>[0-5]\d)?(?:(?P<m2>[0-5]?\d)?分)?"
    r"(?::(?P<s>[0-5]\d)(?:\.\d+)?)?\s?(?P<half>[ap]\.?\s?m\b\.?)?(?P<word>\s?(?:Uhr|hrs?|h\b|"
    r"o['’]clock|uur))?(?![0-9A-Za-z_:%]|[.,]\d)",
    re.IGNORECASE,
)
_HOUR = re.compile(
    r"(?<![0-9A-Za-z_À-ɏ:.,$€£])(1[0-2]|0?[1-9])\s?([ap])\.?\s?m\b\.?|"
    r"(?<![0-9A-Za-z_À-ɏ:.,])([01]?\d|2[0-4])\s(?:Uhr|heures|uur)\b(?!\s\d)|(?<=à )(2[0-4]|"
    r"[01]?\d)\s?h\b(?!\s?\d)",
    re.I,
)
_BARE_HOUR = re.compile(
    r"\b(?:at|from|until|till|by|before|around|to) (\d{1,2}|[a-z]{3,6})(?=[,;)]|\.(?!\d)|$|"
    r"\s(?:on|in|to|and|until|till|at|this|every|daily|sharp|each)\b)",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(?<![:\d.,-])\b(?:(?P<part>half|(?:a )?quarter|(?P<n>\d{1,2}|(?!\w+ (?:quarter|half))[a-z]+(?:[- ][a-z]+)?)(?: "  # noqa: E501
    r"minutes?)?) (?P<dir>past|to|after|before|till) (?P<hour>\d{1,2}(?![\d:.,%])|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)"
    r"|(?P<only>[a-z]+) o['’]clock|(?P<noon>noon|midday|midnight))\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"clock|noon|midday|midnight| (?:past|to|after|before|till) (?:\d|one|t|f|s|eight|nine|eleven)",
    re.IGNORECASE,
)
"""What every time in words has, and few texts have."""
_OTHERS = re.compile(
    r"\b(?:(?P<q>viertel|kwart|kvart) (?P<qd>nach|vor|over|voor|över|i) (?P<qh>\w+)|halb "
    r"(?P<hh>\w+)|half (?P<nh>\w+)(?= (?:uur|'s))"
    r"|(?P<fh>\w+) heures? (?P<fq>et quart|et demie|moins le quart)|las (?P<sh>\w+) (?P<sq>y "
    r"cuarto|y media|menos cuarto))\b",
    re.I,
)
_MORNING = re.compile(
    r"\s?[,(]?\s?(?:in the|this|tomorrow|early|am|de la|du|del|'s)?\s?(?:early )?(morning|"
    r"morgens|früh|matin|mañana|mattina|ochtends)\b",
    re.I,
)
_EVENING = re.compile(
    r"\s?[,(]?\s?(?:in the|this|at|am|de la|du|del|'s)?\s?(?:early |late )?(afternoon|evening|"
    r"night|tonight|abends|nachmittags?|abend|soir|après-midi|tarde|noche|sera|avonds|middags)\b",
    re.I,
)
_TONIGHT = re.compile(
    r"\b(?:tonight|this (?:evening|afternoon)|vanavond|heute Abend|ce soir|stasera|esta "
    r"noche)\b[^.!?]{0,30}\Z",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"(?<![0-9A-Za-z_À-ɏ:.,])(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d(?:[.,]\d+)?)(?![\w:])|"
    r"\bP(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?(?<=[DHMS])\b"
    r"|(?<![0-9A-Za-z_À-ɏ.,])(\d{1,3})['’′](\d{2})[\"”″]"
)
_COMPACT = re.compile(
    r"(?<![0-9A-Za-z_.,])(?=\d+\s?[dhm]\s?\d)(?:(\d{1,3})\s?d\s?)?(?:(\d{1,3})\s?h\s?)?(?:(\d{1,3"
    r"})(?:\s?m(?:in)?\s?|(?!\d)))?"
    r"(?:(\d{1,2})\s?s)?(?![\w])"
)
HALF_DAY, DAY = 720, 1440


_LETTERS = re.compile(r"[^\W\d_]{3,}")
_NO_LETTERS = bytes(n if n > 127 or chr(n).isalpha() else 32 for n in range(256))
"""Turns into blanks what is ASCII and no letter."""
_DIGIT = re.compile(r"\d")
_PARTED = re.compile(r"\d(?:[./-]\d{1,2}[./-]|[/.](?:19|20)\d\d|-(?:0[1-9]|1[0-2])(?![\w-]))")
"""Digits as marks part them in every date that is written in figures."""
_DOTTED = re.compile(r"\d\.\d{1,2}\.(?!\d)")
_RUN = re.compile(r"[\w\s.,'’-]+")
"""Signs of which dates with a month's name consist."""


_WORD_BEHIND = re.compile(r"\s(?:the )?([a-z]+(?:-[a-z]+)?)\b", re.IGNORECASE)


def _find_named(text: str) -> list[tuple[int, int]]:
    """Where months are named: runs, each with the sign behind it, that no date goes beyond. Few
    texts have any, and six patterns look for them."""
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
    others = b" ".join(run for run in runs if not run.isascii())
    words = _LETTERS.findall(others.decode("utf-8", "surrogatepass"))
    named = {word for word in words if word.casefold() in lexicon()["months"]}
    return named.union(run.decode() for run in runs if run.lower() in _encoded_months())


@cache
def _encoded_months() -> frozenset[bytes]:
    return frozenset(month.encode() for month in ascii_months() if len(month) > 2)


def _find_dated(text: str, name: str) -> Iterator[int]:
    """Where a month's name has beside it what every date has: `set`, `out` and `may` are mostly
    other words."""
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
    return chain.from_iterable(pattern.finditer(text, *place) for place in places)


def find_dates(text: str) -> Iterator[Value]:
    """Every date; of a numeric one both orders where both exist."""
    named_at = _find_named(text)
    in_figures = text if _PARTED.search(text) else ""
    if not named_at and not in_figures and "月" not in text:
        return
    for match in _ISO.finditer(in_figures):
        yield from _build_dates(match, int(match[1]), int(match[2]), int(match[3]))
    for match in _NUMERIC.finditer(in_figures):
        first, second, third = int(match[1]), int(match[3]), int(match[4])
        if len(match[1]) == 4:
            if match[2] != "-" or len(match[3]) < 2:
                yield from _build_dates(match, first, second, third)
        elif len(match[4]) in (2, 4):
            year = third + 2000 if len(match[4]) == 2 else third
            orders = [(second, first), (first, second)]
            valid = list(dict.fromkeys((m, d) for m, d in orders if 1 <= m <= 12 and 1 <= d <= 31))
            years = [year, year - 100] if len(match[4]) == 2 else [year]
            for count, (month, day) in enumerate(valid):
                for each in years:
                    yield from _build_dates(match, each, month, day, sure=count == 0)
    for match in _SHORT.finditer(text if _DOTTED.search(in_figures) else ""):
        yield from _build_dates(match, None, int(match[2] or match[4]), int(match[1] or match[3]))
    for match in _ASIAN.finditer(text if "月" in text else ""):
        yield from _build_dates(
            match,
            int(match[1]) if match[1] else None,
            int(match[2]),
            int(match[3]) if match[3] else None,
        )
    for match in _each(_DAY_MONTH, text, named_at):
        if named := month_named(match[2]):
            yield from _build_dates(
                match, int(match[3]) if match[3] else None, named, int(match[1])
            )
    for match in _each(_MONTH_DAY, text, named_at):
        if named := month_named(match[1]):
            yield from _build_dates(
                match, int(match[3]) if match[3] else None, named, int(match[2])
            )
    for match in (*_each(_WORD_DAY, text, named_at), *_each(_DAY_WORD, text, named_at)):
        names = (match[1], match[2]) if match.re is _WORD_DAY else (match[2], match[1])
        if (named := month_named(names[0])) and (place := ordinal(names[1])):
            yield from _build_dates(match, int(match[3]) if match[3] else None, named, place)
    for match in _each(_LAST_DAY, text, named_at):
        if named := month_named(match[1]):
            ended = int(match[2]) if match[2] else None
            last = monthrange(ended or 2001, named)[1]
            yield from _build_dates(match, ended, named, last)
    for match in _each(_MONTH_YEAR, text, named_at):
        if named := month_named(match[1]):
            yield from _build_dates(match, int(match[2]), named, None)
    for match in _MONTH_OF.finditer(in_figures):
        yield from _build_dates(match, int(match[2]), int(match[1]), None)
    for match in _YEAR_MONTH.finditer(in_figures):
        yield from _build_dates(match, int(match[1]), int(match[2]), None)


def _build_dates(
    match: re.Match[str], year: int | None, month: int, day: int | None, sure: bool = True
) -> Iterator[Value]:
    if 1 <= month <= 12 and (day is None or 1 <= day <= 31):
        yield Value("date", *match.span(), date=(year, month, day), sure=sure)


def find_times(text: str, language: str) -> Iterator[Value]:
    """Every time of day; where the half of the day is not stated, the other one too, unsure."""
    in_figures = text if _DIGIT.search(text) else ""
    for match in _CLOCK.finditer(in_figures):
        minutes = match["m"] or match["m2"]
        mark = match["mark"]
        if (
            minutes is None
            and mark not in ("時", "点", "时")
            and not (mark == "h" and not match["s"])
        ):
            continue
        plain = mark == "." and not match["half"] and not match["word"]
        before = text[max(0, match.start() - 3) : match.start()]
        asian = re.search("(午後|下午|晚上)\\Z", before)
        half = (match["half"] or ("p" if asian else "")).lower()[:1]
        at = int(match["h"]) * 60 + int(minutes or 0)
        if not (plain and len(match["m"] or "") < 2):
            yield from _add_times(text, match.start(), match.end(), at, half, plain)
    for match in _HOUR.finditer(in_figures):
        hour = int(match[1] or match[3] or match[4])
        yield from _add_times(text, *match.span(), hour * 60, (match[2] or "").lower(), False)
    for match in _BARE_HOUR.finditer(text):
        if (bare := _number(match[1])) and bare <= 24:
            for value in _add_times(text, match.start(1), match.end(), bare * 60, "", True, True):
                yield value._replace(sure=False)
    for match in _WORDS.finditer(text if _SPOKEN.search(text) else ""):
        if (spoken := _parse_worded(match)) is not None:
            half = "p" if match["noon"] else ""
            if match["noon"]:
                yield Value(
                    "time",
                    *match.span(),
                    number=float(0 if match["noon"].lower() == "midnight" else HALF_DAY),
                )
            else:
                # "2 to 8" is a range more often than a time.
                is_weak = match["dir"] is not None and (match["n"] or "").isdigit()
                yield from _add_times(text, *match.span(), spoken, half, is_weak, True)
    if language != "en":
        for match in _OTHERS.finditer(text):
            if (spoken := _foreign(match, language)) is not None:
                yield from _add_times(text, *match.span(), spoken, "", False, True)


def _add_times(
    text: str, start: int, end: int, at: int, half: str, weak: bool, spoken: bool = False
) -> Iterator[Value]:
    if not half and at <= HALF_DAY + 59:
        half = "a" if _MORNING.match(text, end) else "p" if _EVENING.match(text, end) else ""
        half = half or ("p" if _TONIGHT.search(text, max(0, start - 45), start) else "")
    if half == "p" and at < HALF_DAY:
        at += HALF_DAY
    elif half == "a" and at >= HALF_DAY:
        at -= HALF_DAY
    yield Value("time", start, end, number=float(at % DAY), sure=not weak, spelled=spoken)
    if not half and 0 < at < HALF_DAY + 60:
        yield Value(
            "time", start, end, number=float((at + HALF_DAY) % DAY), sure=False, spelled=spoken
        )


def _number(word: str, language: str = "en") -> int | None:
    return (
        int(word)
        if word.isdigit()
        else number_words(language).get(word.casefold().replace("-", " "))
    )


def _parse_spoken(words: str) -> int | None:
    """A number, or that of the last word: "at ten"."""
    return _number(words) if _number(words) is not None else _number(words.split(" ")[-1])


def _parse_worded(match: re.Match[str]) -> int | None:
    if match["noon"]:
        return 0
    if match["only"]:
        hour = _number(match["only"])
        return hour * 60 if hour and hour <= 12 else None
    part = match["part"].lower()
    minutes = (
        30
        if part == "half"
        else 15
        if "quarter" in part
        else _parse_spoken((match["n"] or "").split(" min")[0])
    )
    hour = 12 if match["hour"].lower() in ("noon", "midnight") else _number(match["hour"])
    spoken = "minute" in part or not (match["n"] or "").isdigit()
    if minutes is None or hour is None or hour > (24 if spoken else 12) or minutes > 59:
        return None
    return (
        hour * 60 + minutes
        if match["dir"].lower() in ("past", "after")
        else (hour * 60 - minutes) % DAY
    )


def _foreign(match: re.Match[str], language: str) -> int | None:
    word = match["qh"] or match["hh"] or match["nh"] or match["fh"] or match["sh"]
    hour = _number(word, language)
    if hour is None or hour > 24:
        return None
    if match["hh"] or match["nh"]:
        return hour * 60 - 30
    reported = (match["qd"] or match["fq"] or match["sq"]).lower()
    if reported in ("et demie", "y media"):
        return hour * 60 + 30
    return hour * 60 + (15 if reported in ("nach", "over", "över", "et quart", "y cuarto") else -15)


def find_clock_durations(text: str) -> Iterator[Value]:
    """2:07.36, 1:15:30, 1h27m, PT2H14M and 31'47" as lengths of time, second readings of clocks."""
    if not _DIGIT.search(text):
        return
    for match in _COMPACT.finditer(text):
        sizes = zip(match.groups(), (86400, 3600, 60, 1), strict=True)
        yield Value(
            "number", *match.span(), float(sum(int(n) * size for n, size in sizes if n)), SECONDS
        )
    for match in _DURATION.finditer(text):
        if match[8]:
            yield Value(
                "number", *match.span(), int(match[8]) * 60.0 + int(match[9]), SECONDS, sure=False
            )
        elif match[3]:
            parts = [float((part or "0").replace(",", ".")) for part in match.groups()[:3]]
            long = parts[0] * 3600 + parts[1] * 60 + parts[2]
            yield Value("number", *match.span(), long, SECONDS, sure=False)
            if not match[1]:
                yield Value(
                    "number",
                    *match.span(),
                    parts[1] * 60 + parts[2],
                    Unit("time", 60.0),
                    sure=False,
                )
        else:
            days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[3:7])
            total = days * 86400 + hours * 3600 + minutes * 60 + seconds
            yield Value("number", *match.span(), float(total), SECONDS)


def weekday_names() -> dict[str, int]:
    """Names of weekdays in all locales; 0 is Monday."""
    names: dict[str, int] = lexicon()["weekdays"]
    return names
