"""Axes as values: from numbers to places and back, round ticks, and how they are written."""

import math

from msgspec import Struct

from agentdyno.reports.topic import CellKind

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


class Scale(Struct, frozen=True):
    """One axis."""

    title: str
    low: float
    high: float
    log: bool = False
    """Whether equal steps are equal factors."""
    kind: CellKind = "amount"
    """How its numbers are written."""

    def place(self, value: float) -> float:
        """Between 0 at its beginning and 1 at its end; what lies outside is put at the edge."""
        inside = min(max(value, self.low), self.high)
        if self.log:
            return math.log(inside / self.low) / math.log(self.high / self.low)
        return (inside - self.low) / (self.high - self.low)

    def ticks(self, about: int = 5) -> list[float]:
        """Round numbers inside it."""
        if self.log:
            return log_ticks(self.low, self.high)
        return round_ticks(self.low, self.high, about)

    def text(self, value: float) -> str:
        """A tick in words."""
        return axis_text(value, self.kind)


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten in between; over three decades only the powers."""
    steps = (1.0,) if high / low > 1e3 else (1.0, 2.0, 5.0)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= tick <= high]


def round_ticks(low: float, high: float, about: int) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten: about so many."""
    rough = (high - low) / max(about, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(s for s in (1, 2, 5, 10) if s * power >= rough * 0.7)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def axis_text(value: float, kind: CellKind) -> str:
    """A number as short as it is exact: 1.5k, 40%, $0.2."""
    value = float(f"{value:.12g}")  # Three tenths are not 0.30000000000000004.
    if kind == "share":
        return f"{value:.0%}"
    if kind == "money":
        return f"${value:g}"
    if kind not in ("amount", "count"):
        return f"{value:g}"
    for size, letter in _PREFIXES:
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
