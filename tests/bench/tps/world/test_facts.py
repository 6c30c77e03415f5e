"""What the world says is what a traveller would believe; known figures from almanacs and tables."""

from collections import Counter
from datetime import date, timedelta
from statistics import mean
from typing import Any

import pytest

from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled
from agentdyno_bench.tps.world import World, server_class
from agentdyno_bench.tps.world.directory import SERVERS
from agentdyno_bench.tps.world.kit.cities import cities, city_facts, utc_offset
from agentdyno_bench.tps.world.kit.dates import TODAY
from agentdyno_bench.tps.world.kit.server import UNTIL_MIDNIGHT
from agentdyno_bench.tps.world.weather import day_weather
from tests.labelled import from_set


def ask(tool: str, **arguments: object) -> Any:
    outcome = World().call(tool, arguments)
    assert outcome.error is None, outcome.text
    return outcome.value


@from_set("bench/tps/world/facts", "city", "when", "rise", "sets")
def test_the_sun_rises_as_in_the_almanac(city: str, when: str, rise: int, sets: int) -> None:
    found = ask("weather_sun_times", city=city, date=when)
    for name, wanted in (("sunrise", rise), ("sunset", sets)):
        hours, minutes = map(int, found[name].split(":"))
        assert abs(60 * hours + minutes - wanted) <= 3


@from_set("bench/tps/world/facts", "city", "when", "hours")
def test_clocks_change_on_the_right_days(city: str, when: str, hours: int) -> None:
    assert utc_offset(city_facts(city), date.fromisoformat(when)) == hours


def monthly(city: str, month: int) -> float:
    days = (date(2025, month, 1) + timedelta(days=n) for n in range(28))
    weather = [day_weather(7, city_facts(city), day) for day in days]
    return mean((day["high_c"] + day["low_c"]) / 2 for day in weather)


@from_set("bench/tps/world/facts", "city", "january", "july")
def test_the_seasons_are_those_of_the_place(city: str, january: float, july: float) -> None:
    assert abs(monthly(city, 1) - january) < 3
    assert abs(monthly(city, 7) - july) < 3


def test_the_weather_of_a_day_agrees_with_itself() -> None:
    for city in cities().values():
        for n in range(0, 365, 5):
            day = day_weather(7, city, date(2025, 1, 1) + timedelta(days=n))
            assert (day["rain_percent"] > 50) == (
                day["sky"] in ("light rain", "rain showers", "thunderstorm", "drizzle", "snow")
            )
            assert day["sky"] != "fog" or day["wind_kmh"] < 10
            assert day["sky"] != "snow" or day["high_c"] < 2
            assert day["uv_index"] <= 12


def test_rain_falls_where_it_falls() -> None:
    def wet(city: str) -> int:
        days = (date(2025, 1, 1) + timedelta(days=n) for n in range(365))
        return sum(day_weather(7, city_facts(city), d)["rain_percent"] > 50 for d in days)

    assert wet("Dubai") < 20 < 40 < wet("Madrid") < 85 < 150 < wet("Bergen")


def test_flights_do_what_aircraft_can() -> None:
    for a, b in (("London", "Sydney"), ("Oslo", "Bergen"), ("Paris", "New York")):
        route = ask("flights_search_flights", origin=a, destination=b, date="2026-05-04")
        for flight in route["flights"]:
            assert flight["stops"] >= 1 or flight["kilometres"] < 15_000
            assert flight["stops"] == 0 or flight["kilometres"] > 700
            kind = ask("flights_flight_details", flight_id=flight["flight_id"])["aircraft"]
            assert (kind in ("787-9", "A350-900", "A330-900")) == (flight["kilometres"] >= 5500)


def test_numbers_are_rung_with_the_code_of_the_country() -> None:
    for city, code in (("Tokyo", "+81 "), ("Lisbon", "+351 "), ("New York", "+1 ")):
        slug = city.casefold().replace(" ", "_")
        assert ask("hotels_hotel_details", hotel_id=f"{slug}-h1")["phone"].startswith(code)
        found = ask("restaurants_restaurant_details", restaurant_id=f"{slug}-r1")
        assert found["phone"].startswith(code)
        assert ask("maps_place_details", place_id=f"{slug}-museum-1")["phone"].startswith(code)


