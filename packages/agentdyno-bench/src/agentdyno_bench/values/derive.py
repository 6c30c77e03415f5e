"""One bounded search for how a figure follows from others: sum, difference, ratio, conversion.

A stated figure is derived when known ones make it to the digits shown. The fewer digits it shows
the more agrees by chance, so two digits are enough only for what two figures of the same text
make, and three for what sources make. Dimensions have to fit: money and a count make money, a
ratio has none or is a share. All results are made once and sorted, so that each claim is one look
into a table.

Worked: from 132 of 160 rooms, 28 (free) and 82.5 % are derived; 31 % is not.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import combinations, permutations
from math import isclose

from agentdyno.matching.values.lexicon import Unit
from agentdyno.matching.values.value import Value
from agentdyno_bench.values.comparing import compare

MOST_KNOWN = 20
"""Figures beyond which some of them make anything."""
_TIMES = (2, 3, 4, 7, 12, 24, 30, 52, 60, 100, 365, 1000, 1e6)
_Figure = tuple[float, str | None]
"""A number in its base unit, and its dimension with the currency of money."""


def is_derived(stated: Value, known: Sequence[Value], displayed: Sequence[Value] = ()) -> bool:
    """Whether known values make the stated one; `shown` ones stand in the same text."""
    if any(compare(stated, value) for value in (*known, *displayed)):
        return True
    if stated.kind == "date":
        return _is_shifted_date(stated, (*known, *displayed))
    if stated.kind == "time":
        return _is_shifted_time(stated, (*known, *displayed))
    if stated.kind != "number" or not stated.number:
        return False
    if _table(tuple(known), tuple(displayed), stated.unit is None).holds(stated):
        return True
    # The sources may not say their units: 1.5 mmol/l from 5.6 and 4.1.
    bare = [value.number for value in known if value.kind == "number" and value.unit is None]
    if stated.dimension == "percent":
        return False
    if stated.dimension == "time" and any(
        isclose(stated.number * each, value) for each in (60, 3600, 1000) for value in bare
    ):
        return True  # A field `ttl` is in seconds.
    produced = ((abs(a - b), a + b) for a, b in combinations(bare, 2))
    return any(isclose(stated.number, each) for results in produced for each in results)


class _Table:
    """Every result of known figures, by dimension and by the digits that it needs."""

    def __init__(self, known: Sequence[Value], displayed: Sequence[Value], bare: bool) -> None:
        figure = _plain if bare else _figure
        values = [value for value in (*displayed, *known) if value.kind == "number"]
        figures = list(dict.fromkeys(map(figure, values)))[:MOST_KNOWN]
        figures += _spans((*known, *displayed))
        near = {figure(value) for value in displayed if value.kind == "number"}
        produced: dict[tuple[str | None, int], list[float]] = defaultdict(list)
        for one in figures:
            for number, dimension in _one(one):
                produced[dimension, 1].append(abs(number))
        for a, b in permutations(figures, 2):
            digits = 2 if a in near and b in near else 3
            if bare and a[1] is None is b[1]:  # A figure without a unit is no share.
                x, y = a[0], b[0]
                results = (x - y, x + y, x * y, x / y) if y else (x, -x, 0.0)
                produced[None, digits] += map(abs, results)
                if digits == 2:
                    produced[None, 2].append((x + y) / 2)
                continue
            for number, dimension in _two(a, b):
                produced[dimension, digits].append(abs(number))
            if a[1] == b[1] and digits == 2:
                produced[a[1], 2].append((a[0] + b[0]) / 2)
            if a[1] == b[1] and 0 < a[0] < b[0]:
                produced["percent", 2].append(100 * a[0] / b[0])
        for dimension in {kind for _, kind in figures}:
            whole = sum(x for x, kind in figures if kind == dimension)
            produced[dimension, 3].append(abs(whole))
        self.made = {key: sorted(numbers) for key, numbers in produced.items()}

    def holds(self, stated: Value) -> bool:
        """Whether a result is the stated figure to its digits."""
        written = f"{abs(stated.number):.10g}".replace(".", "").lstrip("0")
        digits = len(written if abs(stated.number) < 1000 else written.rstrip("0"))
        for dimension, scale in _scales(stated):
            size, step = abs(stated.number) * scale, stated.step * 0.51 * scale
            for fewest in (1, 2, 3):
                exact = digits < fewest
                if exact and digits < 2 and stated.unit is None:
                    continue
                reach = 1e-9 * size if exact else step
                # "About 9 %" may be 9.28, and "more than 80" 83.
                reach = max(0.05 * size, step) if stated.about else max(reach, 1e-9 * size)
                numbers = self.made.get((dimension, fewest), [])
                if bisect_left(numbers, size - reach) < bisect_right(numbers, size + reach):
                    return True
        return False


@lru_cache(maxsize=128)
def _table(known: tuple[Value, ...], displayed: tuple[Value, ...], bare: bool) -> _Table:
    return _Table(known, displayed, bare)


def _scales(stated: Value) -> Iterator[tuple[str | None, float]]:
    """Dimensions that a result may have, with the size of the stated unit in each."""
    unit = stated.unit
    if unit is None:
        yield None, 1.0
        yield from (
            (f"1/{dimension}", 1.0) for dimension in ("area", "length", "time", "mass", "volume")
        )
        return
    yield _name(unit), unit.factor
    if unit.dimension == "angle":
        yield "temperature", 1.0
    if stated.per:
        whole = unit.per(stated.per)
        yield _name(whole), whole.factor


def _name(unit: Unit) -> str:
    return f"{unit.dimension} {unit.currency}" if unit.currency else unit.dimension


def _figure(value: Value) -> _Figure:
    return value.base, _name(value.unit) if value.unit else None


def _plain(value: Value) -> _Figure:
    """As it is written, for results without a unit: 838 of 960 GB; a percentage keeps its kind."""
    return (value.base, "percent") if value.dimension == "percent" else (value.number, None)


def _one(figure: _Figure) -> Iterator[_Figure]:
    number, dimension = figure
    yield figure
    if dimension == "percent":
        yield from ((100 - number, "percent"), (number / 100, None))
    if dimension is None and 0 < number < 1:
        yield from ((100 * number, "percent"), (100 - 100 * number, "percent"), (1 - number, None))
    if dimension in (None, "time", "mass", "volume") or dimension.startswith("money"):
        for times in _TIMES:
            yield from ((number * times, dimension), (number / times, dimension))


def _two(a: _Figure, b: _Figure) -> Iterator[_Figure]:
    (x, kind), (y, other) = a, b
    if kind == other:
        yield from ((x - y, kind), (x + y, kind))
        if y:
            yield from ((x / y, None), (100 * x / y, "percent"), (100 * (x - y) / y, "percent"))
        if x + y:
            yield 100 * x / (x + y), "percent"
        if kind is None:
            yield x * y, None
        elif kind == "percent":
            yield 100 - x - y, kind
    elif kind == "percent":
        yield from ((x * y / 100, other), (y * (1 + x / 100), other), (y * (1 - x / 100), other))
    elif kind is None:
        # A bare figure may as well have the other's unit.
        yield from ((x * y, other), (y * (1 - x), other), (x - y, other), (x + y, other))
        if y:
            yield from ((x / y, f"1/{other}"), (100 * (x - y) / y, "percent"))
    elif other is None:
        if y:
            yield x / y, kind
    elif y:
        yield x / y, _name(_unit(kind).per(_unit(other)))
        whole, _, under = kind.partition("/")
        if under == other:
            yield x * y, whole
        elif (kind, other) == ("speed", "time"):
            yield x * y, "length"
        elif (kind, other) == ("length", "speed"):
            yield x / y, "time"


def _unit(named: str) -> Unit:
    dimension, _, currency = named.partition(" ")
    return Unit(dimension, 1.0, 0.0, currency or None)


def _spans(known: Sequence[Value]) -> list[_Figure]:
    """Lengths of time between known times, and days between known dates."""
    times = [value.number for value in known if value.kind == "time" and value.sure][:8]
    found: list[_Figure] = [((b - a) % 1440 * 60.0, "time") for a, b in permutations(times, 2)]
    days = [_day(value) for value in known if value.kind == "date" and value.sure][:8]
    return found + [
        ((b - a) * 86400.0, "time") for a, b in permutations([d for d in days if d], 2) if b > a
    ]


def _day(value: Value) -> int | None:
    year, month, day = value.date
    try:
        return date(year or 0, month or 0, day or 0).toordinal()
    except ValueError:
        return None


def _is_shifted_time(stated: Value, known: Sequence[Value]) -> bool:
    """A known time earlier or later by a known length: 07:40 and 12 minutes late."""
    times = [value.number for value in known if value.kind == "time"]
    lengths = [v.base / 60 for v in known if v.kind == "number" and v.dimension in ("time", None)]
    produced = (
        (at + sign * length) % 1440 for at in times for length in lengths for sign in (1, -1)
    )
    return any(abs(stated.number - at) < 0.6 for at in produced)


def _is_shifted_date(stated: Value, known: Sequence[Value]) -> bool:
    """A known date earlier or later by a known number of days or months."""
    dates = [value for value in known if value.kind == "date" and value.date[2]]
    if stated.date[0] is None and dates:
        stated = stated._replace(date=(dates[0].date[0], *stated.date[1:]))
    day = _day(stated)
    if day is None:
        return False
    numbers = [value for value in known if value.kind == "number" and value.number]
    months = [value.base for value in numbers if value.dimension in ("months", None)]
    if any(
        abs(abs(_month(stated) - _month(at)) - count) < 0.01 for at in dates for count in months
    ):
        return True
    days = [found for at in dates if (found := _day(at))]
    lengths = [v.base / 86400 for v in numbers if v.dimension == "time"]
    lengths += [v.number for v in numbers if v.unit is None]
    return any(abs(abs(day - at) - abs(length)) < 0.01 for at in days for length in lengths)


def _month(value: Value) -> int:
    return (value.date[0] or 0) * 12 + (value.date[1] or 0)
