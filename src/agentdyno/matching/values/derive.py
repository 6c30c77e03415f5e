"""One bounded search for how a figure follows from others: sum, difference, ratio, conversion.

A stated figure is derived when one or two operations on known ones give it to the digits shown.
The fewer digits it shows the more agrees by chance, so a result of two operations has to agree in
three digits. Dimensions have to fit: money and a count make money, a ratio has none or is a share.

Worked: from 132 of 160 rooms, 28 (free) and 82.5 % are derived; 31 % is not.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations

from agentdyno.matching.values.comparing import compare
from agentdyno.matching.values.lexicon import PERCENT, SECONDS, Unit
from agentdyno.matching.values.value import Value

MOST_KNOWN = 24
"""Figures beyond which some of them make anything."""
_Figure = tuple[float, str | None, str | None]
"""A number in its base unit, its dimension and its currency."""


def is_derived(stated: Value, known: Sequence[Value], shown: Sequence[Value] = ()) -> bool:
    """Whether known values make the stated one; `shown` ones stand in the same text, so that what
    they make is no chance even in two digits."""
    known = (*known, *shown)
    if any(compare(stated, value) for value in known):
        return True
    if stated.kind == "date":
        return _is_shifted_date(stated, known)
    if stated.kind == "time":
        return _is_shifted_time(stated, known)
    if stated.kind != "number" or not stated.number:
        return False
    claim = _Claim(stated)
    figure = _plain if claim.bare else _figure
    figures = list(dict.fromkeys(figure(value) for value in known if value.kind == "number"))[:MOST_KNOWN]
    figures += _spans(known)
    if any(claim.agrees(made, 1) for a in figures for made in _one(a)):
        return True
    near = {figure(value) for value in shown}
    for a, b in permutations(figures, 2):
        digits = 2 if a in near and b in near else 3
        if any(claim.agrees(made, digits) for made in _two(a, b)):
            return True
    return _is_total(claim, figures)


def _is_total(claim: "_Claim", figures: Sequence[_Figure]) -> bool:
    """Sums of three or of all of a kind, to three digits."""
    for dimension in {figure[1] for figure in figures}:
        same = [figure for figure in figures if figure[1] == dimension]
        if not (claim.bare or dimension in claim.scales) or len(same) < 3:
            continue
        sums = [sum(f[0] for f in some) for some in islice(combinations(same, 3), 300)]
        sums.append(sum(figure[0] for figure in same))
        if any(claim.agrees((total, dimension, same[0][2]), 3) for total in sums):
            return True
    return False


def _figure(value: Value) -> _Figure:
    return value.base, value.dimension, value.unit.currency if value.unit else None


def _plain(value: Value) -> _Figure:
    """As it is written, for results without a unit: 838 of 960 GB; a percentage keeps its kind."""
    return (value.base, "percent", None) if value.dimension == "percent" else (value.number, None, None)


def _one(figure: _Figure) -> Iterator[_Figure]:
    number, dimension, currency = figure
    yield figure
    yield -number, dimension, currency
    if dimension == "percent":
        yield 100 - number, "percent", None
        yield number / 100, None, None
    if dimension is None and 0 < number < 1:
        yield from ((100 * number, "percent", None), (100 - 100 * number, "percent", None), (1 - number, None, None))
    for times in (2, 3, 4, 7, 12, 24, 30, 52, 60, 100, 365, 1000, 1e6):
        if dimension in (None, "time", "mass", "volume") or dimension.startswith("money"):
            yield from ((number * times, dimension, currency), (number / times, dimension, currency))


def _two(a: _Figure, b: _Figure) -> Iterator[_Figure]:
    (x, kind, currency), (y, other, _) = a, b
    if kind == other:
        yield from ((x - y, kind, currency), (x + y, kind, currency))
        if y:
            yield from ((x / y, None, None), (100 * x / y, "percent", None))
            yield from ((100 * (x - y) / y, "percent", None), (100 - 100 * x / y, "percent", None))
        if x + y:
            yield 100 * x / (x + y), "percent", None
        if kind == "percent":
            yield 100 - x - y, kind, None
        if kind is None:
            yield x * y, None, None
    elif kind == "percent":
        currency = b[2]
        yield from ((x * y / 100, other, currency), (y * (1 + x / 100), other, currency), (y * (1 - x / 100), other, currency))
        yield from ((y * x / 100 * 100, other, currency),)
    elif kind is None:
        yield x * y, other, b[2]
        if y:
            yield x / y, f"1/{other}", None
        if 0 < x < 1:
            yield y * (1 - x), other, b[2]
    elif other is None and y:
        yield x / y, kind, currency
    elif y and kind and other:
        yield x / y, Unit(kind).per(Unit(other)).dimension, currency
        if kind == f"{kind.partition('/')[0]}/{other}":
            yield x * y, kind.partition("/")[0], currency
        if kind == "speed" and other == "time":
            yield x * y, "length", None
        if kind == "length" and other == "speed":
            yield x / y, "time", None


class _Claim:
    """A stated figure, ready to be held against results."""

    def __init__(self, stated: Value) -> None:
        unit = stated.unit
        units = [] if unit is None else [unit, *([unit.per(stated.per)] if stated.per else [])]
        self.scales = {each.dimension: each.factor for each in units}
        if "angle" in self.scales:
            self.scales["temperature"] = 1.0
        self.bare = unit is None
        self.currency = unit.currency if unit else None
        self.number = abs(stated.number)
        self.step = stated.step * 0.51
        written = f"{self.number:.10g}".replace(".", "").lstrip("0")
        self.digits = len(written if self.number < 1000 else written.rstrip("0"))
        self.about = 0.03 if stated.about else 1e-9

    def agrees(self, made: _Figure, fewest: int) -> bool:
        """Whether it is the result to the digits shown, which have to be so many unless exact."""
        number, dimension, currency = made
        if self.bare:
            if dimension == "percent":
                return False
            scale = 1.0
        else:
            found = self.scales.get(dimension or "")
            if found is None or (currency and self.currency and currency != self.currency):
                return False
            scale = found
        size = abs(number)
        apart = abs(self.number * scale - size)
        if apart > max(self.step * scale, self.about * size):
            return False
        return self.digits >= fewest or (apart <= 1e-9 * size and (self.digits > 1 or not self.bare))


def _spans(known: Sequence[Value]) -> list[_Figure]:
    """Lengths of time between known times, and days between known dates."""
    times = [value.number for value in known if value.kind == "time" and value.sure][:8]
    found: list[_Figure] = [(float((b - a) % 1440 * 60), SECONDS.dimension, None) for a, b in permutations(times, 2)]
    days = [_day(value) for value in known if value.kind == "date" and value.sure][:8]
    found += [((b - a) * 86400.0, "time", None) for a, b in permutations([d for d in days if d], 2) if b > a]
    return found


def _day(value: Value) -> int | None:
    from datetime import date

    year, month, day = value.date
    try:
        return date(year or 0, month or 0, day or 0).toordinal()
    except ValueError:
        return None


def _is_shifted_time(stated: Value, known: Sequence[Value]) -> bool:
    """A known time earlier or later by a known length: 07:40 and 12 minutes late."""
    times = [value.number for value in known if value.kind == "time"]
    lengths = [value.base / 60 for value in known if value.kind == "number" and value.dimension in ("time", None)]
    made = ((at + sign * length) % 1440 for at in times for length in lengths for sign in (1, -1))
    return any(abs(stated.number - at) < 0.6 for at in made)


def _is_shifted_date(stated: Value, known: Sequence[Value]) -> bool:
    day = _day(stated)
    days = [found for value in known if value.kind == "date" and (found := _day(value))]
    if day is None:
        return False
    months = [value.base for value in known if value.kind == "number" and value.dimension in ("months", None)]
    mine = (stated.date[0] or 0) * 12 + (stated.date[1] or 0)
    others = [(v.date[0] or 0) * 12 + (v.date[1] or 0) for v in known if v.kind == "date" and v.date[2]]
    if any(abs(abs(mine - at) - count) < 0.01 for at in others for count in months if count):
        return True
    lengths = [value.base / 86400 if value.unit else value.number for value in known if value.kind == "number"]
    return any(abs(abs(day - at) - abs(length)) < 0.6 for at in days for length in lengths)


__all__ = ["PERCENT", "is_derived"]
