"""Times of day and lengths of time, in all usual notations: text in, values out.

16:15 · 4.15 pm · 9h15 · quarter past nine · halb sieben · noon · 2:07.36 as a duration.
"""

import re
from collections.abc import Iterator

from agentdyno.matching.values.lexicon import SECONDS, Unit, number_words
from agentdyno.matching.values.value import Value

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
_DIGIT = re.compile(r"\d")


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
