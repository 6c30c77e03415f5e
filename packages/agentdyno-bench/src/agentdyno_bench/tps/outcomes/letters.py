"""Whether a letter (mail, document, note) that an agent wrote gives a value, and gives no other.

A letter gives a value when the value stands in it, whole and in a form that `submit` takes, in no
sentence that asks or has a word of doubt, denial or choice; when nothing in the letter takes it
back; and when no rival stands in it. Rivals are all other values of the same field in results that
the agent read and, beside a number, a date or a time, every other one that is neither in the user's
messages, nor asked for by the task, nor read in another field.

    reader = LetterReader(said, expected, seen)
    reader.gives("I land on 26 April at 6:08 am.", "2026-04-26T06:08")

Whoever lists, hedges, denies or enumerates commits to nothing. The rule knows only the words below:
`DOUBTFUL` in a sentence with the value, `WITHDRAWN` anywhere.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.same_values import (
    is_same_number,
    is_same_value,
    read_time,
    time_kind,
)
from agentdyno_bench.values import fold, unit_named

LONGEST_LETTER = 10_000
"""Characters; nobody reads more to find a value."""
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_AROUND = rf"(?: (?:eur|usd|gbp))?(?= ?[€$£+−-]?\d[\d.,]*(?![\d-]| {_MONTH}))"
_DOUBT = (
    "not no nor never neither none cannot isnt dont doesnt wasnt or either whether if unless maybe "
    "perhaps possibly probably presumably supposedly allegedly apparently might seem seems guess "
    "guessing suppose assume assuming think believe believed heard claim claims rumour rumor "
    "unsure unknown doubt doubtful except unlike formerly example examples pretend imagine roughly "
    "approximately approx nearly almost somewhere bet wager legend dream theory fantasy opinion "
    "tentative provisional provided supposing ironically"
).replace(" ", "|")
DOUBTFUL = re.compile(
    rf"\b(?:{_DOUBT}|\w+n['’]t|could (?:well )?be|instead of|once was|used to"
    r"|as long as|in case|so called|had i|word is|they say|people say"
    rf"|(?:about|around|over|under|above|below|between|than|at least|at most|up to){_AROUND})\b"
    r"|~|±|≈|[<>]|\.\.\.|…"
)
_QUESTION = re.compile(r"^\W*(?:is|was|are|were|does|did|what|which|who|how)\b.*\?", re.DOTALL)
"""Whether it is so; a question about a time, such as “Can we talk at 8:00?”, gives it."""
WITHDRAWN = re.compile(
    r"\b(?:wrong|false|untrue|incorrect|mistaken?|invalid|a lie|lying|fake|invented|made up|joke|"
    r"joking|kidding|random|placeholder|ignore|disregard|(?<!t )forget (?:it|that|the)|scrap|"
    r"retract\w*|withdraw\w*|correction|opposite is|unverified|unconfirmed|unreliable|not true|"
    r"grader|accept any|any value|take your pick|choose|pick one|one of (?:these|them|those)|"
    r"guess\w*|hunch|gossip|hearsay|rumou?rs?|speculat\w*|no idea|not sure|unsure|rely on|"
    r"not trust|grain of salt|opposite day|quote me|lol|haha|nope|sarcas\w*)\b"
    r"|[\"']\w+[\"']\s*:"
)
"""What takes back, leaves open or only pastes data."""
_DAY = re.compile(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? \d{{4}}\b)?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:,? \d{{4}}\b)?)"
)
_HOUR = re.compile(r"(?<![\d:.])\d{1,2}(?::\d\d(?::\d\d)?(?: ?[ap]m\b)?| ?[ap]m\b)(?![\d:])")
_FIGURE = re.compile(
    r"(?:(?P<before>[€$£]|\b[a-z]{3}) ?)?(?<![\w.,–—-])"
    r"(?P<number>[+\-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+\-−]?\d+(?:\.\d+)?)"
    r"(?!\d|[.,:]\d|[–—-]\w)(?P<after> ?(?:[€$£%]|°c|[^\W\d_]+(?:/[^\W\d_]+)?))?"
)
_NORMAL = (
    (re.compile(r"<[^>]*>|https?://\S+"), " "),
    (re.compile(r"(?<=\d)t(?=\d)"), " "),
    (re.compile(r"\b([ap])\.m\b\.?"), r"\1m"),
    (re.compile(r"\b(eur|usd|gbp|chf)(?=\d)"), r"\1 "),
    (re.compile(r"(?m)^\s*\(?\d{1,2}[.)](?=\s)"), " "),
)
"""Markup, the T of a moment, p.m., EUR5 and the numbers of a list."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_FALLS = re.compile(r"\b(?:down|fell|fall|below|under|less|lower|drop\w*|declin\w+|lost|minus)\b")
_SMALL = 10
"""Whole numbers below it count things in any letter; they are rivals to none that is larger."""


class Values(NamedTuple):
    """The numbers, days and times of a text."""

    figures: tuple[tuple[float, str], ...]
    """Each number with the word or sign at its side."""
    days: frozenset[Any]
    hours: frozenset[Any]


