"""Times of day in the notations people use: a text in, places with readings out.

16:15, 4:15 PM, 4.15 p.m., a quarter past four in the afternoon are one time.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from agentdyno.matching.legacy_values.dates import BELOW_HUNDRED, SPELLED
from agentdyno.matching.legacy_values.letters import any_of, lowered

_TWELVE = "one two three four five six seven eight nine ten eleven twelve".split()
_HOUR = any_of(_TWELVE)
_CLOCK = re.compile(
    r"(?<![\w.:])(?P<h>\d{1,2})(?:(?P<sep>[:.h]|\s?Uhr\s|(?:(?<=à\s\d)|(?<=à\s\d\d))\sh\s)(?P<m>\d{2})(?:(?<=h\d\d)min\b|:(?P<s>\d{2})(?:\.\d{1,9})?)?)?"
    r"(?:\s?(?P<half>[ap])(?:\.\s?m\.?|m\b)|(?P<clock>\s?(?:uhr|uur|hrs|heures)\b))?(?P<zone>\s?(?:Z|UTC|GMT|CET|(?:\+|(?<=:\d\d:\d\d)-)\d{2}:?\d{2}))?(?!\w|:\d|\.\d)",
    re.IGNORECASE,
)
_TIME_WORDS = re.compile(
    r"\b(?:(?P<past>quarter|half|ten|twenty[- ]five|twenty|five|(?:" + SPELLED + r"|\d{1,2})"
    r"(?=\sminutes?\s)|" + SPELLED + r"(?=\spast\s))"
    r"(?:\sminutes?)?\s(?P<way>past|to|after|before|till)"
    r"\s(?P<hour>" + _HOUR + r"|noon|midday|midnight|\d{1,2})"
    r"|(?P<named>noon|midday|midnight)"
    r"|half\s(?P<british>" + _HOUR + r")(?!\s[a-z]+s\b)"
    r"|(?P<bare>" + _HOUR + r")"
    r"(?=\s(?:in the (?:morning|afternoon|evening)|at night|[ap]\.?m\b))"
    r"|(?P<oclock>" + _HOUR + r"|\d{1,2})\s?"
    r"o['’]clock"
    r"|(?P<told>" + _HOUR + r")[ -]"
    r"(?P<minute>" + SPELLED + r")(?=[\s,]{1,2}(?:in the (?:morning|afternoon|evening)|at night"
    r"|[ap]\.?m\b))"
    r"|(?P<military>(?:[01]\d|2[0-3])[0-5]\d(?=\s?(?:hours|hrs|h|UTC|GMT|Z)\b)"
    r"|(?:(?<=\bat\s)|(?<=\bETA\s)|(?<=\bby\s)|(?<=\buntil\s)|(?<=\bfrom\s))0\d[0-5]\d"
    r"(?![.,:%]\d)))\b",
    re.IGNORECASE,
)
_TIME_HINT = re.compile(
    r"[\s,](?:half\s[a-z]|(?:past|to|after|before|till)\s(?:\d|"
    + _HOUR
    + r")|in the (?:morning|afternoon|evening)|at night|[ap]\.?m\b)"
    r"|noon|midday|midnight|o['’]clock|\d{4}\s?(?:h|utc|gmt|z\b)|\s0\d{3}\b"
)
"""What every time in words holds, in lower case."""
_PART_OF_DAY = re.compile(
    r"[\s,]{0,2}(?:(?:in the|this|that|tomorrow|on \w{6,9})\s)?"
    r"(?P<part>morning|afternoon|evening|at night|tonight|a\.?m\b\.?|p\.?m\b\.?)",
    re.IGNORECASE,
)
_HOURS = {word: n for n, word in enumerate(_TWELVE, 1)}
_HOURS |= {"noon": 12, "midday": 12, "midnight": 12}
_PAST = {"quarter": 15, "half": 30, **BELOW_HUNDRED}
_UNTIL = re.compile(r"\s?(?:-|–|—|to|until|till|and)\s?", re.IGNORECASE)


class Clock(NamedTuple):
    """A time of day where it stands."""

    minutes: tuple[int, ...]
    """Minutes since midnight; two readings where morning or evening is not said in words."""
    start: int
    end: int


def find_clocks(text: str) -> Iterator[Clock]:
    """Every time of day."""
    clocks = [(clock, found) for found in _CLOCK.finditer(text) if (clock := _clock(text, found))]
    for n, (clock, found) in enumerate(clocks):
        later = clocks[n + 1 : n + 2]
        if later and not found["half"] and _goes_until(text, clock, later[0]):
            clock = clock._replace(minutes=(clock.minutes[0] + 720, clock.minutes[0]))
        yield clock
    if _TIME_HINT.search(lowered(text)):
        for found in _TIME_WORDS.finditer(text):
            if clock := _in_words(text, found):
                yield clock


def _goes_until(text: str, first: Clock, later: tuple[Clock, re.Match[str]]) -> bool:
    """Whether a time before noon may be one after it, which only the end says: 6:15–8:00 pm."""
    second, found = later
    late = (found["half"] or "").lower() == "p"
    between = text[first.end : second.start]
    return late and 60 <= first.minutes[0] < 720 and _UNTIL.fullmatch(between) is not None


def _clock(text: str, found: re.Match[str]) -> Clock | None:
    hour, minute = int(found["h"]), int(found["m"] or 0)
    half = (found["half"] or "").lower()
    called = (found["clock"] or "").strip().lower()
    if found["sep"] is None and not half and called not in ("uhr", "uur"):
        return None
    if found["sep"] == "." and not half and not called:
        return None
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12) or (hour == 24 and minute):
        return None
    end = found.end()
    if not half and (part := _PART_OF_DAY.match(text, end)) and hour <= 12:
        half, end = _half(part["part"], hour), part.end()
    return Clock((_minutes(hour, minute, half),), found.start(), end)


def _in_words(text: str, found: re.Match[str]) -> Clock | None:
    if named := found["named"]:
        return Clock((0 if named.lower() == "midnight" else 720,), found.start(), found.end())
    if written := found["military"]:
        minutes = int(written[:2]) * 60 + int(written[2:])
        return Clock((minutes,), found.start(), found.end())
    word = next(found[n] for n in ("hour", "oclock", "told", "british", "bare") if found[n]).lower()
    hour = _HOURS.get(word) or int(word) if word in _HOURS or word.isdigit() else 0
    if not 1 <= hour <= 24:
        return None
    minute = 30 if found["british"] else 0
    if past := found["past"]:
        minute = _minute(past)
        if found["way"].lower() in ("to", "before", "till"):
            hour, minute = (hour - 1) or 12, 60 - minute
    elif found["minute"]:
        minute = _minute(found["minute"])
    if not 0 <= minute < 60:
        return None
    end = found.end()
    if hour <= 12 and (part := _PART_OF_DAY.match(text, end)):
        half = _half(part["part"], hour)
        return Clock((_minutes(hour, minute, half),), found.start(), part.end())
    if word in ("noon", "midday", "midnight"):
        at = (0 if word == "midnight" else 720) + minute - (60 if hour == 11 else 0)
        return Clock((at % 1440,), found.start(), end)
    both = {_minutes(hour, minute, "a"), _minutes(hour, minute, "p")}
    readings = tuple(sorted(both)) if hour <= 12 else (hour * 60 + minute,)
    return Clock(readings, found.start(), end)


def _minute(written: str) -> int:
    return int(written) if written.isdigit() else _PAST[written.lower().replace(" ", "-")]


def _half(part: str, hour: int) -> str:
    low = part.lower().replace(".", "")
    if low in ("afternoon", "evening", "pm", "tonight"):
        return "p"
    if low == "at night":
        return "p" if hour >= 6 and hour != 12 else "a"
    return "a"


def _minutes(hour: int, minute: int, half: str) -> int:
    if half == "p" and hour < 12:
        hour += 12
    if half == "a" and hour == 12:
        hour = 0
    return (hour * 60 + minute) % 1440
