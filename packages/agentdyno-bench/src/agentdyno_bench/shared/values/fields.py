"""Reads the unit in a field's name. `price_eur_per_kg`, `hb_g_dl`, `delay_min`."""

import re
from functools import lru_cache

from agentdyno.matching.values.lexicon import PERCENT, Unit, unit_named

_PARTS = re.compile(r"[^\W\d_]+\d*|\d+[^\W\d_]*", re.UNICODE)
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SIGNS = {
    "c": Unit("temperature"), "f": Unit("temperature", 5 / 9, -160 / 9),
    "k": Unit("temperature", 1.0, -273.15), "in": Unit("length", 0.0254), "v": Unit("voltage"),
    "w": Unit("power"), "kw": Unit("power", 1e3), "mw": Unit("power", 1e6), "gb": Unit("data", 1e9),
    "mb": Unit("data", 1e6), "kb": Unit("data", 1e3), "tb": Unit("data", 1e12), "l": Unit("volume"),
    "kn": Unit("speed", 0.5144444444444445), "a": Unit("current"), "hz": Unit("frequency"),
    "musd": Unit("money", 1e6, 0.0, "usd"), "meur": Unit("money", 1e6, 0.0, "eur"),
    "kusd": Unit("money", 1e3, 0.0, "usd"), "keur": Unit("money", 1e3, 0.0, "eur"),
    "kmh": Unit("speed", 1 / 3.6), "kwh": Unit("energy", 3.6e6), "mwh": Unit("energy", 3.6e9),
    "ppt": Unit("percent", 0.1), "pa": Unit("pressure"), "ma": Unit("current", 1e-3),
    "pc": Unit("length", 3.0856775814913673e16), "ug": Unit("mass", 1e-6),
}  # fmt: skip
"""Endings of names that mean something else, or nothing, in a text."""
_WORDS = frozenset(
    "d day won stone second quarter cup p b year month week night hour minute days_ cent real rand"
    " dozen lira fr bit pound foot mes dia an at".split()
)
"""Words that are no unit at the end of a name, since one of a thing is what is named."""
_OVER = frozenset("day hour week month year night person head minute second d h min".split())
"""What something measured is said for: `food_g_day`."""
_SPEEDS = frozenset("wind gust gusts speed velocity current".split())
_CALLED = frozenset(
    "seconds minutes hours days nights weeks months years kwh km kg mg eur usd gbp chf jpy"
    " pct percent bytes dollars euros litres liters metres meters grams kilograms tonnes miles"
    " inches feet".split()
)
"""Words that are a unit anywhere in a name."""


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """The words of a name, in small letters."""
    return tuple(word.casefold() for word in _PARTS.findall(_HUMPS.sub("_", name[:4000])))


@lru_cache(maxsize=4096)
def unit_of_field(name: str) -> Unit | None:
    """The unit that a name carries; None when it carries none that is known."""
    words = split_name(name)
    if "per" in words[1:-1]:
        at = words.index("per")
        over, under = _sign(words[at - 1]), _divisor(words[at + 1 :])
        if over is None and under is not None:
            over = _sign(words[-1]) if len(words) > at + 2 else None
        return over.per(under) if over and under else over
    if len(words) > 2 and (over := _sign(words[-2])) and (under := _sign(words[-1])):
        if words[-1] == "ms":
            return Unit("speed")
        if over.dimension != under.dimension and under.dimension in (
            "volume",
            "mass",
            "length",
            "time",
            "area",
        ):
            return over.per(under)
    if len(words) > 2 and words[-1] in _OVER and len(words[-2]) < 5 and (unit := _sign(words[-2])):
        under = unit_named(words[-1])
        return unit.per(under) if under else unit
    if len(words) > 1 and words[-1] == "ms" and _SPEEDS & set(words):
        return Unit("speed")
    if words and words[-1] in ("pct", "percent", "percentage"):
        return PERCENT
    if len(words) > 1 and (unit := _sign(words[-1])):
        return unit
    called = next((word for word in words if word in _CALLED), None)
    return _sign(called) if called else None


def _divisor(words: tuple[str, ...]) -> Unit | None:
    """`kg`, `100g`, `100_km`, `hour`."""
    match = re.fullmatch(
        r"(10{1,3})?([a-z]*)", "".join(words[:2]) if words[0].isdigit() else words[0]
    )
    unit = match and (_sign(match[2]) or unit_named(match[2]))
    if not match or not unit:
        return None
    return unit._replace(factor=unit.factor * int(match[1] or 1))


def _sign(word: str) -> Unit | None:
    if word in _SIGNS:
        return _SIGNS[word]
    return None if word in _WORDS else unit_named(word)
