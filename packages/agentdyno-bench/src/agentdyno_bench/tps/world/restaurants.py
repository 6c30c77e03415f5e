"""Restaurants: a few of every cuisine in every city, menus, free tables and reservations."""

from datetime import date as Date
from functools import cache
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import City, Day, Limit, note
from agentdyno_bench.tps.world.kit.chance import chance, share
from agentdyno_bench.tps.world.kit.cities import (
    CityFacts,
    cities,
    city_facts,
    fit_city,
    phone_number,
)
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import day
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

RestaurantId = Annotated[str, note("Id of a restaurant, for example 'lyon-r4'.")]
TableId = Annotated[str, note("Id of a table reservation, for example 'TB-7K2M9P'.")]
Party = Annotated[int, note("How many people, 1 to 12.")]
TIMES = ("18:00", "18:45", "19:30", "20:15", "21:00")


class Restaurants(Server):
    """The restaurant service."""

    name = "restaurants"
    title = "Tablefinder"
    version = "1.8.5"
    about = "Finds restaurants and reserves tables."

    @tool(latency=0.8)
    def search_restaurants(
        self,
        city: City,
        cuisine: Annotated[str | None, note("Italian, Japanese, Indian, French, …")] = None,
        max_price: Annotated[float | None, note("Typical price for one, in euros.")] = None,
        limit: Limit = 10,
    ) -> Row:
        """Places to eat in a city by cuisine and price, with rating."""
        facts = city_facts(city)
        if cuisine is not None and cuisine not in load("restaurants")["cuisines"]:
            raise not_found("cuisine", cuisine)
        matches = [
            r
            for r in self._all(facts)
            if cuisine in (None, r["cuisine"])
            and (max_price is None or r["price_per_person_eur"] <= max_price)
        ]
        return {"city": facts.name, "restaurants": matches[:limit]}

    @tool(latency=0.4)
    def restaurant_details(self, restaurant_id: RestaurantId) -> Row:
        """Address, phone, seats and kitchen hours of a restaurant."""
        restaurant = self._find(restaurant_id)
        city, rng = city_facts(restaurant["city"]), chance(self.seed, "details", restaurant_id)
        streets = load("maps")["streets"]
        return {
            **restaurant,
            "address": f"{rng.randint(1, 90)} {rng.choice(fit_city(streets, city))}",
            "phone": phone_number(rng, city),
            "seats": rng.randint(20, 90),
            "closed_on": self._find_closing_day(restaurant_id),
            "terrace": rng.random() < 0.5,
        }

    @tool(latency=0.5)
    def menu(self, restaurant_id: RestaurantId) -> Row:
        """Dishes of a restaurant with prices in euros."""
        restaurant = self._find(restaurant_id)
        rng = chance(self.seed, "menu", restaurant_id)
        base = restaurant["price_per_person_eur"]
        dishes = [
            {"dish": dish, "price_eur": round(base * rng.uniform(0.4, 0.8), 2)}
            for dish in load("restaurants")["dishes"][restaurant["cuisine"]]
        ]
        return {"restaurant_id": restaurant_id, "dishes": dishes}

    @tool(latency=0.7)
    def free_tables(self, restaurant_id: RestaurantId, date: Day, party: Party) -> Row:
        """Times at which a restaurant can still seat a party on an evening."""
        restaurant, when = self._find(restaurant_id), day(date)
        return {"restaurant_id": restaurant_id, "name": restaurant["name"], "date": date,
                "party": party, "times": self._times(restaurant_id, when, party)}  # fmt: skip

    @tool(latency=1.0, writes=True)
    def reserve_table(
        self,
        restaurant_id: RestaurantId,
        date: Day,
        time: Annotated[str, note("One of the free times, as HH:MM.")],
        party: Party,
    ) -> Row:
        """Reserve a table at one of the free times."""
        restaurant, when = self._find(restaurant_id), day(date)
        if time not in self._times(restaurant_id, when, party):
            raise conflict(f"{restaurant['name']} has no table for {party} at {time} on {date}.")
        table_id = self.new_id("TB", restaurant_id, date, time, party)
        if self.state["tables"].get(table_id, {}).get("status") == "confirmed":
            raise conflict(f"This table is already reserved ({table_id}).")
        self._refuse_overlap(date, time)
        row = {"table_id": table_id, "restaurant_id": restaurant_id, "name": restaurant["name"],
               "date": date, "time": time, "starts": f"{date}T{time}", "party": party,
               "status": "confirmed"}  # fmt: skip
        return self.keep("tables", table_id, row)

    @tool(latency=0.5, writes=True, destructive=True)
    def cancel_table(self, table_id: TableId) -> Row:
        """Give a reserved table back."""
        row = self.row("tables", table_id, "table reservation")
        if row["status"] != "confirmed":
            raise conflict(f"{table_id} is already cancelled.")
        return self.keep("tables", table_id, {**row, "status": "cancelled"})

    @tool(latency=0.2)
    def my_tables(self) -> Row:
        """Table reservations of this account."""
        return {"tables": list(self.state["tables"].values())}

    @tool(latency=0.5)
    def diet_options(self, restaurant_id: RestaurantId) -> Row:
        """Diets that a kitchen can serve."""
        self._find(restaurant_id)
        rng = chance(self.seed, "diets", restaurant_id)
        served = rng.sample(load("restaurants")["diets"], rng.randint(1, 4))
        return {"restaurant_id": restaurant_id, "diets": sorted(served)}

    @tool(latency=0.3)
    def cuisines_in(self, city: City) -> Row:
        """Which cuisines a city offers, and how many restaurants of each."""
        facts = city_facts(city)
        count: dict[str, int] = {}
        for restaurant in self._all(facts):
            count[restaurant["cuisine"]] = count.get(restaurant["cuisine"], 0) + 1
        return {"city": facts.name, "cuisines": dict(sorted(count.items()))}

    @tool(latency=0.6)
    def top_rated(self, city: City, cuisine: Annotated[str, note("One cuisine.")]) -> Row:
        """The best-rated restaurant of a cuisine in a city."""
        facts = city_facts(city)
        matches = [r for r in self._all(facts) if r["cuisine"] == cuisine]
        if not matches:
            raise not_found("restaurant of cuisine", cuisine)
        return {"city": facts.name, "restaurant": max(matches, key=lambda r: float(r["rating"]))}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """Nothing is reserved yet."""
        return {"tables": {}}

    def _all(self, city: CityFacts) -> list[Row]:
        return restaurants_in(self.seed, city)

    def _find(self, restaurant_id: str) -> Row:
        slug = restaurant_id.rpartition("-r")[0].replace("_", " ")
        by_slug = {c.casefold(): c for c in cities()}
        for restaurant in self._all(city_facts(by_slug[slug])) if slug in by_slug else ():
            if restaurant["restaurant_id"] == restaurant_id:
                return restaurant
        raise not_found("restaurant", restaurant_id, "Ids come from a search for restaurants.")

    def _times(self, restaurant_id: str, when: Date, party: int) -> list[str]:
        if not 1 <= party <= 12:
            raise ServiceError("invalid_argument", "party must be 1 to 12.")
        if when.strftime("%A") == self._find_closing_day(restaurant_id):
            return []
        free = [t for t in TIMES if share(self.seed, "free", restaurant_id, when, t) > 0.45]
        occupied = {
            t["time"]
            for t in self._list_reservations()
            if (t["restaurant_id"], t["date"]) == (restaurant_id, when.isoformat())
        }
        return [time for time in free or [TIMES[-1]] if time not in occupied]

    def _find_closing_day(self, restaurant_id: str) -> str:
        days = ("Monday", "Tuesday", "Sunday")
        return days[int(3 * share(self.seed, "closed", restaurant_id))]

    def _list_reservations(self) -> list[Row]:
        return [t for t in self.state["tables"].values() if t["status"] == "confirmed"]

    def _refuse_overlap(self, date: str, time: str) -> None:
        """Nobody dines at two tables at once; a table is kept for two hours."""
        for other in self._list_reservations():
            if other["date"] == date and abs(_minutes(other["time"]) - _minutes(time)) < 120:
                raise conflict(
                    f"You hold a table at {other['name']} at {other['time']} that evening "
                    f"({other['table_id']}); cancel it first."
                )


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


@cache
def restaurants_in(seed: int, city: CityFacts) -> list[Row]:
    """The restaurants of a city; never to be changed by whoever reads them."""
    rng = chance(seed, "restaurants", city.name)
    data = load("restaurants")
    slug = city.name.casefold().replace(" ", "_")
    kitchens = [
        (cuisine, name)
        for cuisine in data["cuisines"]
        for name in rng.sample(data["names"][cuisine], rng.randint(1, 2))
    ][:14]
    return [
        {
            "restaurant_id": f"{slug}-r{number + 1}",
            "name": name,
            "city": city.name,
            "cuisine": cuisine,
            "rating": round(3 + 1.95 * rng.random(), 2),
            "price_per_person_eur": round(rng.uniform(14, 70) * city.price_level, 2),
        }
        for number, (cuisine, name) in enumerate(kitchens)
    ]
