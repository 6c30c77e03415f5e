"""Maps: places within cities, distances and ways between them, and a list of saved places."""

from functools import cache
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import City, Limit, note
from agentdyno_bench.tps.world.kit.chance import chance
from agentdyno_bench.tps.world.kit.cities import (
    CityFacts,
    cities,
    city_facts,
    distance_km,
    fit_city,
    phone_number,
    place_of,
    utc_offset,
)
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

SPEED_KMH = {"walking": 4.8, "cycling": 15.0, "driving": 32.0, "transit": 22.0}
FEES = {"museum": [0, 6, 8, 12, 15], "viewpoint": [0, 4, 8, 12], "gym": [8, 10, 12, 15]}
"""What entry may cost, in euros; nobody pays to enter a pharmacy."""
OPEN = {
    "station": ("05:00", "23:59"),
    "hospital": ("00:00", "23:59"),
    "Night Pharmacy": ("19:00", "08:00"),
}
"""Opening hours that have a reason."""
PlaceId = Annotated[str, note("Id of a place, for example 'lisbon-museum-2'.")]
Mode = Annotated[str, note("walking, cycling, driving or transit")]


class Maps(Server):
    """The map service."""

    name = "maps"
    title = "Wayfinder Maps"
    version = "5.1.0"
    about = "Places, distances and routes in and between cities."

    @tool(latency=0.3)
    def geocode_city(self, city: City) -> Row:
        """Coordinates, country, time zone and currency of a city."""
        facts = city_facts(city)
        return {
            "city": facts.name,
            "country": facts.country,
            "latitude": facts.latitude,
            "longitude": facts.longitude,
            "utc_offset_hours": utc_offset(facts, TODAY),
            "currency": facts.currency,
        }

    @tool(latency=0.6)
    def find_places(
        self,
        city: City,
        category: Annotated[str, note("museum, park, station, pharmacy, library, gym, …")],
        limit: Limit = 10,
    ) -> Row:
        """Places of a category in a city, with rating and opening hours."""
        facts = city_facts(city)
        if category not in load("maps")["categories"]:
            categories = ", ".join(load("maps")["categories"])
            raise not_found("category", category, f"Known: {categories}.")
        matches = [p for p in self._places(facts) if p["category"] == category]
        return {"city": facts.name, "category": category, "places": matches[:limit]}

    @tool(latency=0.35)
    def place_details(self, place_id: PlaceId) -> Row:
        """Everything known about one place: address, phone, hours, entry fee, coordinates."""
        details = self._place(place_id)
        rng = chance(self.seed, "details", place_id)
        return {
            **details,
            "phone": phone_number(rng, city_facts(details["city"])),
            "entry_fee": rng.choice(FEES.get(details["category"], [0])),
            "wheelchair_access": rng.random() < 0.7,
            "busiest": rng.choice(["mornings", "around noon", "late afternoon"]),
            "website": f"https://places.example/{place_id}",
        }

    @tool(latency=0.5)
    def distance_between_cities(self, origin: City, destination: City) -> Row:
        """Straight-line distance between two cities in kilometres and miles."""
        a, b = city_facts(origin), city_facts(destination)
        length = distance_km(place_of(a), place_of(b))
        return {
            "origin": a.name,
            "destination": b.name,
            "kilometres": length,
            "miles": round(length / 1.609344, 1),
        }

    @tool(latency=0.9, quota=(40, 80))
    def directions(
        self, origin_id: PlaceId, destination_id: PlaceId, mode: Mode = "walking"
    ) -> Row:
        """Way from one place to another in the same city, with minutes and turns."""
        a, b = self._place(origin_id), self._place(destination_id)
        length, minutes = self._route(a, b, mode)
        streets = chance(self.seed, "way", origin_id, destination_id, mode)
        turns = [
            f"{streets.choice(['Left', 'Right', 'Straight on'])} into {name}"
            for name in streets.sample(load("maps")["streets"], 4)
        ]
        return {"origin_id": origin_id, "destination_id": destination_id, "mode": mode,
                "kilometres": length, "minutes": minutes, "turns": turns}  # fmt: skip

    @tool(latency=0.7, quota=(40, 80))
    def travel_time(self, origin_id: PlaceId, destination_id: PlaceId) -> Row:
        """Minutes between two places of a city for every way of getting around."""
        a, b = self._place(origin_id), self._place(destination_id)
        minutes = {mode: self._route(a, b, mode)[1] for mode in SPEED_KMH}
        return {"origin_id": origin_id, "destination_id": destination_id, "minutes": minutes}

    @tool(latency=0.6)
    def nearby_places(self, place_id: PlaceId, limit: Limit = 5) -> Row:
        """What else is close to a place, nearest first."""
        middle = self._place(place_id)
        origin = (middle["latitude"], middle["longitude"])
        neighbours = [
            {**p, "kilometres": distance_km(origin, (p["latitude"], p["longitude"]))}
            for p in self._places(city_facts(middle["city"]))
            if p["place_id"] != place_id
        ]
        return {"near": place_id, "places": sorted(neighbours, key=_nearest)[:limit]}

    @tool(latency=0.4, quota=(40, 80))
    def nearest_city(
        self,
        latitude: Annotated[float, note("Degrees north.")],
        longitude: Annotated[float, note("Degrees east.")],
    ) -> Row:
        """The large city closest to a pair of coordinates."""
        point = (latitude, longitude)
        city = min(cities().values(), key=lambda c: distance_km(point, place_of(c)))
        return {"city": city.name, "country": city.country,
                "kilometres": distance_km(point, place_of(city))}  # fmt: skip

    @tool(latency=0.3, writes=True)
    def save_place(self, place_id: PlaceId, label: Annotated[str, note("What to call it.")]) -> Row:
        """Keep a place on the personal map under a label."""
        saved = self._place(place_id)
        if place_id in self.state["saved_places"]:
            raise conflict(f"{place_id} is already saved.")
        row = {"place_id": place_id, "name": saved["name"], "label": label, "city": saved["city"]}
        return self.keep("saved_places", place_id, row)

    @tool(latency=0.2)
    def list_saved_places(self) -> Row:
        """Places kept on the personal map."""
        return {"places": list(self.state["saved_places"].values())}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """Nothing is saved yet."""
        return {"saved_places": {}}

    def _places(self, city: CityFacts) -> list[Row]:
        return places_in(self.seed, city)

    def _place(self, place_id: str) -> Row:
        name = place_id.split("-")[0].replace("_", " ")
        by_name = {c.casefold(): c for c in cities()}
        if name in by_name:
            for candidate in self._places(city_facts(by_name[name])):
                if candidate["place_id"] == place_id:
                    return candidate
        raise not_found("place", place_id, "Ids come from a search for places.")

    def _route(self, a: Row, b: Row, mode: str) -> tuple[float, int]:
        if mode not in SPEED_KMH:
            raise ServiceError("invalid_argument", f"mode is one of {', '.join(SPEED_KMH)}.")
        if a["city"] != b["city"]:
            raise ServiceError("invalid_argument", "Both places must lie in the same city.")
        straight = distance_km((a["latitude"], a["longitude"]), (b["latitude"], b["longitude"]))
        length = round(straight * 1.3, 2)
        pause = {"driving": 4, "transit": 6}.get(mode, 0)
        return length, max(1, round(length / SPEED_KMH[mode] * 60) + pause)


