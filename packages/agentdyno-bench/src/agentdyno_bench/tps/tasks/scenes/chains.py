"""Larger wishes in which most subtasks need the result of another."""

from collections.abc import Callable
from datetime import date

from agentdyno_bench.tps.tasks.draft import Draft, Ref, Step
from agentdyno_bench.tps.tasks.scenes import chance
from agentdyno_bench.tps.tasks.scenes.errands import ERRANDS
from agentdyno_bench.tps.tasks.scenes.journeys import JOURNEYS

Scene = Callable[[Draft], Ref]
"""A chain gives back a reference to its outcome, for whatever comes after it."""


def trip(d: Draft) -> Ref:
    here, there = chance.city(d), chance.city(d)
    when, nights = chance.day(d), d.rng.randint(2, 6)
    flight = _flight(d, here, there, when)
    stay = _stay(d, there, when, nights)
    paid = d.do(
        f"convert the cost of the stay in {there} to euros",
        "convert_convert_currency",
        {"amount": stay.at("total"), "source": stay.at("currency"), "target": "EUR"},
    )
    paid.tell(paid.at("converted"))
    name = f"Flight to {there}"
    d.do(
        f"put '{name}' on the calendar",
        "calendar_create_event",
        {"title": name, "start": flight.at("departs"), "minutes": 120},
        leaves="events",
        same=("title", "start", "minutes"),
    )
    d.say(
        f"I have to go from {here} to {there} on {chance.phrase(when)}: take the cheapest flight "
        f"that still has seats, and a double room for {nights} nights in the best-rated hotel. I "
        f"want to know what the stay costs in euros, and a two-hour entry “{name}” from take-off "
        "in my calendar.",
        f"On {chance.phrase(when)} I fly from {here} to {there}, as cheaply as free seats allow. "
        f"Reserve me a double room there for {nights} nights where guests rate highest, tell me "
        f"that stay in euros, and reserve two hours under “{name}” in my calendar from departure.",
        f"I'm expected in {there} on {chance.phrase(when)} and start from {here}; the seat may not "
        f"cost more than necessary. I stay {nights} nights, in a double wherever guests are "
        "happiest. What do those nights come to in euros? And block the two hours from take-off "
        f"as “{name}”.",
    )
    return paid.at("converted")


def _flight(d: Draft, here: str, there: str, when: date) -> Step:
    found = d.do(
        f"find flights from {here} to {there} on {when}",
        "flights_search_flights",
        {"origin": here, "destination": there, "date": str(when)},
    )
    seats = [["seats_left", ">", 0]]
    return d.do(
        f"book the cheapest flight to {there}",
        "flights_book_flight",
        {"flight_id": found.row("flights", "flight_id", "min", "price_eur", seats)},
        leaves="bookings",
        same=("flight_id", "passenger", "status"),
    )


def _stay(d: Draft, place: str, when: date, nights: int) -> Step:
    found = d.do(
        f"find hotels in {place} from {when}",
        "hotels_search_hotels",
        {"city": place, "check_in": str(when), "nights": nights},
    )
    return d.do(
        f"reserve a room in {place}",
        "hotels_reserve_room",
        {
            "hotel_id": found.row("hotels", "hotel_id", "max", "rating"),
            "check_in": str(when),
            "nights": nights,
            "room": "double",
        },
        leaves="reservations",
        same=("hotel_id", "check_in", "nights", "room", "status"),
    )


def dinner(d: Draft) -> Ref:
    who, kind, when, party = chance.person(d), chance.cuisine(d), chance.day(d), d.rng.randint(2, 6)
    contact = d.do(f"find {who}", "mail_find_contact", {"name": who})
    found = d.do(
        f"find {kind} restaurants where {who} lives",
        "restaurants_search_restaurants",
        {"city": contact.row("contacts", "city", "only"), "cuisine": kind},
    )
    best = found.row("restaurants", "restaurant_id", "max", "rating")
    tables = d.do(
        "find a free table",
        "restaurants_free_tables",
        {"restaurant_id": best, "date": str(when), "party": party},
    )
    table = d.do(
        "reserve the table",
        "restaurants_reserve_table",
        {"restaurant_id": best, "date": str(when), "time": tables.at("times.0"), "party": party},
        leaves="tables",
        same=("restaurant_id", "date", "time", "party", "status"),
    )
    name = f"Dinner with {who}"
    event = d.do(
        f"put '{name}' on the calendar",
        "calendar_create_event",
        {"title": name, "start": table.at("starts"), "minutes": 120, "location": table.at("name")},
        leaves="events",
        same=("title", "start", "minutes"),
    )
    d.do(
        f"invite {who}",
        "calendar_invite",
        {"event_id": event.at("event_id"), "email": contact.row("contacts", "email", "only")},
        leaves="events",
        same=("title", "start"),
        holds={"attendees": [contact.row("contacts", "email", "only")]},
    )
    table.tell(table.at("name"), table.at("time"))
    d.say(
        f"{who} and I want {kind} food on {chance.phrase(when)} in the town where {who} lives, "
        f"{party} people in all. Get the earliest table at the best-rated place, keep two hours "
        f"in my calendar as “{name}” with {who} invited, and tell me where and when we meet.",
        f"Arrange {kind} dinner for {party} on {chance.phrase(when)} in {who}'s home city, at the "
        f"best-rated restaurant and as early as it has a table. It should be in my calendar as "
        f"“{name}” (two hours, {who} invited). Where do we eat and at what time?",
    )
    return table.at("name")


