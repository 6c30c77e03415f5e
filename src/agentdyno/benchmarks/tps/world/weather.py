"""Weather: conditions, forecasts and what comes with them, for every city of the world.

A day's weather is a pure function of seed, city and date, so every tool that speaks of the same
day says the same.
"""

import math
from datetime import date as Date
from datetime import timedelta
from functools import cache
from typing import Annotated

from agentdyno.benchmarks.tps.world.kit.arguments import City, Day, note
from agentdyno.benchmarks.tps.world.kit.chance import chance, share
from agentdyno.benchmarks.tps.world.kit.cities import CityFacts, city_facts
from agentdyno.benchmarks.tps.world.kit.data import load
from agentdyno.benchmarks.tps.world.kit.dates import NOW, TODAY, day, days_from
from agentdyno.benchmarks.tps.world.kit.errors import ServiceError
from agentdyno.benchmarks.tps.world.kit.server import Row, Server
from agentdyno.benchmarks.tps.world.kit.tool import tool

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

    @tool(latency=0.7)
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
        whole = self._day(facts, day(date, latest=HORIZON))
        low, span = whole["low_c"], whole["high_c"] - whole["low_c"]
        hours = [
            {
                "hour": f"{hour:02d}:00",
                "temperature_c": round(low + span * max(0.0, math.sin((hour - 5) / 20 * 3.14)), 1),
                "rain_percent": int(whole["rain_percent"] * (0.6 + 0.4 * math.cos(hour / 4))),
            }
            for hour in range(24)
        ]
        return {"city": facts.name, "date": whole["date"], "hours": hours}

    @tool(latency=0.3)
    def weather_alerts(self, city: City) -> Row:
        """Active warnings of the weather office for a city and its surroundings."""
        facts = city_facts(city)
        rng = chance(self.seed, "alerts", facts.name)
        kinds = rng.sample(load("weather")["alerts"], rng.randint(0, 2))
        alerts = [
            {"kind": k, "level": rng.choice(["yellow", "orange"]), "until": "2026-04-14T18:00"}
            for k in kinds
        ]
        return {"city": facts.name, "alerts": alerts}

    @tool(latency=0.35)
    def air_quality(self, city: City, date: Day) -> Row:
        """Air quality index and fine dust in a city on a day."""
        facts, when = city_facts(city), day(date, latest=HORIZON)
        index = 18 + int(90 * share(self.seed, "air", facts.name, when))
        band = "good" if index <= 50 else "moderate" if index <= 80 else "unhealthy for some"
        dust = round(index * 0.38, 1)
        return {
            "city": facts.name,
            "date": when.isoformat(),
            "index": index,
            "band": band,
            "pm25": dust,
        }

    @tool(latency=0.2)
    def sun_times(self, city: City, date: Day) -> Row:
        """Sunrise, sunset and length of the day in a city, local time."""
        facts, when = city_facts(city), day(date, earliest=None)
        tilt = -23.44 * math.cos(2 * math.pi * (when.timetuple().tm_yday + 10) / 365)
        x = -math.tan(math.radians(facts.latitude)) * math.tan(math.radians(tilt))
        half = math.degrees(math.acos(max(-1.0, min(1.0, x)))) / 15
        noon = 12 - facts.longitude / 15 + facts.utc_offset_hours
        return {
            "city": facts.name,
            "date": when.isoformat(),
            "sunrise": _clock(noon - half),
            "sunset": _clock(noon + half),
            "daylight_minutes": round(120 * half),
        }

    @tool(latency=0.5)
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
            for plant in load("weather")["plants"]
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
    swing = 3 + abs(city.latitude) / 7
    high = round(city.warmth + swing * season + 4 + rng.uniform(-3, 3), 1)
    sky = rng.choice(load("weather")["skies"])
    wet = sky in load("weather")["wet"]
    return {
        "city": city.name,
        "date": when.isoformat(),
        "high_c": high,
        "low_c": round(high - rng.uniform(5, 10), 1),
        "sky": sky,
        "rain_percent": rng.randint(55, 95) if wet else rng.randint(0, 40),
        "wind_kmh": rng.randint(4, 45),
        "humidity_percent": rng.randint(38, 92),
        "uv_index": rng.randint(1, 9),
    }


def _clock(hours: float) -> str:
    minutes = round(hours * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
