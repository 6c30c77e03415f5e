"""Weather: conditions, forecasts and what comes with them, for every city of the world.

A day's weather is a pure function of seed, city and date, so every tool that speaks of the same
day says the same.
"""

import math
import random
from datetime import date as Date
from datetime import timedelta
from functools import cache
from itertools import pairwise
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import City, Day, note
from agentdyno_bench.tps.world.kit.chance import chance, share
from agentdyno_bench.tps.world.kit.cities import CityFacts, city_facts, utc_offset
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import NOW, TODAY, day, days_from
from agentdyno_bench.tps.world.kit.errors import ServiceError
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

HORIZON = TODAY + timedelta(days=45)
"""Forecasts reach no further."""


class Weather(Server):
    """The weather service."""

    name = "weather"
    title = "Skyline Weather"
    version = "3.2.1"
    about = "Current conditions, forecasts, air and sun for cities."

    @tool(latency=0.25)
    def current_conditions(self, city: City) -> Row:
        """Weather right now in a city: temperature, sky, wind and humidity."""
        facts = city_facts(city)
        today = self._day(facts, TODAY)
        return {
            "city": facts.name,
            "observed_at": NOW,
            "temperature_c": round((today["high_c"] + today["low_c"]) / 2, 1),
            "feels_like_c": round((today["high_c"] + today["low_c"]) / 2 - 1.2, 1),
            "sky": today["sky"],
            "wind_kmh": today["wind_kmh"],
            "humidity_percent": today["humidity_percent"],
            "pressure_hpa": 1000 + int(30 * share(self.seed, "pressure", facts.name)),
        }

    @tool(latency=0.4)
    def daily_forecast(self, city: City, date: Day) -> Row:
        """Forecast for one day in a city: high, low, sky, chance of rain and wind."""
        return self._day(city_facts(city), day(date, latest=HORIZON))

    @tool(latency=0.7, quota=(60, 120))
    def forecast_range(
        self, city: City, start: Day, days: Annotated[int, note("1 to 14 days.")] = 7
    ) -> Row:
        """Multi-day outlook for a city, one entry per day, up to two weeks."""
        if not 1 <= days <= 14:
            raise ServiceError("invalid_argument", f"days must be 1 to 14, not {days}.")
        facts, first = city_facts(city), day(start, latest=HORIZON)
        return {"city": facts.name, "days": [self._day(facts, d) for d in days_from(first, days)]}

    @tool(latency=0.6)
    def hourly_forecast(self, city: City, date: Day) -> Row:
        """Hour-by-hour temperatures and rain for one day in a city."""
        facts = city_facts(city)
        forecast = self._day(facts, day(date, latest=HORIZON))
        low, span = forecast["low_c"], forecast["high_c"] - forecast["low_c"]
        hours = [
            {
                "hour": f"{hour:02d}:00",
                "temperature_c": round(low + span * max(0.0, math.sin((hour - 5) / 20 * 3.14)), 1),
                "rain_percent": int(forecast["rain_percent"] * (0.6 + 0.4 * math.cos(hour / 4))),
            }
            for hour in range(24)
        ]
        return {"city": facts.name, "date": forecast["date"], "hours": hours}

    @tool(latency=0.3)
    def weather_alerts(self, city: City) -> Row:
        """Active warnings of the weather office for a city and its surroundings."""
        facts = city_facts(city)
        rng = chance(self.seed, "alerts", facts.name)
        alerts = [
            {"kind": k, "level": rng.choice(["yellow", "orange"]), "until": "2026-04-14T18:00"}
            for k in _find_warnings(facts, self._day(facts, TODAY))
        ]
        return {"city": facts.name, "alerts": alerts}

    @tool(latency=0.35)
    def air_quality(self, city: City, date: Day) -> Row:
        """Air quality index and fine dust in a city on a day."""
        facts, when = city_facts(city), day(date, latest=HORIZON)
        index = 18 + int(90 * share(self.seed, "air", facts.name, when))
        band = "good" if index <= 50 else "moderate" if index <= 100 else "unhealthy for some"
        return {
            "city": facts.name,
            "date": when.isoformat(),
            "index": index,
            "band": band,
            "pm25": _dust(index),
        }

    @tool(latency=0.2)
    def sun_times(self, city: City, date: Day) -> Row:
        """Sunrise, sunset and length of the day in a city, local time."""
        facts, when = city_facts(city), day(date, earliest=None)
        tilt, north = math.radians(_tilt(when)), math.radians(facts.latitude)
        x = math.sin(_HORIZON) - math.sin(north) * math.sin(tilt)
        x /= math.cos(north) * math.cos(tilt)
        half = math.degrees(math.acos(max(-1.0, min(1.0, x)))) / 15
        noon = 12 - facts.longitude / 15 + utc_offset(facts, when) - _sundial_ahead(when)
        return {
            "city": facts.name,
            "date": when.isoformat(),
            "sunrise": _clock(noon - half),
            "sunset": _clock(noon + half),
            "daylight_minutes": round(120 * half),
        }

    @tool(latency=0.5, quota=(40, 80))
    def past_weather(self, city: City, date: Day) -> Row:
        """What the weather was on a past day in a city, from the archive since 2020."""
        facts = city_facts(city)
        when = day(date, earliest=Date(2020, 1, 1), latest=TODAY - timedelta(days=1))
        return self._day(facts, when)

    @tool(latency=0.8)
    def compare_cities(
        self, cities: Annotated[list[str], note("Two to six city names.")], date: Day
    ) -> Row:
        """Forecasts of several cities side by side for one day, warmest first."""
        if not 2 <= len(cities) <= 6:
            raise ServiceError("invalid_argument", "Give two to six cities.")
        when = day(date, latest=HORIZON)
        rows = [self._day(city_facts(name), when) for name in cities]
        return {"date": when.isoformat(), "cities": sorted(rows, key=lambda r: -r["high_c"])}

    @tool(latency=0.3)
    def pollen_forecast(self, city: City, date: Day) -> Row:
        """Pollen by plant in a city on a day, from 0 (none) to 5 (very high)."""
        facts, when = city_facts(city), day(date, latest=HORIZON)
        levels = {
            plant: int(6 * share(self.seed, "pollen", facts.name, when, plant))
            if _flowers(season, facts, when)
            else 0
            for plant, season in load("weather")["plants"].items()
        }
        return {"city": facts.name, "date": when.isoformat(), "levels": levels}

    def _day(self, city: CityFacts, when: Date) -> Row:
        return day_weather(self.seed, city, when)


