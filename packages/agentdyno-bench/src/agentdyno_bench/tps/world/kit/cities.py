"""Cities, the one thing that all servers must agree on: where they are and what is paid there.

Figures of climate, prices and ways to town are those of the real cities, rounded; where they come
from and what was looked at is in `docs/log/planning-world.md`.
"""

import math
import random
from datetime import date, timedelta
from functools import cache
from typing import Literal

from msgspec import Struct

from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.errors import not_found


class CityFacts(Struct, frozen=True):
    name: str
    """English name of the city."""
    country: str
    airport: str
    """Three-letter code of its main airport."""
    currency: str
    """Three-letter code of what is paid there."""
    latitude: float
    """Latitude in degrees north."""
    longitude: float
    """Longitude in degrees east."""
    utc_offset_hours: float
    """Hours ahead of UTC in standard time; `utc_offset` knows summer time."""
    warmth: float
    """Mean temperature of the year in degrees Celsius."""
    swing: float
    """Half the difference between the warmest and the coldest month, in degrees."""
    rainy: float
    """Share of days with rain or snow."""
    price_level: float
    """What a room or a meal costs, against Lisbon."""
    minutes_to_centre: int
    """Usual way from the airport into town."""
    calling_code: str
    """What telephone numbers begin with, without the plus."""
    harbour: bool
    """Whether ships come here."""
    summer_time: Literal["EU", "US", "AU"] | None
    """Whose rule of summer time holds; None where clocks stay."""


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
    facts = _by_folded_name().get(name.split(",")[0].strip().casefold())
    if facts is None:
        raise not_found("city", name, "Use the English name, without abbreviations.")
    return facts


def distance_km(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle distance between two points in degrees, to a tenth."""
    north_a, east_a, north_b, east_b = map(math.radians, (*a, *b))
    half = math.sin((north_b - north_a) / 2) ** 2
    half += math.cos(north_a) * math.cos(north_b) * math.sin((east_b - east_a) / 2) ** 2
    return round(2 * 6371.0 * math.asin(math.sqrt(half)), 1)


def place_of(city: CityFacts) -> tuple[float, float]:
    """A city's middle."""
    return city.latitude, city.longitude


def utc_offset(city: CityFacts, when: date) -> float:
    """Hours ahead of UTC on a day, summer time included."""
    return city.utc_offset_hours + (city.summer_time is not None and _in_summer_time(city, when))


def _in_summer_time(city: CityFacts, when: date) -> bool:
    year = when.year
    if city.summer_time == "AU":
        return not _sunday(year, 4, 1) <= when < _sunday(year, 10, 1)
    if city.summer_time == "US":
        return _sunday(year, 3, 8) <= when < _sunday(year, 11, 1)
    return _sunday(year, 3, 25) <= when < _sunday(year, 10, 25)


def _sunday(year: int, month: int, earliest: int) -> date:
    """The first Sunday from a day on; from the 25th it is the last of March and October."""
    first = date(year, month, earliest)
    return first + timedelta(days=6 - first.weekday())


def phone_number(rng: random.Random, city: CityFacts) -> str:
    """A number that could be rung from abroad."""
    return f"+{city.calling_code} {rng.randint(200, 999)} {rng.randint(1000, 9999)}"


_BY_THE_WATER = ("Harbour", "Maritime", "Cliff", "Dock", "Quay")


def fit_city(names: list[str], city: CityFacts) -> list[str]:
    """Names that can stand in a city: no harbour where no ship comes."""
    if city.harbour:
        return names
    return [name for name in names if not any(word in name for word in _BY_THE_WATER)]