def test_prices_are_payable_and_follow_the_city() -> None:
    def nights(city: str) -> list[float]:
        found = ask("hotels_search_hotels", city=city, check_in="2026-05-04", nights=2)
        return [hotel["price_per_night"] for hotel in found["hotels"]]

    assert all(price == int(price) for city in ("Tokyo", "Budapest") for price in nights(city))
    to_euros = ask("finance_exchange_rate", base="THB", quote="EUR")["rate"]
    assert mean(nights("Bangkok")) * to_euros < mean(nights("Paris"))


def test_rates_have_figures_enough_and_pegs_hold() -> None:
    def rate(base: str, quote: str) -> float:
        return float(ask("finance_exchange_rate", base=base, quote=quote)["rate"])

    assert rate("KRW", "EUR") * rate("EUR", "KRW") == pytest.approx(1, rel=1e-4)
    assert rate("USD", "AED") == pytest.approx(3.6725, rel=1e-4)
    assert rate("EUR", "DKK") == pytest.approx(7.46, rel=0.0025)


def test_a_restaurant_has_no_tables_on_the_day_it_is_closed() -> None:
    closed = ask("restaurants_restaurant_details", restaurant_id="oslo-r1")["closed_on"]
    days = [TODAY + timedelta(days=n) for n in range(5, 19)]
    for day in days:
        free = ask("restaurants_free_tables", restaurant_id="oslo-r1", date=str(day), party=2)
        assert bool(free["times"]) == (day.strftime("%A") != closed)


def test_nothing_was_paid_in_the_future_and_shares_rest_at_weekends() -> None:
    paid = ask("finance_transactions", month="2026-04")["transactions"]
    assert paid
    assert all(row["date"] <= TODAY.isoformat() for row in paid)
    week = [ask("finance_stock_history", symbol="IRIS", start=d, end=d)["closes"][0]["close_usd"]
            for d in ("2026-04-10", "2026-04-11", "2026-04-12")]  # fmt: skip
    assert len(set(week)) == 1
    assert ask("finance_stock_quote", symbol="IRIS")["previous_usd"] == week[0]


def test_the_shop_delivers_when_it_says() -> None:
    world = World()
    product = world.call("shopping_search_products", {"query": "e-reader"}).value["products"][0]
    key = {"product_id": product["product_id"]}
    days = world.call("shopping_product_details", key).value["delivery_days"]
    order = world.call("shopping_order_product", key).value
    assert order["arrives"] == (TODAY + timedelta(days=days)).isoformat()


def test_years_before_christ_say_so() -> None:
    rome = ask("websearch_encyclopedia_city", city="Rome")
    assert (rome["first_mentioned"], rome["era"]) == (753, "BC")
    assert "753 BC" in rome["text"]


def test_several_servers_have_quotas_by_the_seed_that_no_plan_comes_near() -> None:
    used: Counter[str] = Counter()
    for level in LEVELS:
        for task in load_bundled(level).tasks:
            for tool, times in Counter(step.tool for step in task.subtasks).items():
                used[tool] = max(used[tool], times)
    limits = {
        seed: {
            f"{name}_{tool.name}": quota
            for name in SERVERS
            for tool in server_class(name).tools.values()
            if (quota := World(seed).server(name).quota(tool)) is not None
        }
        for seed in (1, 7, 8)
    }
    assert len({tool.partition("_")[0] for tool in limits[7]}) >= 7
    assert limits[7] != limits[8]
    assert all(quota >= 2.5 * used[t] for found in limits.values() for t, quota in found.items())


def test_a_used_up_quota_says_when_to_come_back() -> None:
    world, asked = World(), {"symbol": "IRIS", "start": "2026-04-01", "end": "2026-04-02"}
    quota = world.server("finance").quota(server_class("finance").tools["stock_history"])
    outcomes = [world.call("finance_stock_history", asked) for _ in range(quota + 1)]
    assert [o.error for o in outcomes] == [None] * quota + ["rate_limited"]
    assert outcomes[-1].value["error"]["retry_after_seconds"] == UNTIL_MIDNIGHT
    free = World(quotas=False)
    assert all(free.call("finance_stock_history", asked).error is None for _ in range(quota + 1))
