"""What an answer adds that no source holds: a reading and the sources in, inventions out.

Sources are what the tools returned, what the user said and what the calls were given. A stated
value is supported when it stands there or follows from what stands there (`values.is_derived`).
What is asked, denied, quoted or only possible is no addition of the answer. Every figure besides
the asked ones is handed on too, with how it is supported: what follows from others may do so by
chance (`features`).
"""

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from agentdyno.findings.failures.new_words import stems_of
from agentdyno.matching.commitments import Commitment, Reading
from agentdyno.matching.values import (
    Value,
    compare,
    expect_leaf,
    fold,
    is_derived,
    read_values,
)
from agentdyno.matching.values.calendar import weekday_names
from agentdyno.matching.values.leaves import leaves
from agentdyno.matching.values.lexicon import month_named

A_NAME, A_FIGURE, A_DIGIT = 1.0, 0.7, 0.3
"""Weight of a name, of a figure and of a bare digit without a source."""
_NAME = re.compile(
    r"(?:(?<=[a-zß-ÿ,;] )|(?<=[a-zß-ÿ,;] [\"“‘(]))(?:(?:Dr|Mr|Ms|Mrs|Prof|MV|MS|SS|Captain|Judge|"
    r"Sir)\.?\s)?[A-Z][\w'’-]+(?:\s(?:(?:de|van|von|der|of|la|&)\s)?[A-Z][\w'’-]+)+"
    r"|(?:Dr|Mr|Ms|Mrs|Prof|MV)\.?\s[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)*"
)
_IDENTIFIER = re.compile(r"(?<![\w/.@-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/@-])")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s)>\]]+")
_CONSTANTS = {
    (24.0, 3600.0),
    (60.0, 60.0),
    (7.0, 86400.0),
    (12.0, 1.0),
    (365.0, 86400.0),
    (52.0, 604800.0),
}
_AGO = re.compile(r"\s(?:ago|from (?:now|today)|away|to go|left|remaining)\b")
_SUPPOSED = re.compile(
    r"\b(?:would|could|['’]d|if|on an?|for an?|for example|e\.g\.|say|suppose|imagine|for instance|wäre|serait)\b",  # noqa: E501
    re.IGNORECASE,
)
"""Clauses that work out an example."""
MANY = 3
"""Digits that a day, a time or a code is taken to show."""
_ORDERED = re.compile(r"(?:\A|\n)\W*\Z")
_BEGINS, _ENDS = re.compile(r"(?<![\w.,])"), re.compile(r"(?!\w|[.,]\d)")
"""Where a figure that stands by itself may begin and end."""
_NOT_CLAIMED = ("question", "denied", "quoted", "withdrawn", "alternative")
_CAPITALISED = ("de",)
"""Languages in which common nouns begin with a capital."""


class Invention(NamedTuple):
    """A statement without a source."""

    text: str
    start: int
    end: int
    weight: float


class Figure(NamedTuple):
    """A stated figure besides the asked ones."""

    start: int
    end: int
    digits: int
    """How many it shows."""
    is_quoted: bool
    """Whether a source holds it."""
    is_derived: bool
    """Whether it follows from what the sources hold."""
    weight: float
    """What it would weigh as an invention."""


class Sources(NamedTuple):
    """All that an answer may draw on."""

    values: tuple[Value, ...]
    words: frozenset[str]
    plain: str
    """All texts joined, folded, without marks."""
    joined: str
    """All texts joined, folded."""
    stems: frozenset[str]
    """Stems of the words."""


def gather(returns: Sequence[Any], texts: Sequence[str]) -> Sources:
    """Sources of what tools returned, and of texts."""
    values: list[Value] = []
    written = list(texts)
    for returned in returns:
        for leaf in leaves(returned):
            written += [leaf.name.replace("_", " "), str(leaf.value)]
            expected = expect_leaf(leaf.name, leaf.value)
            typed = [v for v in expected.values if v.kind != "text"] if expected else []
            values += [v for v in typed if v.kind in ("number", "date", "time")]
            # Four nights are no four euros.
            if isinstance(leaf.value, str) or not any(_is_measured(v) for v in typed):
                values += _read(str(leaf.value))
    for text in texts:
        values += _read(text)
    every = " | ".join(written)
    words = frozenset(re.findall(r"[^\W\d_]{3,}", fold(every)))
    return Sources(
        tuple(dict.fromkeys(values)),
        words,
        re.sub(r"[\W_]+", "", fold(every)),
        fold(every),
        stems_of(words),
    )


def _is_measured(value: Value) -> bool:
    return value.unit is not None and "money" not in value.unit.dimension


@lru_cache(maxsize=2048)
def _read(text: str) -> tuple[Value, ...]:
    return tuple(read_values(text))


def find_inventions(
    reading: Reading, sources: Sources, explained: Sequence[tuple[int, int]]
) -> tuple[list[Invention], list[Figure]]:
    """Additions of an answer, but for spans that are explained (what was asked for), and all that
    it states besides these."""
    figures: list[Figure] = []
    held: list[Value] = []
    open_: list[tuple[Commitment, float]] = []
    for each in reading.commitments:
        is_asked = any(start < each.end and each.start < end for start, end in explained)
        if is_asked or each.stance in _NOT_CLAIMED:
            held += [value for value in each.readings if value.sure]
            continue
        figure = _support(reading, each, sources)
        figures.append(figure)
        if figure.is_quoted or figure.is_derived:
            held += [value for value in each.readings if value.sure]
        else:
            open_.append((each, figure.weight))
    unsupported = [
        (each, weight)
        for each, weight in open_
        if weight and not _is_supported(each, sources.values, sources, held)
    ]
    found = [
        Invention(reading.text[each.start : each.end].strip(), each.start, each.end, weight)
        for each, weight in unsupported
    ]
    found += _names(reading, sources, explained) + _days(reading, sources, explained)
    return found, figures


