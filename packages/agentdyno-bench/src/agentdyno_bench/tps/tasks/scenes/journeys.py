"""Wishes said as intentions, in which one finding decides what the next step is about.

Where to fly depends on where somebody lives or on which fare is lowest, the day on the weather,
whom to tell on what was found. Nobody names the steps.
"""

from collections.abc import Callable

from agentdyno_bench.tps.tasks.draft import Draft, DraftError, Ref
from agentdyno_bench.tps.tasks.scenes import chance
from agentdyno_bench.tps.world.kit.data import load

Scene = Callable[[Draft], Ref]
SEATS = [["seats_left", ">", 0]]


def drop_in(d: Draft) -> Ref:
    who, home, when = chance.person(d), chance.city(d), chance.day(d)
    contact = d.do(f"find {who}", "mail_find_contact", {"name": who})
    place = contact.row("contacts", "city", "only")
    if d.value(place) == home:
        home = chance.city(d)
    found = d.do(
        f"find flights from {home} to where {who} lives",
        "flights_search_flights",
        {"origin": home, "destination": place, "date": str(when)},
    )
    flight = d.do(
        "book the cheapest",
        "flights_book_flight",
        {"flight_id": found.row("flights", "flight_id", "min", "price_eur", SEATS)},
        leaves="bookings",
        same=("flight_id", "passenger", "status"),
    )
    sky = d.do(
        f"find the weather where {who} lives",
        "weather_daily_forecast",
        {"city": place, "date": str(when)},
    )
    sky.tell(sky.at("rain_percent"))
    landing = flight.at("arrives")
    d.do(
        f"tell {who} when I land",
        "mail_send_mail",
        {
            "to": contact.row("contacts", "email", "only"),
            "subject": "I am coming",
            "text": {"$text": "I land at {0}.", "of": [landing]},
        },
        leaves="sent",
        same=("to",),
        holds={"text": [landing]},
    )
    flight.tell(landing)
    d.say(
        f"I'd like to drop in on {who} on {chance.phrase(when)}, starting from {home}, and the "
        f"seat should not cost more than it has to. {who} ought to know by mail when I land, date "
        "and time. When is that, and what are the chances of rain over there that day?",
        f"On {chance.phrase(when)} I am off from {home} to see {who} at home, on the cheapest seat "
        f"there is. Write to {who} when my plane gets in (date and time), tell me as well, and "
        "say how likely rain is where I am going.",
        f"{who} has been asking me over, and {chance.phrase(when)} suits me; I start in {home} and "
        f"travel as cheaply as one can. Let {who} have my arrival, date and time, in a message. I "
        "need it too, along with the risk of rain at that end.",
    )
    return landing


def escape(d: Draft) -> Ref:
    home, when = chance.city(d), chance.day(d)
    places = [chance.city(d) for _ in range(d.rng.randint(2, 3))]
    nights = d.rng.randint(2, 4)
    flights, cities = [], []
    for place in places:
        found = d.do(
            f"find flights from {home} to {place}",
            "flights_search_flights",
            {"origin": home, "destination": place, "date": str(when)},
        )
        price = found.row("flights", "price_eur", "min", "price_eur", SEATS)
        flight = found.row("flights", "flight_id", "min", "price_eur", SEATS)
        flights.append({"value": price, "give": flight})
        cities.append({"value": price, "give": place})
    booked = d.do(
        "book the cheapest of all",
        "flights_book_flight",
        {"flight_id": {"$best": flights, "take": "min"}},
        leaves="bookings",
        same=("flight_id", "passenger", "status"),
    )
    booked.tell(booked.at("price_eur"))
    hotels = d.do(
        "find hotels there",
        "hotels_search_hotels",
        {"city": {"$best": cities, "take": "min"}, "check_in": str(when), "nights": nights},
    )
    room = d.do(
        "reserve where guests are happiest",
        "hotels_reserve_room",
        {
            "hotel_id": hotels.row("hotels", "hotel_id", "max", "rating"),
            "check_in": str(when),
            "nights": nights,
            "room": "double",
        },
        leaves="reservations",
        same=("hotel_id", "check_in", "nights", "room", "status"),
    )
    room.tell(room.at("hotel"))
    listed = f"{', '.join(places[:-1])} or {places[-1]}"
    d.say(
        f"I need to get away from {home} on {chance.phrase(when)} for {nights} nights, {listed}, I "
        "do not mind which as long as the flight is the cheapest to be had. Get me on it, and into "
        "a double room where guests are happiest. What is the fare and where do I sleep?",
        f"{listed}: wherever a seat from {home} is cheapest on {chance.phrase(when)}, that is "
        f"where I spend {nights} nights, in a double at the hotel that guests rate best. Arrange "
        "it, and let me know the fare and the hotel.",
    )
    return booked.at("price_eur")


