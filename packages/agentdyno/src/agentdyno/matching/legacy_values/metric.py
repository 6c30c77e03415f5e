"""Metric units by their grammar: a prefix and a base make a unit, as a sign or as words.

`mmol`, `µmol` and `nanomoles` need no line of their own. Signs keep their letter case, because mW
is not MW.
"""

from collections.abc import Iterator
from typing import NamedTuple

_PREFIXES = {
    "p": ("pico", 1e-12), "n": ("nano", 1e-9), "µ": ("micro", 1e-6), "μ": ("micro", 1e-6),
    "u": ("micro", 1e-6), "m": ("milli", 1e-3), "c": ("centi", 1e-2), "d": ("deci", 1e-1),
    "": ("", 1.0), "da": ("deca", 1e1), "h": ("hecto", 1e2), "k": ("kilo", 1e3), "M": ("mega", 1e6),
    "G": ("giga", 1e9), "T": ("tera", 1e12), "P": ("peta", 1e15),
}  # fmt: skip


class Base(NamedTuple):
    """A unit that takes prefixes."""

    sign: str
    words: tuple[str, ...]
    dimension: str
    factor: float
    """How many of the dimension's base unit one of it is."""
    prefixes: str = "p n µ μ u m k M G T P"
    """Those that people use with it; the plain unit is always there."""


_BASES = (
    Base("m", ("metre", "meter"), "length", 3.280839895, "n µ μ u m c d k"),
    Base("g", ("gram", "gramme"), "mass", 1e3, "p n µ μ u m k"),
    Base("l", ("litre", "liter"), "volume", 1.0, "n µ μ u m c d da h k"),
    Base("L", (), "volume", 1.0, "n µ μ u m c d h"),
    Base("mol", ("mole",), "amount", 1e3, "p n µ μ u m k"),
    Base("W", ("watt",), "power", 1e-3, "n µ μ u m k M G T"),
    Base("Wh", ("watt-hour", "watt hour"), "energy", 1e-3, "m k M G T"),
    Base("J", ("joule",), "energy", 1e-3 / 3600, "m k M G T"),
    Base("Hz", ("hertz",), "frequency", 1.0, "m k M G T"),
    Base("Pa", ("pascal",), "pressure", 1e-2, "m h k M G"),
    Base("V", ("volt",), "voltage", 1.0, "n µ μ u m k M"),
    Base("A", ("ampere", "amp"), "current", 1.0, "n µ μ u m k"),
    Base("Ω", ("ohm",), "resistance", 1.0, "m k M"),
    Base("N", ("newton",), "force", 1.0, "m k M"),
    Base("eV", ("electronvolt",), "electronvolt", 1.0, "m k M G T"),
    Base("Sv", ("sievert",), "dose", 1.0, "n µ μ u m"),
    Base("Gy", ("gray",), "absorbed dose", 1.0, "µ μ m c"),
    Base("Bq", ("becquerel",), "activity", 1.0, "m k M G T"),
    Base("T", ("tesla",), "field", 1.0, "n µ μ m"),
    Base("bps", (), "bit rate", 1e-6, "k M G T P"),
    Base("bit/s", (), "bit rate", 1e-6, "k M G T P"),
)
_NEVER_BARE = frozenset(("A", "T", "bps", "nA"))
"""Signs that are letters, words or another unit far more often."""


def signs() -> Iterator[tuple[str, str, float]]:
    """Every sign with its dimension and factor."""
    for base in _BASES:
        for prefix in ["", *base.prefixes.split()]:
            sign = prefix + base.sign
            if sign not in _NEVER_BARE:
                yield sign, base.dimension, base.factor * _PREFIXES[prefix][1]


def words() -> Iterator[tuple[str, str, float]]:
    """Every spelled-out unit, one and several of it."""
    for base in _BASES:
        for prefix in ["", *base.prefixes.split()]:
            name, factor = _PREFIXES[prefix]
            for word in base.words:
                for ending in ("", "s") if not word.endswith("z") else ("",):
                    yield name + word + ending, base.dimension, base.factor * factor
