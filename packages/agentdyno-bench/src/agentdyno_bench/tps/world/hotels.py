"""Hotels: a handful in every city, rooms by the night, and reservations."""

from datetime import date as Date
from datetime import timedelta
from functools import cache
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import Amount, City, Day, Limit, note
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
from agentdyno_bench.tps.world.kit.money import payable, rate
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

HotelId = Annotated[str, note("Id of a hotel, for example 'lisbon-h3'.")]
ReservationId = Annotated[str, note("Id of a reservation, for example 'RV-7K2M9P'.")]
Nights = Annotated[int, note("1 to 21 nights.")]
ROOMS = {"single": 0.8, "double": 1.0, "suite": 1.9}
Room = Annotated[str, note("single, double or suite")]


class Hotels(Server):
    """The hotel service."""

    name = "hotels"
    title = "Staywell"
    version = "2.11.0"
    about = "Finds and books hotel rooms."

    @tool(latency=1.2, quota=(50, 90))
    def search_hotels(
        self,
        city: City,
        check_in: Day,
        nights: Nights,
        max_price: Annotated[float | None, note("Per night in local currency.")] = None,
        limit: Limit = 10,
    ) -> Row:
        """Hotels in a city with a double room for the stay: nightly price, rating, district."""
        facts, first = city_facts(city), _stay(check_in, nights)
        offers = [self._offer(h, first, nights) for h in self._hotels(facts)]
        rows = [h for h in offers if max_price is None or h["price_per_night"] <= max_price]
        return {"city": facts.name, "check_in": check_in, "nights": nights, "hotels": rows[:limit]}

    @tool(latency=0.4)
    def hotel_details(self, hotel_id: HotelId) -> Row:
        """One hotel with its address, amenities, check-in times and rules."""
        hotel = self._hotel(hotel_id)
        city = city_facts(hotel["city"])
        rng, streets = chance(self.seed, "details", hotel_id), load("maps")["streets"]
        return {
            **hotel,
            "address": f"{rng.randint(1, 90)} {rng.choice(fit_city(streets, city))}",
            "phone": phone_number(rng, city),
            "check_in_from": f"{rng.randint(13, 16)}:00",
            "check_out_until": f"{rng.randint(10, 12)}:00",
            "free_cancellation_days": rng.choice([1, 2, 3, 7]),
            "rooms": rng.randint(18, 210),
        }

    @tool(latency=0.8)
    def room_availability(self, hotel_id: HotelId, check_in: Day, nights: Nights) -> Row:
        """Which kinds of room a hotel still has for a stay, and the total of each."""
        hotel, first = self._hotel(hotel_id), _stay(check_in, nights)
        rooms = [
            {
                "room": kind,
                "left": self._free_rooms(hotel_id, kind, first, nights),
                "total": payable(self._nightly(hotel, first) * factor * nights, hotel["currency"]),
                "currency": hotel["currency"],
            }
            for kind, factor in ROOMS.items()
        ]
        return {"hotel_id": hotel_id, "check_in": check_in, "nights": nights, "rooms": rooms}

    @tool(latency=1.5, writes=True)
    def reserve_room(
        self, hotel_id: HotelId, check_in: Day, nights: Nights, room: Room = "double"
    ) -> Row:
        """Reserve a room; paid on arrival. Fails when that kind is gone."""
        hotel, first = self._hotel(hotel_id), _stay(check_in, nights)
        if room not in ROOMS:
            raise ServiceError("invalid_argument", f"room is one of {', '.join(ROOMS)}.")
        if not self._free_rooms(hotel_id, room, first, nights):
            raise ServiceError("sold_out", f"{hotel['name']} has no {room} room from {check_in}.")
        reservation_id = self.new_id("RV", hotel_id, check_in, nights, room)
        if self.state["reservations"].get(reservation_id, {}).get("status") == "confirmed":
            raise conflict(f"This stay is already reserved ({reservation_id}).")
        total = payable(self._nightly(hotel, first) * ROOMS[room] * nights, hotel["currency"])
        row = {"reservation_id": reservation_id, "hotel_id": hotel_id, "hotel": hotel["name"],
               "check_in": check_in, "check_out": (first + timedelta(days=nights)).isoformat(),
               "nights": nights, "room": room, "total": total, "currency": hotel["currency"],
               "status": "confirmed"}  # fmt: skip
        return self.keep("reservations", reservation_id, row)

    @tool(latency=0.7, writes=True, destructive=True)
    def cancel_reservation(self, reservation_id: ReservationId) -> Row:
        """Cancel a hotel reservation."""
        row = self.row("reservations", reservation_id, "reservation")
        if row["status"] != "confirmed":
            raise conflict(f"Reservation {reservation_id} is already cancelled.")
        return self.keep("reservations", reservation_id, {**row, "status": "cancelled"})

    @tool(latency=0.3)
    def my_reservations(self) -> Row:
        """Hotel reservations of this account."""
        return {"reservations": list(self.state["reservations"].values())}

    @tool(latency=0.6)
    def hotel_reviews(self, hotel_id: HotelId, limit: Limit = 5) -> Row:
        """What guests wrote about a hotel, with stars."""
        self._hotel(hotel_id)
        rng = chance(self.seed, "reviews", hotel_id)
        reviews = []
        for _ in range(limit):
            stars = rng.randint(2, 5)
            kind = "praise" if stars > 3 else "blame"
            reviews.append({"stars": stars, "text": rng.choice(load("hotels")[kind])})
        return {"hotel_id": hotel_id, "reviews": reviews}

    @tool(latency=1.0)
    def compare_hotels(
        self,
        hotel_ids: Annotated[list[str], note("Two to five ids.")],
        check_in: Day,
        nights: Nights,
    ) -> Row:
        """Several hotels side by side for the same stay, cheapest first."""
        if not 2 <= len(hotel_ids) <= 5:
            raise ServiceError("invalid_argument", "Give two to five hotels.")
        first = _stay(check_in, nights)
        rows = [self._offer(self._hotel(h), first, nights) for h in hotel_ids]
        return {"check_in": check_in, "hotels": sorted(rows, key=_price)}

    @tool(latency=1.1)
    def cheapest_stay(
        self, city: City, check_in: Day, nights: Nights, min_rating: Amount = 0
    ) -> Row:
        """The single best price for a stay in a city above a rating."""
        facts, first = city_facts(city), _stay(check_in, nights)
        offers = [self._offer(h, first, nights) for h in self._hotels(facts)]
        good = [h for h in offers if h["rating"] >= min_rating]
        if not good:
            raise not_found("hotel with rating of at least", min_rating)
        return {"city": facts.name, "hotel": min(good, key=_price)}

    @tool(latency=0.9, writes=True)
    def change_room(self, reservation_id: ReservationId, room: Room) -> Row:
        """Move a reservation to another kind of room for the same nights."""
        row = self.row("reservations", reservation_id, "reservation")
        if room not in ROOMS:
            raise ServiceError("invalid_argument", f"room is one of {', '.join(ROOMS)}.")
        first = day(row["check_in"])
        if row["status"] != "confirmed":
            raise conflict(f"{reservation_id} is cancelled.")
        if room == row["room"]:
            raise conflict(f"{reservation_id} is a {room} room already.")
        if not self._free_rooms(row["hotel_id"], room, first, row["nights"]):
            raise ServiceError("sold_out", f"No {room} room is left for these nights.")
        nightly = self._nightly(self._hotel(row["hotel_id"]), first) * ROOMS[room]
        changed = {**row, "room": room, "total": payable(nightly * row["nights"], row["currency"])}
        return self.keep("reservations", reservation_id, changed)

    def first_state(self) -> dict[str, dict[str, Row]]:
        """Nothing is reserved yet."""
        return {"reservations": {}}

    def _hotels(self, city: CityFacts) -> list[Row]:
        return hotels_in(self.seed, city)

    def _hotel(self, hotel_id: str) -> Row:
        slug = hotel_id.rpartition("-h")[0].replace("_", " ")
        by_slug = {c.casefold(): c for c in cities()}
        for hotel in self._hotels(city_facts(by_slug[slug])) if slug in by_slug else ():
            if hotel["hotel_id"] == hotel_id:
                return hotel
        raise not_found("hotel", hotel_id, "Ids come from a search for hotels.")

    def _offer(self, hotel: Row, first: Date, nights: int) -> Row:
        nightly = self._nightly(hotel, first)
        return {
            **hotel,
            "price_per_night": nightly,
            "total": payable(nightly * nights, hotel["currency"]),
        }

    def _nightly(self, hotel: Row, first: Date) -> float:
        euros: float = 40 + 9 * hotel["stars"] ** 2
        euros += 40 * share(self.seed, "price", hotel["hotel_id"])
        euros *= city_facts(hotel["city"]).price_level
        euros *= 0.85 + 0.4 * share(self.seed, "season", hotel["hotel_id"], first)
        return payable(euros * rate(self.seed, "EUR", hotel["currency"]), hotel["currency"])

    def _free_rooms(self, hotel_id: str, room: str, first: Date, nights: int) -> int:
        """Rooms of a kind that are free in every night of the stay."""
        rooms = int(9 * share(self.seed, "left", hotel_id, room, first))
        booked: int = sum(
            r["check_in"] < (first + timedelta(days=nights)).isoformat()
            and first.isoformat() < r["check_out"]
            for r in self.state["reservations"].values()
            if (r["hotel_id"], r["room"], r["status"]) == (hotel_id, room, "confirmed")
        )
        return max(0, (rooms if room != "double" else rooms + 1) - booked)


def _stay(check_in: str, nights: int) -> Date:
    if not 1 <= nights <= 21:
        raise ServiceError("invalid_argument", f"nights must be 1 to 21, not {nights}.")
    return day(check_in)


def _price(hotel: Row) -> float:
    return float(hotel["price_per_night"])


@cache
def hotels_in(seed: int, city: CityFacts) -> list[Row]:
    """The hotels of a city; never to be changed by whoever reads them."""
    rng = chance(seed, "hotels", city.name)
    words = load("hotels")
    slug = city.name.casefold().replace(" ", "_")
    first = fit_city(words["first"], city)
    names = zip(rng.sample(first, 8), rng.sample(words["second"], 8), strict=True)
    return [
        {
            "hotel_id": f"{slug}-h{number + 1}",
            "name": f"Hotel {a} {b}",
            "city": city.name,
            "district": rng.choice(fit_city(words["districts"], city)),
            "stars": rng.randint(2, 5),
            "rating": round(6 + 3.9 * rng.random(), 2),
            "amenities": sorted(rng.sample(words["amenities"], rng.randint(2, 6))),
            "currency": city.currency,
        }
        for number, (a, b) in enumerate(names)
    ]