def dry_day(d: Draft) -> Ref:
    place, kind, party = chance.city(d), chance.cuisine(d), d.rng.randint(2, 5)
    days = sorted(chance.day(d) for _ in range(3))
    choices = []
    for when in days:
        sky = d.do(
            f"find the weather in {place} on {when}",
            "weather_daily_forecast",
            {"city": place, "date": str(when)},
        )
        choices.append({"value": sky.at("rain_percent"), "give": str(when)})
    best: Ref = {"$best": choices, "take": "min"}
    found = d.do(
        f"find {kind} restaurants in {place}",
        "restaurants_search_restaurants",
        {"city": place, "cuisine": kind},
    )
    where = found.row("restaurants", "restaurant_id", "max", "rating")
    free = d.do(
        "find a free table that day",
        "restaurants_free_tables",
        {"restaurant_id": where, "date": best, "party": party},
    )
    table = d.do(
        "reserve it",
        "restaurants_reserve_table",
        {"restaurant_id": where, "date": best, "time": free.at("times.0"), "party": party},
        leaves="tables",
        same=("restaurant_id", "date", "time", "party", "status"),
    )
    table.tell(table.at("name"), table.at("date"))
    name = chance.title(d, "Terrace evening", "Out together", "Team dinner", "Long table")
    d.do(
        f"put '{name}' on the calendar",
        "calendar_create_event",
        {"title": name, "start": table.at("starts"), "minutes": 120},
        leaves="events",
        same=("title", "start", "minutes"),
    )
    spoken = [chance.phrase(when) for when in days]
    listed = f"{', '.join(spoken[:-1])} or {spoken[-1]}"
    d.say(
        f"{party} of us want to sit outside in {place} over {kind} food, on {listed}, whichever is "
        f"least likely to be wet. Somewhere as well rated as possible, and as early as they can "
        f"seat us; my calendar should have two hours for it as “{name}”. Which day and which place "
        "is it?",
        f"Which of {listed} promises to be driest in {place}? That evening {party} of us should "
        f"have the first table at the {kind} place with the best rating, and “{name}” should take "
        "up two hours in my calendar. I need the day and the restaurant.",
    )
    return table.at("name")


def overspent(d: Draft) -> Ref:
    names = [chance.draw(d, "table", (r[0] for r in load("documents")["tables"])) for _ in "ab"]
    who = chance.person(d)
    changes, files = [], []
    for name in names:
        file = d.do(f"find '{name}'", "documents_search_files", {"query": name})
        file_id = file.row("files", "file_id", "only")
        totals = [
            d.do(
                f"add up {column} of '{name}'",
                "documents_column_total",
                {"file_id": file_id, "column": column},
            )
            for column in ("planned_eur", "spent_eur")
        ]
        change = d.do(
            f"compare plan and spending of '{name}'",
            "convert_percentage_change",
            {"before": totals[0].at("total"), "after": totals[1].at("total")},
        )
        changes.append(change)
        files.append({"value": change.at("change_percent"), "give": file_id})
    if max(d.value(change.at("change_percent")) for change in changes) <= 0:
        raise DraftError("neither went over its plan")
    for change in changes:
        change.tell(change.at("change_percent"))
    contact = d.do(f"find {who}", "mail_find_contact", {"name": who})
    email = contact.row("contacts", "email", "only")
    shared = d.do(
        f"let {who} read the worse one",
        "documents_share_file",
        {"file_id": {"$best": files, "take": "max"}, "email": email},
        leaves="files",
        same=("file_id",),
        holds={"shared_with": [email]},
    )
    d.say(
        f"One of my sheets “{names[0]}” and “{names[1]}” has run further over its plan than the "
        f"other, all items taken together: {who} needs to see that one. By how many percent is "
        "each of them off?",
        f"I want {who} to look into whichever of “{names[0]}” and “{names[1]}” overshot its plan "
        "more, so give them access to that sheet. What is the deviation of both, in percent?",
    )
    return shared.at("file_id")


JOURNEYS: dict[str, Scene] = {
    scene.__name__: scene for scene in (drop_in, escape, dry_day, overspent)
}
