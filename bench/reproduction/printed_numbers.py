"""Printed numbers and what their rounding allows: text in, arithmetic that carries the doubt out.

A number printed as 7.2 stands for anything from 7.15 to 7.25. `Range` keeps both ends through
sums, products and quotients, so a figure recomputed from printed inputs knows how far off it may
be through no fault of anyone. Counts (layers, tasks, passes) are exact. The arithmetic treats
inputs as independent: write `b / a - 1` and not `(b - a) / a`, which would doubt `a` twice.

Worked: 330 / 1.00 -> 330 [327.9, 332.2].
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Union

import msgspec

Number = Union["Range", int, float]


class Range(msgspec.Struct, frozen=True):
    """A value with the ends between which rounding of its inputs may have moved it."""

    low: float
    """The least it can be."""

    value: float
    """The value of the figures as printed."""

    high: float
    """The most it can be."""

    def __add__(self, other: Number) -> "Range":
        o = as_range(other)
        return Range(self.low + o.low, self.value + o.value, self.high + o.high)

    def __sub__(self, other: Number) -> "Range":
        o = as_range(other)
        return Range(self.low - o.high, self.value - o.value, self.high - o.low)

    def __mul__(self, other: Number) -> "Range":
        o = as_range(other)
        ends = [a * b for a in (self.low, self.high) for b in (o.low, o.high)]
        return Range(min(ends), self.value * o.value, max(ends))

    def __truediv__(self, other: Number) -> "Range":
        o = as_range(other)
        if o.low <= 0 <= o.high:
            raise ZeroDivisionError(f"the divisor may be zero: {o}")
        ends = [a / b for a in (self.low, self.high) for b in (o.low, o.high)]
        return Range(min(ends), self.value / o.value, max(ends))

    def __neg__(self) -> "Range":
        return Range(-self.high, -self.value, -self.low)


def as_range(number: Number) -> Range:
    """A range as it is; a plain number as exact."""
    return number if isinstance(number, Range) else Range(number, number, number)


def read_printed(text: str) -> Range:
    """A number as a paper prints it: half a unit of its last digit either way."""
    value = float(text.replace(",", ""))
    half = half_unit(text)
    return Range(value - half, value, value + half)


def half_unit(text: str) -> float:
    """Half a unit of the last printed digit: 0.005 for 7.25, 0.5 for 42."""
    _, _, decimals = text.partition(".")
    return 0.5 * 10.0 ** -len(decimals)


def total(numbers: Sequence[Range]) -> Range:
    """Their sum."""
    return Range(
        sum(number.low for number in numbers),
        sum(number.value for number in numbers),
        sum(number.high for number in numbers),
    )


def mean(numbers: Sequence[Range]) -> Range:
    """Their mean."""
    return total(numbers) / len(numbers)


def span(numbers: Sequence[float]) -> Range:
    """The first of several equally possible values, with the span of all of them."""
    return Range(min(numbers), numbers[0], max(numbers))


def read_tables(paper: str) -> dict[str, list[list[str]]]:
    """The tables of a paper in `printed.toml`, by name; cells are text."""
    written = tomllib.loads(Path(__file__).with_name("printed.toml").read_text("utf-8"))[paper]
    return {
        name: [line.split() for line in text.strip().splitlines()] for name, text in written.items()
    }