def _nearest(row: Row) -> float:
    return float(row["kilometres"])


@cache
def places_in(seed: int, city: CityFacts) -> list[Row]:
    """The places of a city; never to be changed by whoever reads them."""
    rng = chance(seed, "places", city.name)
    places = []
    for category, names in load("maps")["categories"].items():
        fitting = fit_city(names, city)
        for number, name in enumerate(rng.sample(fitting, min(len(fitting), rng.randint(2, 4)))):
            places.append(_make_place(seed, city, category, number, name))
    return places


def _make_place(seed: int, city: CityFacts, category: str, number: int, name: str) -> Row:
    place_id = f"{city.name.casefold().replace(' ', '_')}-{category}-{number + 1}"
    rng = chance(seed, "place", place_id)
    hours = (f"{rng.randint(7, 10):02d}:00", f"{rng.randint(17, 22)}:00")
    opens, closes = OPEN.get(name) or OPEN.get(category, hours)
    streets = fit_city(load("maps")["streets"], city)
    return {
        "place_id": place_id,
        "name": f"{city.name} {name}",
        "category": category,
        "city": city.name,
        "address": f"{rng.randint(1, 140)} {rng.choice(streets)}, {city.name}",
        "rating": round(rng.uniform(3.1, 4.9) + rng.randint(0, 9) / 100, 2),
        "opens": opens,
        "closes": closes,
        "latitude": round(city.latitude + rng.uniform(-0.04, 0.04), 5),
        "longitude": round(city.longitude + rng.uniform(-0.05, 0.05), 5),
    }
