"""Flights: a timetable for every pair of cities and day, and bookings on it.

Which flights there are, what they cost and how full they are follows from seed, route and date.
"""

from datetime import date as Date
from datetime import datetime, timedelta
from functools import cache
from typing import Annotated

from agentdyno_bench.tps.world.finance import bank
from agentdyno_bench.tps.world.kit.arguments import City, Day, Limit, note
from agentdyno_bench.tps.world.kit.chance import chance, share
from agentdyno_bench.tps.world.kit.cities import (
    CityFacts,
    cities,
    city_facts,
    distance_km,
    place_of,
    utc_offset,
)
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import day, days_from, iso
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

FlightId = Annotated[str, note("Id of a flight on a day, for example 'NW412-LIS-OSL-20260504'.")]
BookingId = Annotated[str, note("Id of a booking, for example 'FL-7K2M9P'.")]
HOLDER = "Robin Vale"
"""Whose account this is."""


class Flights(Server):
    """The flight service."""

    name = "flights"
    title = "Contrail"
    version = "4.7.2"
    about = "Searches and books flights."

    @tool(latency=1.4, quota=(50, 90))
    def search_flights(
        self,
        origin: City,
        destination: City,
        date: Day,
        direct_only: Annotated[bool, note("Leave out flights with stops.")] = False,
        limit: Limit = 10,
    ) -> Row:
        """Flights from one city to another on a day with price in euros, times and stops."""
        offers = self._list_offers(city_facts(origin), city_facts(destination), day(date))
        rows = [f for f in offers if not direct_only or f["stops"] == 0]
        return {"origin": origin, "destination": destination, "date": date, "flights": rows[:limit]}

    @tool(latency=0.5)
    def flight_details(self, flight_id: FlightId) -> Row:
        """One flight with its aircraft, baggage allowance, legroom and emissions."""
        flight = self._flight(flight_id)
        rng = chance(self.seed, "details", flight_id)
        return {
            **flight,
            "aircraft": rng.choice(_aircraft(flight["kilometres"])),
            "legroom_cm": rng.randint(71, 84),
            "emissions_kg": round(flight["kilometres"] * 0.09 + 20, 1),
            "meal": rng.choice(_meals(flight["minutes"])),
            "on_time_percent": rng.randint(61, 97),
        }

    @tool(latency=1.8, quota=(25, 50))
    def fare_calendar(
        self,
        origin: City,
        destination: City,
        start: Day,
        days: Annotated[int, note("1 to 14 days.")] = 7,
    ) -> Row:
        """Lowest fare of each day on a route over several days, to find the cheapest day."""
        if not 1 <= days <= 14:
            raise ServiceError("invalid_argument", "days must be 1 to 14.")
        a, b = city_facts(origin), city_facts(destination)
        fares = [
            {
                "date": d.isoformat(),
                "lowest_eur": min(f["price_eur"] for f in self._list_offers(a, b, d)),
            }
            for d in days_from(day(start), days)
        ]
        return {"origin": a.name, "destination": b.name, "fares": fares}

    @tool(latency=1.6, writes=True, destructive=True)
    def book_flight(
        self,
        flight_id: FlightId,
        passenger: Annotated[str, note("Full name; the account holder when left out.")] = HOLDER,
    ) -> Row:
        """Buy a seat on a flight. Charged at once; fails when the flight is full."""
        flight = self._flight(flight_id)
        if flight["seats_left"] == 0:
            raise ServiceError("sold_out", f"Flight {flight_id} is sold out.")
        booking_id = self.new_id("FL", flight_id, passenger)
        if self.state["bookings"].get(booking_id, {}).get("status") == "confirmed":
            raise conflict(f"{passenger} is already booked on {flight_id} ({booking_id}).")
        self._refuse_overlap(flight, passenger)
        bank(self).charge(f"flight {flight_id}", flight["price_eur"], booking_id)
        row = {"booking_id": booking_id, "flight_id": flight_id, "passenger": passenger,
               "status": "confirmed", "seat": None, "price_eur": flight["price_eur"],
               "departs": flight["departs"], "arrives": flight["arrives"]}  # fmt: skip
        return self.keep("bookings", booking_id, row)

    @tool(latency=0.8, writes=True, destructive=True)
    def cancel_flight(self, booking_id: BookingId) -> Row:
        """Cancel a flight booking; three quarters of the fare come back."""
        row = self.row("bookings", booking_id, "booking")
        if row["status"] != "confirmed":
            raise conflict(f"Booking {booking_id} is already cancelled.")
        refund = round(row["price_eur"] * 0.75, 2)
        bank(self).charge(f"refund of {row['flight_id']}", -refund, booking_id)
        return self.keep(
            "bookings", booking_id, {**row, "status": "cancelled", "refund_eur": refund}
        )

    @tool(latency=0.4, quota=(40, 80))
    def flight_status(self, flight_id: FlightId) -> Row:
        """Whether a flight is on time, its gate and its terminal."""
        self._flight(flight_id)
        rng = chance(self.seed, "status", flight_id)
        late = rng.choice([0, 0, 0, 10, 25, 40])
        return {
            "flight_id": flight_id,
            "status": "on time" if late == 0 else "delayed",
            "delay_minutes": late,
            "terminal": rng.randint(1, 3),
            "gate": f"{rng.choice('ABCD')}{rng.randint(1, 40)}",
        }

    @tool(latency=0.3)
    def airports_of(self, city: City) -> Row:
        """Airport of a city with its code and how long the way to the centre takes."""
        facts = city_facts(city)
        minutes = facts.minutes_to_centre + int(6 * share(self.seed, "airport", facts.name))
        return {"city": facts.name, "airport": facts.airport, "minutes_to_centre": minutes}

    @tool(latency=0.6)
    def seat_map(self, flight_id: FlightId) -> Row:
        """Free seats on a flight with their kind and what choosing them costs."""
        self._flight(flight_id)
        return {"flight_id": flight_id, "free": self._seats(flight_id)}

    @tool(latency=0.7, writes=True, destructive=True)
    def choose_seat(
        self, booking_id: BookingId, seat: Annotated[str, note("For example '14C'.")]
    ) -> Row:
        """Put a booking on a particular free seat."""
        row = self.row("bookings", booking_id, "booking")
        if seat not in {s["seat"] for s in self._seats(row["flight_id"])}:
            raise conflict(f"Seat {seat} is not free on {row['flight_id']}.")
        fee = next(s["fee_eur"] for s in self._seats(row["flight_id"]) if s["seat"] == seat)
        bank(self).charge(f"seat {seat} on {row['flight_id']}", float(fee), booking_id)
        return self.keep("bookings", booking_id, {**row, "seat": seat})

    @tool(latency=0.3)
    def my_flights(self) -> Row:
        """Flight bookings of this account."""
        return {"bookings": list(self.state["bookings"].values())}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """Nothing is booked yet."""
        return {"bookings": {}}

    def _list_offers(self, a: CityFacts, b: CityFacts, when: Date) -> list[Row]:
        """The timetable, less the seats that were booked."""
        booked: dict[str, int] = {}
        for booking in self._list_bookings():
            booked[booking["flight_id"]] = booked.get(booking["flight_id"], 0) + 1
        return [
            {**f, "seats_left": f["seats_left"] - booked[f["flight_id"]]}
            if f["flight_id"] in booked
            else f
            for f in timetable(self.seed, a, b, when)
        ]

    def _list_bookings(self) -> list[Row]:
        return [b for b in self.state["bookings"].values() if b["status"] == "confirmed"]

    def _refuse_overlap(self, flight: Row, passenger: str) -> None:
        """Nobody sits in two aircraft at once."""
        for other in self._list_bookings():
            same = other["passenger"] == passenger
            if (
                same
                and other["departs"] < flight["arrives"]
                and flight["departs"] < other["arrives"]
            ):
                raise conflict(
                    f"{passenger} is already in the air then, on {other['flight_id']}; "
                    "cancel that booking first."
                )

    def _flight(self, flight_id: str) -> Row:
        parts = flight_id.split("-")
        airports = {c.airport: c for c in cities().values()}
        if len(parts) == 4 and parts[1] in airports and parts[2] in airports and len(parts[3]) == 8:
            when = day(f"{parts[3][:4]}-{parts[3][4:6]}-{parts[3][6:]}")
            for flight in self._list_offers(airports[parts[1]], airports[parts[2]], when):
                if flight["flight_id"] == flight_id:
                    return flight
        raise not_found("flight", flight_id, "Ids come from a search for flights.")

    def _seats(self, flight_id: str) -> list[Row]:
        rng = chance(self.seed, "seats", flight_id)
        rows = sorted(rng.sample(range(3, 34), 6))
        seats = [
            {"seat": f"{r}{c}", "kind": k, "fee_eur": rng.choice([6, 9, 12, 18])}
            for r, (c, k) in zip(
                rows, [("A", "window"), ("C", "aisle"), ("B", "middle")] * 2, strict=True
            )
        ]
        booked = {b["seat"] for b in self._list_bookings() if b["flight_id"] == flight_id}
        return [s for s in seats if s["seat"] not in booked]


