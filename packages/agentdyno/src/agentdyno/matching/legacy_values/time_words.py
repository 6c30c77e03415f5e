"""Further ways to name one known time of day, and times that only round it.

These would be too loose to read out of any text ("nine thirty" may be a price), so they are only
looked for where the time is known.

Worked: 09:30 is "nine thirty", "9.30" and "halb zehn", 20:00 is "8 tonight"; "just after noon"
rounds 12:07.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from agentdyno.matching.legacy_values.clocks import Clock
from agentdyno.matching.legacy_values.foreign_times import times_in_words

_HOURS = "twelve one two three four five six seven eight nine ten eleven".split()
_ONES = "oh one two three four five six seven eight nine ten eleven twelve".split()
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty"}
_LATE = r"(?:tonight|(?:this|tomorrow|\w+day) (?:evening|afternoon|night))"
_EARLY = r"(?:(?:this|tomorrow|\w+day) morning)"
_ENDS = (
    r"(?=\s?[;!?)]|[.,](?:\s|\Z)|\s?\Z|\s(?:on|today|tomorrow|sharp|and|but|every|in the|this)\b)"
    r"(?! in the (?!morning|afternoon|evening))"
)
"""What may stand behind an hour that has no sign: it opens at 11 on Sunday."""
_ROUNDS = re.compile(
    r"(?:\b(?:just|shortly|right|soon|a (?:little|bit)|slightly|not long|minutes|well) "
    r"(?:after|before|past|ahead of)|\b(?:around|about|roughly|approximately|nearly|almost|towards?"
    r"|close to|gone|past)|~|≈)\s\Z",
    re.IGNORECASE,
)
NEAR = 30
"""Minutes that a time may be off by where it is only rounded."""
_A_DAY = 1440


def time_in_words(text: str, minutes: int) -> Iterator[tuple[int, int]]:
    """Where a text names the time in one of these ways."""
    for found in _ways(minutes).finditer(text):
        yield found.span()


@lru_cache(maxsize=1440)
def _ways(minutes: int) -> re.Pattern[str]:
    hour, minute = divmod(minutes, 60)
    said = _HOURS[hour % 12]
    figures = rf"(?<![\d.,$€£]){hour:d}\.{minute:02}(?!\d|[.,]\d|\s?[%€$£°])"
    ways = [figures, figures.replace(f"){hour:d}", f")0{hour:d}")] if hour < 10 else [figures]
    if minute:
        ways += [rf"\b{said}[ -]{words}\b" for words in _minute_words(minute)]
    else:
        part = _LATE if hour >= 12 else _EARLY
        until = r"\s?(?:–|-|to|until|till)\s?(?=\d{1,2}(?:[:.]\d\d|\s?[ap]\.?m))"
        ways.append(rf"(?<![\d:.,$€£])\b(?:{hour % 12 or 12}|{said})(?: {part}|{until})")
        ways.append(rf"(?<=\bat )(?:{hour}|{hour % 12 or 12}|{said}){_ENDS}")
    ways += times_in_words(minutes)
    return re.compile("|".join(ways), re.IGNORECASE)


def _minute_words(minute: int) -> list[str]:
    if minute < 10:
        return [f"oh[ -]{_ONES[minute]}"]
    if minute < 20:
        return [[*_ONES[10:], *_TEENS][minute - 10]]
    tens, ones = minute // 10 * 10, minute % 10
    return [_TENS[tens] + (f"[ -]{_ONES[ones]}" if ones else "")]


def rounds_time(text: str, clock: Clock, known: Collection[int]) -> bool:
    """Whether a time is said to be about one of the known: "shortly before six" of 5:52."""
    if _ROUNDS.search(text[max(0, clock.start - 24) : clock.start]) is None:
        return False
    return any(
        min((minute - other) % _A_DAY, (other - minute) % _A_DAY) <= NEAR
        for minute in clock.minutes
        for other in known
    )
