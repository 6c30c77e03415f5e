"""What a field's name says: its unit, and its words. `price_usd`, `taper_days`, `potassium_mmol_l`.

The unit stands at the end, as one sign or as two of which the second divides, as a whole word
anywhere, or as a plain sign at the beginning. `per` divides too: `price_eur_per_kg`.
"""

import re
from functools import lru_cache

from agentdyno.matching.legacy_values.units import Unit, per, unit

_ENDINGS: dict[str, Unit] = {
    "musd": Unit("money/usd", 1e6),
    "kusd": Unit("money/usd", 1e3),
    "meur": Unit("money/eur", 1e6),
    "keur": Unit("money/eur", 1e3),
    "c": Unit("temperature", 1.0),
    "f": Unit("temperature", 5 / 9, -160 / 9),
    "k": Unit("temperature", 1.0, -273.15),
    "in": Unit("length", 1 / 12),
    "us": Unit("time", 1 / 6e7),
    "v": Unit("voltage", 1.0),
    "w": Unit("power", 0.001),
    "kmh": Unit("speed", 1.0),
    "kn": Unit("force", 1e3),
    "bc": Unit("year", -1.0),
}
"""Endings that mean something else, or nothing, in a text."""
_NO_ENDINGS = frozenset(
    """d day won stone foot second quarter cup cups mo pc pa ore ora std mes ans dia chili cent
    count dozen crown lira rand kr peso gray""".split()
)
"""Words that are no unit at the end of a name: `vitamin_d`, `games_won`."""
_WHOLE = frozenset(
    """seconds minutes hours days nights weeks months years bytes kilobytes megabytes gigabytes
    dollars euros percent pounds grams kilograms metres meters feet inches miles kilometres
    kilometers litres liters""".split()
)
_SIGNS = frozenset("km kg mg kwh mwh gwh eur usd gbp chf gb tb ms ml cm mm".split())
"""Signs that mean nothing else at the beginning of a name: `km_since_service`."""
LONGEST_ABBREVIATION = 3
LONGEST_SIGN = 4
"""A longer word in front of a unit is what is counted: `delivery_days_h`."""
_COUNTED = re.compile(r"(10{1,3})?(.*)")
_PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=4096)
def unit_of_field(name: str) -> Unit | None:
    """The unit that a field's name carries; None when it carries none that is known."""
    words = _words(name)
    if not words:
        return None
    if "per" in words[1:-1] and ((divided := _divided(words)) or words[-2] == "per"):
        return divided
    if words[-1] in _SPEEDS and _MOVES.intersection(words):
        return unit(_SPEEDS[words[-1]])
    if words[-1] == "nm" and _SAILS.intersection(words):
        return unit("nautical miles")
    if words[-1] == "bp" and _DATED.intersection(words):
        return unit("years")
    if quotient := _quotient(words):
        return quotient
    if len(words) > 1 and (last := _ending(words[-1])):
        return last
    if _is_qualified(words):
        return _ending(words[-2])
    if "per" in words:
        return None
    found = next((unit(word) for word in reversed(words) if word in _WHOLE), None)
    return found or (unit(words[0]) if words[0] in _SIGNS else None)


def divisor_of_field(name: str) -> Unit | None:
    """The unit that what is measured is said for: the kilometre of `pace_per_km`."""
    words = _words(name)
    return unit(words[-1]) if words[-2:-1] == ["per"] else None


_CODES = frozenset(
    "code codes id ids isbn issn ean gtin iban ref reference serial sku tariff".split()
)


def holds_code(name: str) -> bool:
    """Whether a field holds a code, of which the marks between its parts do not count."""
    return _CODES.intersection(_words(name)[-1:]) != set()


def words_of_field(name: str) -> str:
    """A field's name as people would write it, without its unit."""
    words = _words(name)
    if "per" in words[1:-1] and _divided(words):
        at = len(words) - 1 - words[::-1].index("per")
        return " ".join(words[: at - 1 if _ending(words[at - 1]) else at])
    if _quotient(words):
        words = words[:-2]
    elif len(words) > 1 and _ending(words[-1]):
        words = words[:-1]
    elif _is_qualified(words):
        words = [*words[:-2], words[-1]]
    return " ".join(words)


def _divided(words: list[str]) -> Unit | None:
    """`eur_per_kg`; of `eur_per_ticket` the money alone."""
    at = len(words) - 1 - words[::-1].index("per")
    over, under = _ending(words[at - 1]), _divisor(words[at + 1 :])
    if over is None and under and words[at + 1][0].isdigit() and words[at + 2 :]:
        over = _ending(words[-1])  # price_per_100g_eur.
    if over is None or under is None:
        return over if over and over.dimension.startswith("money") else None
    return per(over, under)


def _divisor(words: list[str]) -> Unit | None:
    """`kg`, `100g`, `100_km`: as often as it is said."""
    written = "".join(words[:2]) if words[0].isdigit() else words[0]
    count, sign = _COUNTED.findall(written)[0]
    found = _ending(sign) or unit(sign)
    return found._replace(factor=found.factor * int(count)) if found and count else found


def _quotient(words: list[str]) -> Unit | None:
    """`mmol_l` are millimoles in a litre; `ft_in` are feet and inches, `weight_in_kg` no inches."""
    if len(words) < 3 or words[-2] in ("in", "min") or len(words[-2]) > LONGEST_SIGN:
        return None
    over, under = _ending(words[-2]), _ending(words[-1]) or unit(words[-1])
    if over is None or under is None:
        return None
    if over.dimension == under.dimension and over.dimension in ("length", "time"):
        return None
    if under.dimension.startswith(("money", "percent", "temperature")):
        return None
    return per(over, under)


def _is_qualified(words: list[str]) -> bool:
    """`waste_kg_head`, `price_eur_net`: a sign of two letters or more, and what it is said of."""
    if len(words) < 3 or not 1 < len(words[-2]) <= LONGEST_SIGN or words[-2] in ("in", "min"):
        return False
    return _ending(words[-2]) is not None and words[-1] not in _WHOLE


_SPEEDS = {"ms": "m/s", "kn": "knots"}
_SAILS = frozenset("range distance visibility route leg passage voyage offshore sailed".split())
"""What is measured in nautical miles, not in millionths of a millimetre."""
_DATED = frozenset("age ages dated date cal calibrated radiocarbon c14 years".split())
"""What is told in years before the present, not in basis points."""
_MOVES = frozenset(("wind", "gust", "gusts", "speed", "velocity", "current"))
"""What is measured in metres a second and in knots, not in thousandths and kilonewtons."""


def _ending(word: str) -> Unit | None:
    """A sign or a word for several; one of it is a word like others: `victims_year`."""
    if word in _ENDINGS:
        return _ENDINGS[word]
    singular = len(word) > LONGEST_ABBREVIATION and unit(word + "s") is not None
    return None if singular or word in _NO_ENDINGS else unit(word)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _PARTS.findall(name[:200])]