@cache
def timetable(seed: int, a: CityFacts, b: CityFacts, when: Date) -> list[Row]:
    """The flights of a day before anybody booked; never to be changed by whoever reads them."""
    if a.name == b.name:
        raise ServiceError("invalid_argument", "Origin and destination are the same city.")
    rng = chance(seed, "timetable", a.airport, b.airport, when)
    flights = [_make_flight(seed, a, b, when, number) for number in range(rng.randint(4, 8))]
    return sorted(flights, key=lambda flight: str(flight["departs"]))


def _make_flight(seed: int, a: CityFacts, b: CityFacts, when: Date, number: int) -> Row:
    rng = chance(seed, "flight", a.airport, b.airport, when, number)
    code, airline, bags = rng.choice(load("flights")["airlines"])
    length = distance_km(place_of(a), place_of(b))
    stops = rng.choice(_stops(length))
    leaves = datetime(when.year, when.month, when.day, rng.randint(6, 21), 5 * rng.randint(0, 11))
    minutes = round(length / 13 + 35 + stops * rng.randint(70, 190))
    shift = utc_offset(b, when) - utc_offset(a, when)
    arrives = leaves + timedelta(minutes=minutes + 60 * shift)
    return {
        "flight_id": f"{code}{100 + 37 * number + rng.randint(0, 30)}-{a.airport}-{b.airport}-"
        f"{when:%Y%m%d}",
        "airline": airline,
        "departs": iso(leaves),
        "arrives": iso(arrives),
        "minutes": minutes,
        "stops": stops,
        "price_eur": round(38 + length * rng.uniform(0.05, 0.12) - 15 * stops, 2),
        "seats_left": rng.choice([0, 2, 5, 9, 14, 31, 52]),
        "bag_kg": bags,
        "kilometres": length,
    }


def _stops(kilometres: float) -> list[int]:
    """Nobody lands on the way from Oslo to Bergen, nobody reaches Sydney from London at once."""
    if kilometres < 700:
        return [0]
    if kilometres > 15_000:
        return [1, 1, 2]
    return [0, 0, 1] if kilometres < 6000 else [0, 1, 1]


def _aircraft(kilometres: float) -> list[str]:
    kinds: dict[str, list[str]] = load("flights")["aircraft"]
    return kinds["short" if kilometres < 1500 else "middle" if kilometres < 5500 else "long"]


def _meals(minutes: int) -> list[str]:
    if minutes < 150:
        return ["none", "snack"]
    return ["snack", "hot meal"] if minutes < 360 else ["hot meal"]
