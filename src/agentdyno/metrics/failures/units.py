"""Units as factors of a base: words in, dimension and factor out.

Time and months are apart, because a month has no fixed number of days. Field names carry their
unit as an ending (`price_usd`, `taper_days`), which `unit_of_field` reads.
"""

import re
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit within its dimension."""

    dimension: str
    factor: float


_WORDS: dict[str, Unit] = {}


def _add(dimension: str, factor: float, *words: str) -> None:
    _WORDS.update(dict.fromkeys(words, Unit(dimension, factor)))


_add("money", 1.0, "usd", "dollar", "dollars", "us$", "bucks")
_add("percent", 1.0, "%", "percent", "per cent", "pct", "percentage points", "percentage point")
_add("percent", 0.01, "bps", "bp", "basis points", "basis point")
_add("time", 1.0, "minute", "minutes", "min", "mins")
_add("time", 1 / 60, "second", "seconds", "sec", "secs", "s")
_add("time", 60.0, "hour", "hours", "h", "hr", "hrs")
_add("time", 1440.0, "day", "days", "d")
_add("time", 10080.0, "week", "weeks", "wk", "wks")
_add("months", 1.0, "month", "months", "mo", "mos")
_add("months", 12.0, "year", "years", "yr", "yrs")
_add("mass", 1.0, "mg", "milligram", "milligrams")
_add("mass", 0.001, "mcg", "µg", "μg", "ug", "microgram", "micrograms")
_add("mass", 1000.0, "g", "gram", "grams")
_add("mass", 1e6, "kg", "kilogram", "kilograms")
_add("length", 1.0, "ft", "foot", "feet")
_add("length", 1 / 12, "inch", "inches")
_add("length", 3.280839895, "metre", "metres", "meter", "meters", "m")
_add("area", 1.0, "sqft", "sq ft", "square feet", "square foot", "sq. ft.")
_add("data", 1.0, "mb", "megabyte", "megabytes")
_add("data", 1000.0, "gb", "gigabyte", "gigabytes")
_add("data", 0.001, "kb", "kilobyte", "kilobytes")

UNIT_WORDS = "|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True))
"""For a regular expression, the longest first."""

_ENDINGS: dict[str, Unit] = {
    "usd": Unit("money", 1.0),
    "musd": Unit("money", 1e6),
    "pct": Unit("percent", 1.0),
    "bps": Unit("percent", 0.01),
    "minutes": Unit("time", 1.0),
    "seconds": Unit("time", 1 / 60),
    "hours": Unit("time", 60.0),
    "days": Unit("time", 1440.0),
    "weeks": Unit("time", 10080.0),
    "months": Unit("months", 1.0),
    "years": Unit("months", 12.0),
    "mg": Unit("mass", 1.0),
    "mcg": Unit("mass", 0.001),
    "g": Unit("mass", 1000.0),
    "kg": Unit("mass", 1e6),
    "ft": Unit("length", 1.0),
    "sqft": Unit("area", 1.0),
    "mb": Unit("data", 1.0),
    "gb": Unit("data", 1000.0),
}


def unit(word: str) -> Unit | None:
    """The unit that a word names."""
    return _WORDS.get(" ".join(word.lower().split()))


def unit_of_field(name: str) -> Unit | None:
    """The unit that a field's name ends with."""
    return _ENDINGS.get(name.lower().rpartition("_")[2]) if "_" in name else None


def words_of_field(name: str) -> str:
    """A field's name as people would write it, without its unit."""
    stem, _, ending = name.lower().rpartition("_")
    return (stem if stem and ending in _ENDINGS else name.lower()).replace("_", " ").strip()