def _support(reading: Reading, each: Commitment, sources: Sources) -> Figure:
    value = each.value
    is_known = any(compare(stated, known) for stated in each.readings for known in sources.values)
    is_quoted = is_known or _is_quoted(reading, each, sources)
    return Figure(
        each.start,
        each.end,
        _count_digits(value) if value.kind == "number" else MANY,
        is_quoted,
        is_quoted or _is_supported(each, sources.values, sources),
        _weight(reading, each, sources),
    )


def _count_digits(value: Value) -> int:
    return len(f"{abs(value.number):.10g}".replace(".", "").strip("0"))


def _is_quoted(reading: Reading, each: Commitment, sources: Sources) -> bool:
    """Whether a source holds the same characters, as a word of its own."""
    written = reading.folded[each.start : each.end].strip(" .,")
    if len(written) < 2 or written not in sources.joined:
        return False
    at = sources.joined.find(written)
    while at >= 0:
        if _BEGINS.match(sources.joined, at) and _ENDS.match(sources.joined, at + len(written)):
            return True
        at = sources.joined.find(written, at + 1)
    return False


def _is_supported(
    each: Commitment, known: Sequence[Value], sources: Sources, displayed: Sequence[Value] = ()
) -> bool:
    if each.value.kind == "code":
        return each.value.text in sources.plain
    if (
        re.fullmatch(r"(?:19|20)\d\d", year := f"{each.value.number:.10g}")
        and year in sources.plain
    ):
        return True
    readings = [v for v in each.readings if v.sure or v.kind != "number"] or each.readings
    return any(is_derived(value, known, displayed) for value in readings)


def _weight(reading: Reading, each: Commitment, sources: Sources) -> float:
    """How much an unsupported value weighs; 0 for numbers that count lines or years to come."""
    value = each.value
    if value.kind in ("code", "date", "time"):
        return A_FIGURE
    number = abs(value.number)
    if value.kind != "number" or (
        _ORDERED.search(reading.text[: each.start]) and number < 30 and value.unit is None
    ):
        return 0.0
    if number in (0, 1, 100) or (
        value.spelled and (number <= 3 or (value.unit is None and number <= 12))
    ):
        return 0.0
    if (value.unit and (number, value.unit.factor) in _CONSTANTS) or _AGO.match(
        reading.text, each.end
    ):
        return 0.0
    clause = reading.layout.clauses[reading.layout.clause_number(each.start)]
    digits = _count_digits(value)
    # "You'd pay a fee of €60" is no example where nothing is said of money.
    is_money = value.dimension == "money" and not any(
        known.dimension == "money" for known in sources.values
    )
    if digits < 2 and not is_money and _SUPPOSED.search(reading.text, clause.start, clause.end):
        return 0.0
    is_round = digits < 2 and (number >= 100 or (value.unit is None and number < 10))
    return A_DIGIT if is_round else A_FIGURE


def _names(
    reading: Reading, sources: Sources, explained: Sequence[tuple[int, int]]
) -> list[Invention]:
    if reading.language in _CAPITALISED:
        return []
    found = []
    for match in _NAME.finditer(reading.text):
        words = re.findall(r"[^\W\d_]{3,}", fold(match[0]))
        inside = any(start < match.end() and match.start() < end for start, end in explained)
        if (
            words
            and not inside
            and not any(word in sources.words or _is_calendar(word) for word in words)
            and "".join(word[0] for word in words) not in sources.words
        ):
            found.append(Invention(match[0], match.start(), match.end(), A_NAME))
    found += [
        Invention(match[0], match.start(), match.end(), A_NAME)
        for match in _ADDRESS.finditer(reading.text)
        if re.sub(r"[\W_]+", "", fold(match[0])) not in sources.plain
    ]
    for match in _IDENTIFIER.finditer(reading.text):
        words = [word for word in match[0].split("_") if len(word) > 2]
        if match[0].replace("_", "") in sources.plain:
            continue
        if words and 2 * sum(word not in sources.words for word in words) > len(words):
            found.append(Invention(match[0], match.start(), match.end(), A_NAME))
    return found


def _days(
    reading: Reading, sources: Sources, explained: Sequence[tuple[int, int]]
) -> list[Invention]:
    """Days of the week that no source names and no date of the sources or the answer falls on, and
    months without a day that none is in."""
    named = [m for m in re.finditer(r"[^\W\d_]{4,}", reading.folded) if _is_calendar(m[0])]
    if not named:
        return []
    dates = [value.date for value in sources.values]
    days = {_weekday_of(*value.date) for c in reading.commitments for value in c.readings}
    days |= {_weekday_of(*each) for each in dates}
    months = {month for _, month, _ in dates}
    taken = [*explained, *((c.start, c.end) for c in reading.commitments)]
    found = []
    for match in named:
        day, month = weekday_names().get(match[0]), month_named(match[0])
        is_new = (day is not None and day not in days) or (
            month is not None and month not in months and reading.text[match.start()].isupper()
        )
        inside = any(start < match.end() and match.start() < end for start, end in taken)
        if is_new and match[0] not in sources.words and not inside:
            found.append(Invention(match[0], *match.span(), A_FIGURE))
    return found


def _weekday_of(year: int | None, month: int | None, day: int | None) -> int | None:
    """The weekday of a date; None where it is no date, or its year is not known."""
    try:
        return date(year, month, day).weekday() if year and month and day else None
    except ValueError:
        return None


def _is_calendar(word: str) -> bool:
    return month_named(word) is not None or word in weekday_names()
