"""How people tell a number without saying it, or say it of something else: a text in, places out.

Worked: 2 is "twice" and "came second"; 227 seconds are "3:47"; "5 % short of the goal" is 95 % of
it; "380 g per meal" is not 380 g a day, and "€132 for the four nights" not €132 a night.
"""

import math
import re
from collections.abc import Iterator, Sequence

from agentdyno.matching.legacy_values.clocks import Clock
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import Unit

_MINUTES_SECONDS = re.compile(r"(\d{1,2}):([0-5]\d)")
_PORTION = re.compile(
    r"\s?(?:/|per |an? |each |for each )\s?(?:meal|dose|serving|portion|person|head|tablet|feed"
    r"|visit"
    r"|session|trip|piece|cup)\b",
    re.IGNORECASE,
)
"""What a figure for each day is not said for."""
_COUNTS = re.compile(
    r"\s(?!(?:per|pct|points?|pp|in|out|on|and|with|or|as|at|for|from|but|to|today|now|by|so)\b)[a-z]"
)
_OFTEN = re.compile(r"\stimes\b(?! (?:as|the)\b)", re.IGNORECASE)
MOST_BARE = 1.5
"""Bare figures up to this may be parts of 1."""
_TOTALLED = re.compile(
    r"\s(?:for|over) (?:the |all |all of the )?(?:two|three|four|five|six|seven|eight|nine|ten"
    r"|\d{1,2})"
    r" (?:nights|days|weeks|months|years|hours)\b"
    r"(?! (?:each|apiece))|\s(?:in total|altogether|in all)\b",
    re.IGNORECASE,
)
"""What makes of a figure the sum of several, which a rate is not."""
_TWICE = re.compile(r"\btwice\b(?! (?:as|the|that|its|his|her|their)\b)", re.IGNORECASE)
SHORT = re.compile(
    r"(?:\spoints?)?\s(?:(?:is|are|remains?|still|left|just|yet)\s){0,2}(?:short\b|shy of|away from"
    r"|missing\b|to go\b|to (?:raise|reach|do|cover|collect)\b|(?:below|under|off) (?:the|your|our"
    r"|its|their) (?:\w+ )?(?:goal|target|quota|mark))",
    re.IGNORECASE,
)
"""What says how much is missing."""
_SECOND_PLACE = re.compile(
    r"\b(?:came|comes?|coming|finish(?:ed|es|ing)?|placed|rank(?:ed|s)?|in|took|is|was|were|lies)"
    r"\s(?:(?:a|the)\s)?(?:\w+\s)?second\b(?!\s(?:is|was|ago|or)\b)"
    r"|\bsecond(?=[\s-](?:place|rank|position|overall|out of|behind|in the)\b)",
    re.IGNORECASE,
)
"""The 2 of a place in a row; a second is a time, too."""


def told_as_words(answer: str, number: float) -> Iterator[tuple[int, int]]:
    """Came second, twice: a bare 2."""
    for pattern in (_SECOND_PLACE, _TWICE) if number == 2 else ():
        yield from (found.span() for found in pattern.finditer(answer))


def told_as_clock(
    answer: str, minutes: float, clocks: Sequence[Clock]
) -> Iterator[tuple[int, int]]:
    """A length as minutes and seconds or hours and minutes: 3:47 of 227 seconds."""
    for clock in clocks:
        if found := _MINUTES_SECONDS.fullmatch(answer, clock.start, clock.end):
            first, second = int(found[1]), int(found[2])
            lengths = (first + second / 60, 60.0 * first + second)
            if any(math.isclose(minutes, length) for length in lengths):
                yield clock.start, clock.end


def is_rate_of_another(answer: str, quantity: Quantity, wanted: Unit) -> bool:
    """Whether a figure is said of a meal or of all nights, where one of a day or a night is asked
    for; or of each hectare, where all is."""
    if " per " not in wanted.dimension:
        spread = quantity.under is not None and quantity.under.dimension == "area"
        return spread and wanted.dimension in ("mass", "volume")  # 62 t per hectare, of 62 t.
    if _TOTALLED.match(answer, quantity.end):
        return True
    timed = wanted.dimension.endswith(" per time") and quantity.under is None
    return timed and _PORTION.match(answer, quantity.end) is not None


def counts_things(answer: str, quantity: Quantity, wanted: Unit) -> bool:
    """Whether a bare figure counts what follows, where a part of 1 is asked for: "38 got out" is
    no share of 0.38, and "12 times a second" no length."""
    if quantity.unit is None and wanted.dimension == "time" and _OFTEN.match(answer, quantity.end):
        return True
    share = wanted.dimension == "percent" and wanted.factor != 1.0
    bare = quantity.unit is None and quantity.value > MOST_BARE
    return share and bare and _COUNTS.match(answer, quantity.end) is not None