@cache
def day_weather(seed: int, city: CityFacts, when: Date) -> Row:
    """The weather of a day; never to be changed by whoever reads it."""
    rng = chance(seed, "day", city.name, when)
    south = -1 if city.latitude < 0 else 1
    season = -math.cos(2 * math.pi * (when.timetuple().tm_yday - 15) / 365) * south
    high = round(city.warmth + city.swing * season + 4 + rng.uniform(-3, 3), 1)
    wet = rng.random() < city.rainy
    sky = _sky(rng, wet, high)
    clouds = load("weather")["skies"][sky]
    return {
        "city": city.name,
        "date": when.isoformat(),
        "high_c": high,
        "low_c": round(high - rng.uniform(5, 10), 1),
        "sky": sky,
        "rain_percent": rng.randint(55, 95) if wet else rng.randint(0, 25),
        "wind_kmh": rng.randint(*clouds["wind"]),
        "humidity_percent": rng.randint(*clouds["humidity"]),
        "uv_index": round(_clear_uv(city, when) * clouds["sun"]),
    }


def _sky(rng: random.Random, wet: bool, high: float) -> str:
    """Snow where it is cold, thunder where it is warm."""
    if wet and high < 2:
        return "snow"
    kinds = load("weather")["wet" if wet else "dry"]
    return str(rng.choice([k for k in kinds if k != "thunderstorm" or high > 14]))


def _tilt(when: Date) -> float:
    """How far north the sun stands, in degrees."""
    return -23.44 * math.cos(2 * math.pi * (when.timetuple().tm_yday + 10) / 365)


_HORIZON = math.radians(-0.833)
"""Where the middle of the sun is when its rim rises, bent upwards by the air."""


def _sundial_ahead(when: Date) -> float:
    """The equation of time, in hours."""
    turn = 2 * math.pi * (when.timetuple().tm_yday - 81) / 365
    return (9.87 * math.sin(2 * turn) - 7.53 * math.cos(turn) - 1.5 * math.sin(turn)) / 60


def _clear_uv(city: CityFacts, when: Date) -> float:
    """The index under a clear sky: it falls with the third power of the sun's height at noon."""
    height = math.sin(math.radians(90 - abs(city.latitude - _tilt(when))))
    return 11.5 * max(0.0, height) ** 3


def _find_warnings(city: CityFacts, today: Row) -> list[str]:
    """Warnings that match the forecast."""
    signs = {
        "heavy rain": today["rain_percent"] > 85,
        "dense fog": today["sky"] == "fog",
        "strong wind gusts": today["wind_kmh"] > 32,
        "coastal swell": city.harbour and today["wind_kmh"] > 27,
        "high UV exposure": today["uv_index"] >= 8,
        "late frost": -4 < today["low_c"] < 2,
    }
    return [kind for kind, holds in signs.items() if holds][:2]


_DUST = ((0, 0.0), (50, 9.0), (100, 35.4), (150, 55.4))
"""The index that belongs to so many micrograms, by the scale of the United States of 2024."""


def _dust(index: int) -> float:
    """Fine dust in micrograms a cubic metre, for an index."""
    (a, low), (b, high) = next(pair for pair in pairwise(_DUST) if index <= pair[1][0])
    return round(low + (high - low) * (index - a) / (b - a), 1)


def _flowers(season: list[float], city: CityFacts, when: Date) -> bool:
    first, last, coolest, warmest = season
    half_year = 182 if city.latitude < 0 else 0
    season_day = (when.timetuple().tm_yday + half_year - 1) % 365 + 1
    return first <= season_day <= last and coolest <= city.warmth <= warmest


def _clock(hours: float) -> str:
    minutes = round(hours * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