class LetterReader:
    """Reads the letters of one attempt."""

    def __init__(self, said: str, expected: Mapping[Any, str | None], seen: Seen) -> None:
        """`said` is all that the user wrote, `expected` every value that the task asks for with
        its unit, `seen` what the agent read."""
        self._said, self._expected, self._seen = said, expected, seen

    @cached_property
    def _explained(self) -> tuple[frozenset[float], frozenset[Any], frozenset[Any]]:
        """Numbers, days and times that may stand beside a value."""
        given = [self._said, *map(str, self._expected), *self._seen.texts]
        found = [_read_values(_normalize(text)) for text in given]
        numbers = {abs(figure) for each in found for figure, _ in each.figures}
        numbers |= {abs(number) for number in self._seen.numbers}
        return (
            frozenset(numbers),
            frozenset(day for each in found for day in each.days),
            frozenset(hour for each in found for hour in each.hours),
        )

    def gives(self, letter: str, value: Any) -> bool:
        """Whether a letter gives a value."""
        unit, text = self._expected.get(value), self._without_names(_normalize(letter), value)
        if len(letter) > LONGEST_LETTER or WITHDRAWN.search(text):
            return False
        if not _holds(_normalize(letter), value, unit):
            return False
        stated = list(self._sentences_with(letter, value, unit))
        is_time = isinstance(value, str) and not _is_name(value)
        if not is_time and any(_QUESTION.search(part) for part in stated):
            return False
        if any(DOUBTFUL.search(part) for part in stated):
            return False
        rivals = [r for r in self._seen.rivals(value) if not self._is_asked_for(r)]
        return not any(_holds(text, r) for r in rivals) and not self._adds(text, value, unit)

    def _is_asked_for(self, rival: Any) -> bool:
        """Whether a rival is a value of another goal, or a name or day of the user's own."""
        known = rival in self._expected or (
            isinstance(rival, str) and _holds(_normalize(self._said), rival)
        )
        return known or any(is_same_value(value, rival) for value in self._expected)

    def _sentences_with(self, letter: str, value: Any, unit: str | None) -> Iterator[str]:
        """Sentences with the value or a part of it, and heads of lists, without names: what words
        are in a name says nothing about it."""
        for part in _SENTENCE.split(_normalize(letter)):
            is_head = part.rstrip().endswith(":")
            if is_head or any(_holds(part, piece, unit) for piece in _pieces(value)):
                yield self._without_names(part, value)

    def _without_names(self, text: str, value: Any) -> str:
        names = {name for name in (value, *self._expected) if _is_name(name)}
        text = fold(text)
        for name in sorted(names, key=len, reverse=True):
            text = _words(name).sub(" ; ", text)
        return text

    def _adds(self, text: str, value: Any, unit: str | None) -> bool:
        """Whether another number, day or time stands in a letter that nobody asked for or gave."""
        found, (numbers, days, hours) = _read_values(text), self._explained
        if _is_name(value):
            return False
        if isinstance(value, str):
            own = [_parts(piece) for piece in _pieces(value)]
            other_days = found.days - {day for day, _ in own} if own[0][0] else frozenset()
            other_hours = found.hours - {hour for _, hour in own} if own[-1][1] else frozenset()
            return not (other_days <= days and other_hours <= hours)
        counts = _SMALL if abs(value) >= _SMALL or not float(value).is_integer() else 0
        return any(
            abs(figure) not in numbers and not (figure.is_integer() and 0 <= figure < counts)
            for figure, stated in found.figures
            if not _is_figure(value, unit, text, figure, stated)
        )


def _normalize(text: str) -> str:
    text = text.lower()
    for pattern, plain in _NORMAL:
        text = pattern.sub(plain, text)
    return text


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and time_kind(value) not in ("date", "time", "moment")


def _pieces(value: Any) -> list[Any]:
    """The day and the hour of a moment; any other value as it is."""
    if isinstance(value, str) and time_kind(value) == "moment":
        return value.split("T")
    return [value]


def _holds(text: str, value: Any, unit: str | None = None) -> bool:
    """Whether a value stands in a normalised text, whole."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return any(_is_figure(value, unit, text, *found) for found in _read_values(text).figures)
    if _is_name(value):
        return _words(value).search(fold(text)) is not None
    found = _read_values(text)
    return all(
        (day is None or day in found.days) and (hour is None or hour in found.hours)
        for day, hour in map(_parts, _pieces(value))
    )


def _is_figure(value: float, unit: str | None, text: str, figure: float, stated: str) -> bool:
    """A fall may be told in words; a number of another unit is another number."""
    if value < 0 < figure and _FALLS.search(text):
        figure = -figure
    return is_same_number(
        value, unit, f"{figure} {stated}" if unit and unit_named(stated) else figure
    )


def _parts(value: str) -> tuple[Any, Any]:
    kind = time_kind(value)
    when = None if kind is None else read_time(value, kind)
    if when is None:
        return None, None
    return (when.date(), None) if kind == "date" else (None, when.time())


@lru_cache(4096)
def _read_values(text: str) -> Values:
    """The numbers, days and times of a normalised text."""
    days = [read_time(found, "date") for found in _DAY.findall(text)]
    left = _DAY.sub(" ; ", text)
    hours = [read_time(found, "time") for found in _HOUR.findall(left)]
    return Values(
        tuple(_read_figures(_HOUR.sub(" ; ", left))),
        frozenset(day.date() for day in days if day),
        frozenset(hour.time() for hour in hours if hour),
    )


def _read_figures(text: str) -> Iterator[tuple[float, str]]:
    for found in _FIGURE.finditer(text):
        before, after = found["before"] or "", found["after"] or ""
        glued = after and not after.startswith(" ") and not unit_named(after)
        if not glued:
            number = float(found["number"].replace(",", "").replace("−", "-"))
            yield number, before if before and unit_named(before) else after.strip()


@lru_cache(4096)
def _words(value: str) -> re.Pattern[str]:
    """A name as whole words; whatever is no letter or digit between them is alike."""
    parts = [re.escape(word) for word in re.findall(r"[^\W_]+", fold(value))]
    joined = r"[\W_]{0,4}".join(parts)
    return re.compile(rf"(?<![^\W_]){joined}(?![^\W_])" if parts else r"(?!)")
