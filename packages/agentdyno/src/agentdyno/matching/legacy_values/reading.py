"""All that a text or a JSON value states: dates first, then codes, times and numbers.

Each is read from what the ones before left, so that the digits of a date are no number and 4.6.31
holds no 4.6. Linear in the text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from agentdyno.matching.codes import Code, find_codes, may_be_numbers
from agentdyno.matching.legacy_values.clocks import Clock, find_clocks
from agentdyno.matching.legacy_values.dates import StatedDate, StatedMonth, find_dates, find_months
from agentdyno.matching.legacy_values.field_units import unit_of_field
from agentdyno.matching.legacy_values.numbers import find_quantities
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.spelled import NUMBER_WORDS
from agentdyno.matching.legacy_values.units import Unit, unit

DEEPEST = 60
"""JSON nested deeper than this is not looked at further."""


_SOMETHING = re.compile(
    rf"[^\W_a-zA-ZÀ-ɏ]|[/\\@.½¼¾⅐-⅞]|\b(?:an?|{'|'.join(NUMBER_WORDS)}|noon|midday|midnight|quarter"
    r"|first|\w+th|\w*second|\w*third|half)\b",
    re.IGNORECASE,
)
"""What every value holds: a figure, a mark within a code, or a word for a number or a time. Most
texts of a return are plain words, and one look is cheaper than eight."""
_RAISED = re.compile(r"(?<=\d)·(?=\d)")
"""The raised point of old British print: 4·2."""


_HOURS = re.compile(
    r"(\d{1,2})(?:\s?h\s?(\d{2})(?!\d)(?:['’′](\d{2})[\"”″])?|:(\d{2})(?=\s?(?:h|hrs?|hours)\b))",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"(?<!T)(\d{1,2}):([0-5]\d):([0-5]\d)(?![\d:]|\s?(?:[ap]\.?m|Z|UTC|GMT|[+-]\d))", re.IGNORECASE
)
"""1:15:30, with no zone or half of a day that makes it a time of day."""
_MATHS = re.compile(r"\$(?=[^$\n]{1,60}\\)([^$\n]{1,80})\$|\\(?=[%$#&,;!() \[\]])")
"""A formula between dollars, and the strokes in front of signs: $61.8\\%$."""
_SPLIT = re.compile(
    r"(?<![\w.:])(?:(\d{1,2}):(?=\d\d:))?(\d{1,3}):([0-5]\d[.,]\d{1,3})(?![\w:]|[.,]\d)"
)
"""2:09.84: minutes and seconds with a part of one."""
_LONG = re.compile(r"(?<![\w.:])(2[5-9]|[3-9]\d|1\d\d):([0-5]\d)(?![\w:]|\.\d)")
"""42:18: no hour of a day, but minutes and seconds."""
_COMPACT = re.compile(
    r"(?<![\w.,])(?=\d{1,3}\s?[dhm]\s?\d)(?:(\d{1,3})\s?d\s?)?(?:(\d{1,3})\s?h\s?)?"
    r"(?:(\d{1,3})\s?m(?:\s?(\d{1,2}(?:\.\d{1,3})?)\s?s)?)?(?<=[hms])(?!\w)"
)
"""21m24s, 1h27m, 8d12h: what consoles write."""
_MINUTED = re.compile(r"(\d{1,3}):([0-5]\d)\s?(?:min|mins|minutes)\b", re.IGNORECASE)
_MANY = re.compile(r"(\d{4})\s?(?:hours|hrs|h)\b", re.IGNORECASE)
_SPORT = re.compile(r"(?<![\w.])(\d{1,3})['’′](\d{2})[\"”″]")
"""31'47": minutes and seconds."""
_ISO = re.compile(r"\bP(?:(\d{1,4})D)?T?(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?(?<=[DHMS])\b")
"""PT2H14M: a duration as ISO 8601 writes it."""


class Stated(NamedTuple):
    """All that a text states."""

    dates: list[StatedDate]
    months: list[StatedMonth]
    codes: list[Code]
    quantities: list[Quantity]
    clocks: list[Clock]


class Leaf(NamedTuple):
    """A value of a JSON text that holds no others."""

    name: str
    """The field it stands in; that of the list where it is an item."""
    value: Any
    """As decoded."""
    unit: Unit | None
    """The unit that the field's name carries."""


