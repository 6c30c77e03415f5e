"""Cities, the one thing that all servers must agree on: where they are and what is paid there."""

import math
from functools import cache

from msgspec import Struct

from agentdyno.benchmarks.tps.world.kit.data import load
from agentdyno.benchmarks.tps.world.kit.errors import not_found


class CityFacts(Struct, frozen=True):
    """One city."""

    name: str
    """Its English name."""
    country: str
    """Its country's English name."""
    airport: str
    """Three-letter code of its main airport."""
    currency: str
    """Three-letter code of what is paid there."""
    latitude: float
    """Degrees north."""
    longitude: float
    """Degrees east."""
    utc_offset_hours: float
    """Hours ahead of UTC in summer."""
    warmth: float
    """Mean temperature of the year in degrees Celsius."""


@cache
def cities() -> dict[str, CityFacts]:
    """Every city by name."""
    facts = [CityFacts(*row) for row in load("kit/cities")]
    return {city.name: city for city in facts}


@cache
def _by_folded_name() -> dict[str, CityFacts]:
    return {name.casefold(): city for name, city in cities().items()}


def city_facts(name: str) -> CityFacts:
    """A city by name, in any case, with or without its country behind a comma."""
    found = _by_folded_name().get(name.split(",")[0].strip().casefold())
    if found is None:
        raise not_found("city", name, "Use the English name, without abbreviations.")
    return found


def distance_km(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle distance between two points in degrees, to a tenth."""
    north_a, east_a, north_b, east_b = map(math.radians, (*a, *b))
    half = math.sin((north_b - north_a) / 2) ** 2
    half += math.cos(north_a) * math.cos(north_b) * math.sin((east_b - east_a) / 2) ** 2
    return round(2 * 6371.0 * math.asin(math.sqrt(half)), 1)


def place_of(city: CityFacts) -> tuple[float, float]:
    """A city's middle."""
    return city.latitude, city.longitude