def shares(d: Draft) -> Ref:
    names = [chance.company(d) for _ in range(d.rng.randint(2, 4))]
    choices = []
    for name in names:
        symbol = d.do(f"find the symbol of {name}", "finance_find_symbol", {"company": name})
        quote = d.do(
            f"find the price of {name}",
            "finance_stock_quote",
            {"symbol": symbol.row("matches", "symbol", "only")},
        )
        choices.append({"value": quote.at("change_percent"), "give": name})
        quote.tell(quote.at("change_percent"))
    worst: Ref = {"$best": choices, "take": "min"}
    told = d.do("find news about the weakest", "news_company_news", {"company": worst})
    story = d.do(
        "read the newest article about it",
        "news_read_article",
        {"article_id": told.row("articles", "article_id", "first")},
    )
    story.tell(story.at("headline"))
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    d.say(
        f"How did the shares of {listed} move since yesterday, in percent each? For the weakest of "
        "them, give me the headline of the newest article about the company.",
        f"Compare today's change in percent of {listed}; whichever did worst, quote the latest "
        "headline on it.",
        f"I hold {listed}. What has each done since yesterday, in percent, and what do the papers "
        "say last about the one that hurt me most? Its headline will do.",
    )
    return story.at("headline")


def outing(d: Draft) -> Ref:
    places, when = [chance.city(d) for _ in range(d.rng.randint(2, 4))], chance.day(d)
    kind = d.rng.choice(["museum", "park", "market", "viewpoint"])
    choices = []
    for place in places:
        step = d.do(
            f"find the weather in {place} on {when}",
            "weather_daily_forecast",
            {"city": place, "date": str(when)},
        )
        choices.append({"value": step.at("high_c"), "give": place})
    warmest: Ref = {"$best": choices, "take": "max"}
    found = d.do(
        f"find a {kind} in the warmest city",
        "maps_find_places",
        {"city": warmest, "category": kind},
    )
    best = found.row("places", "place_id", "max", "rating")
    details = d.do(f"look at the best {kind}", "maps_place_details", {"place_id": best})
    details.tell(details.at("name"), details.at("entry_fee"))
    label = chance.title(d, "Sunny day", "Day out", "With the children", "Free day", "Idea")
    d.do(
        f"save the {kind}",
        "maps_save_place",
        {"place_id": best, "label": label},
        leaves="saved_places",
        same=("place_id", "label"),
    )
    listed = f"{', '.join(places[:-1])} or {places[-1]}"
    d.say(
        f"On {chance.phrase(when)} I could be in {listed}, wherever it gets warmest. Pick the "
        f"best-rated {kind} there, tell me its name and entry fee, and keep it on my map as "
        f"“{label}”.",
        f"Of {listed}, take whichever is warmest on {chance.phrase(when)} and find its top-rated "
        f"{kind}: I need the name, what entry costs, and the place on my map labelled “{label}”.",
    )
    return details.at("name")


def cinema(d: Draft) -> Ref:
    films, place = [chance.film(d) for _ in range(d.rng.randint(2, 3))], chance.city(d)
    when, seats = chance.day(d), d.rng.randint(2, 5)
    choices = []
    for film in films:
        step = d.do(f"find the score of {film}", "media_film_details", {"film": film})
        choices.append({"value": step.at("score"), "give": film})
    best: Ref = {"$best": choices, "take": "max"}
    shows = d.do(
        "find showings of the best film",
        "media_showtimes",
        {"film": best, "city": place, "date": str(when)},
    )
    free = [["seats_left", ">", 5]]
    ticket = d.do(
        "buy tickets",
        "media_buy_tickets",
        {
            "film": best,
            "city": place,
            "date": str(when),
            "show_id": shows.row("shows", "show_id", "first", where=free),
            "seats": seats,
        },
        leaves="tickets",
        same=("show_id", "seats"),
    )
    ticket.tell(ticket.at("total_eur"), ticket.at("cinema"))
    event = d.do(
        "put the film on the calendar",
        "calendar_create_event",
        {"title": "Film night", "start": ticket.at("starts"), "minutes": 150},
        leaves="events",
        same=("title", "start", "minutes"),
    )
    d.do(
        "set a reminder",
        "calendar_set_reminder",
        {"event_id": event.at("event_id"), "minutes_before": 45},
        leaves="events",
        same=("title", "start", "reminder_minutes"),
    )
    listed = f"{', '.join(f'“{f}”' for f in films[:-1])} or “{films[-1]}”"
    d.say(
        f"{seats} of us want to see {listed} in {place} on {chance.phrase(when)}, whichever "
        "audiences like best: buy the tickets for the earliest showing with more than five seats "
        "left. Enter two and a half hours as “Film night” with a reminder 45 minutes ahead, and "
        "tell me the cinema and the total price.",
        f"Get {seats} for the better-scored of {listed}, {place}, {chance.phrase(when)}, first "
        "showing that has more than five seats left. It goes into my calendar as “Film night” for "
        "150 minutes, reminding me 45 minutes before. Which cinema is it and what did we pay?",
        f"{listed}, we cannot agree, so let the audience's score decide. There are {seats} of us, "
        f"in {place}, on {chance.phrase(when)}, as early as a showing still has more than five "
        "seats. I want “Film night” in my calendar, two and a half hours, with a nudge 45 minutes "
        "before, and the cinema and what all of us pay together from you.",
    )
    return ticket.at("total_eur")


CHAINS: dict[str, Scene] = {
    **{scene.__name__: scene for scene in (trip, dinner, shares, outing, cinema)},
    **ERRANDS,
    **JOURNEYS,
}