def read_values(text: str) -> Stated:
    """Every value of a text with its place."""
    if _SOMETHING.search(text) is None:
        return Stated([], [], [], [], [])
    text = _RAISED.sub(".", text) if "·" in text else text
    if "\\" in text:
        text = _MATHS.sub(_bare, text)
    dates = list(find_dates(text))
    left = _without(text, dates)
    months = list(find_months(left))
    left = _without(left, months)
    codes = list(find_codes(left))
    left = _without(left, (code for code in codes if not may_be_numbers(code)))
    clocks = list(find_clocks(left))
    left = _without(left, clocks)
    quantities = [*find_quantities(left), *_lasting(text, clocks)]
    return Stated(dates, months, codes, quantities, clocks)


def _bare(found: re.Match[str]) -> str:
    """What a formula shows, as long as it is written."""
    inner = found[1]
    return " " if inner is None else f" {inner.replace(chr(92), ' ')} "


def _lasting(text: str, clocks: list[Clock]) -> Iterator[Quantity]:
    """2h14, 2:14 h and 1:15:30 may be times of day, and may be how long something takes."""
    for clock in clocks:
        if found := _HOURS.match(text, clock.start):
            length = int(found[1]) + int(found[2] or found[4]) / 60 + int(found[3] or 0) / 3600
            end = max(clock.end, found.end())
            yield Quantity(length, unit("h"), 6, False, clock.start, end, plain=False)
        elif found := _TIMED.match(text, clock.start):
            length = int(found[1]) + int(found[2]) / 60 + int(found[3]) / 3600
            yield Quantity(length, unit("h"), 6, False, *found.span(), plain=False)
        elif found := _MANY.match(text, clock.start):
            # 2318 hours may be past eleven at night, and a hundred days.
            yield Quantity(float(found[1]), unit("h"), 4, False, *found.span(), plain=False)
    for run in (*_SPORT.finditer(text), *_MINUTED.finditer(text)):
        length = int(run[1]) + int(run[2]) / 60
        yield Quantity(length, unit("min"), 6, False, *run.span(), plain=False)
    for short in _COMPACT.finditer(text):
        if sum(part is not None for part in short.groups()) > 1:
            parts = zip(short.groups(), (1440, 60, 1, 1 / 60), strict=True)
            length = sum(float(part) * times for part, times in parts if part)
            yield Quantity(length, unit("min"), 6, False, *short.span(), plain=False)
    for split in _SPLIT.finditer(text):
        seconds = float(split[3].replace(",", "."))
        length = int(split[1] or 0) * 60 + int(split[2]) + seconds / 60
        yield Quantity(length, unit("min"), 6, False, *split.span(), plain=False)
    for long in _LONG.finditer(text):
        length = int(long[1]) + int(long[2]) / 60
        yield Quantity(length, unit("min"), 6, False, *long.span(), plain=False)
    for written in _ISO.finditer(text):
        days, hours, minutes, seconds = (int(written[n] or 0) for n in (1, 2, 3, 4))
        total = days * 1440 + hours * 60 + minutes + seconds / 60
        yield Quantity(total, unit("min"), 4, False, *written.span(), plain=False)


def _without(text: str, spans: Iterable[StatedDate | StatedMonth | Code | Clock]) -> str:
    """The text with the spans blanked, so that places stay true; one copy however many they are."""
    pieces, last = [], 0
    for span in sorted(spans, key=lambda s: s.start):
        if span.start < last:
            continue
        pieces += [text[last : span.start], "\x00" * (span.end - span.start)]
        last = span.end
    return "".join([*pieces, text[last:]]) if pieces else text


def read_json(text: str) -> Any:
    """A text as JSON where it is JSON, else the text itself."""
    bare = text.lstrip()
    if bare[:1] not in ("{", "[", '"') and not bare[:1].isdigit():
        return text
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return text


def leaves(value: Any, name: str = "", nulls: bool = False) -> Iterator[Leaf]:
    """Every value that holds no others, with the name of its field; nulls only where asked for."""
    for field, item in named_values(value, name):
        if nulls or item is not None:
            yield Leaf(field, item, unit_of_field(field) if field else None)


def named_values(value: Any, name: str = "") -> list[tuple[str, Any]]:
    """As `leaves`, with nulls and without units."""
    found: list[tuple[str, Any]] = []
    _walk(value, name, 0, found)
    return found


_HOLDING = (dict, list, tuple)
"""Asked of every value: a tuple of types answers sooner than a union."""


def _walk(value: Any, name: str, depth: int, found: list[tuple[str, Any]]) -> None:
    if not isinstance(value, _HOLDING):
        found.append((name, value))
    elif depth < DEEPEST:
        pairs = value.items() if isinstance(value, dict) else [(name, item) for item in value]
        for field, item in pairs:
            if isinstance(item, _HOLDING):
                _walk(item, str(field), depth + 1, found)
            else:
                found.append((str(field), item))
