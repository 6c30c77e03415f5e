"""Small wishes of one or two subtasks, for tasks whose parts have little to do with each other."""

from collections.abc import Callable

from agentdyno_bench.tps.tasks.draft import Draft
from agentdyno_bench.tps.tasks.scenes import chance
from agentdyno_bench.tps.tasks.scenes.lookups import (
    address,
    air,
    balance,
    book_length,
    currency,
    distance,
    film_score,
    forecast,
    holiday,
    local_story,
    reminder,
    share_price,
    sunset,
)
from agentdyno_bench.tps.world.kit.data import load

Scene = Callable[[Draft], None]


def question(d: Draft) -> None:
    page = chance.page(d)
    found = d.do(f"search for '{page['title']}'", "websearch_web_search", {"query": page["title"]})
    read = d.do(
        f"read '{page['title']}'",
        "websearch_fetch_page",
        {"url": found.row("results", "url", "only", where=[["title", "=", page["title"]]])},
    )
    read.tell(read.at("site"), read.at("published"))
    d.say(
        f"There is an article online called “{page['title']}”: on which site, and when was it "
        "published?",
        f"Find the piece “{page['title']}” on the web and say which site carries it and its date.",
    )


def appointment(d: Draft) -> None:
    when = chance.day(d)
    what = chance.title(
        d, "Haircut", "Tax talk", "Piano tuning", "Eye test", "Boiler check", "Flat viewing"
    )
    gaps = d.do(
        f"find free time on {when}", "calendar_free_slots", {"date": str(when), "minutes": 60}
    )
    d.do(
        f"put '{what}' into the first gap on {when}",
        "calendar_create_event",
        {"title": what, "start": gaps.row("slots", "start", "first"), "minutes": 60},
        leaves="events",
        same=("title", "start", "minutes"),
    )
    d.say(
        f"Block one hour for “{what}” at the start of my first gap on {chance.phrase(when)}.",
        f"“{what}” needs an hour on {chance.phrase(when)}; enter it as early as my day allows.",
    )


def best_table(d: Draft) -> None:
    place, kind = chance.city(d), chance.cuisine(d)
    step = d.do(
        f"find the best {kind} restaurant in {place}",
        "restaurants_top_rated",
        {"city": place, "cuisine": kind},
    )
    step.tell(step.at("restaurant.name"))
    d.say(
        f"Where does one eat the best {kind} food in {place}?",
        f"Name the {kind} restaurant in {place} that people rate highest.",
    )


def cheapest_product(d: Draft) -> None:
    what = chance.product(d)
    step = d.do(f"find a cheap {what}", "shopping_search_products", {"query": what})
    step.tell(
        step.row("products", "name", "min", "price_eur"),
        step.row("products", "price_eur", "min", "price_eur"),
    )
    d.say(
        f"Which {what} in the shop is the cheapest, and what does it cost?",
        f"I need a {what} and want to spend as little as possible: which one, at what price?",
    )


def cheapest_fare(d: Draft) -> None:
    here, there, when = chance.city(d), chance.city(d), chance.day(d)
    step = d.do(
        f"find the cheapest flight from {here} to {there} on {when}",
        "flights_search_flights",
        {"origin": here, "destination": there, "date": str(when)},
    )
    step.tell(step.row("flights", "price_eur", "min", "price_eur"))
    d.say(
        f"What is the lowest fare from {here} to {there} on {chance.phrase(when)}?",
        f"If I flew from {here} to {there} on {chance.phrase(when)}, what would the cheapest seat "
        "cost?",
    )


def cheapest_bed(d: Draft) -> None:
    place, when, nights = chance.city(d), chance.day(d), d.rng.randint(2, 5)
    step = d.do(
        f"find the cheapest hotel in {place} from {when}",
        "hotels_search_hotels",
        {"city": place, "check_in": str(when), "nights": nights},
    )
    step.tell(
        step.row("hotels", "name", "min", "price_per_night"),
        step.row("hotels", "total", "min", "price_per_night"),
    )
    d.say(
        f"Which hotel in {place} is the cheapest for {nights} nights from {chance.phrase(when)}, "
        "and what does the stay come to?",
        f"I might stay in {place} for {nights} nights from {chance.phrase(when)}; name the "
        "cheapest hotel and the total.",
    )


def table_total(d: Draft) -> None:
    name = chance.draw(d, "table", (row[0] for row in load("documents")["tables"]))
    found = d.do(f"find the file '{name}'", "documents_search_files", {"query": name})
    total = d.do(
        f"add up what was spent in '{name}'",
        "documents_column_total",
        {"file_id": found.row("files", "file_id", "only"), "column": "spent_eur"},
    )
    total.tell(total.at("total"))
    d.say(
        f"How much was spent in total according to my sheet “{name}”?",
        f"Add up the spent column of the sheet “{name}” for me.",
    )


def tick_off(d: Draft) -> None:
    title = chance.draw(d, "todo", (row[0] for row in load("notes")["tasks"]))
    where = next(row[1] for row in load("notes")["tasks"] if row[0] == title)
    listed = d.do(f"find '{title}' on the list", "notes_list_tasks", {"list_name": where})
    d.do(
        f"tick off '{title}'",
        "notes_complete_task",
        {"task_id": listed.row("tasks", "task_id", "only", where=[["title", "=", title]])},
        leaves="tasks",
        same=("title", "status"),
    )
    d.say(
        f"“{title}” from my {where} list is done, so mark it that way.",
        f"I finished “{title}” ({where}); it can be ticked.",
    )


def file_away(d: Draft) -> None:
    who = chance.person(d)
    topic = d.rng.choice(["invoice", "offer", "workshop", "delivery", "badge", "rental"])
    found = d.do(
        f"find the {topic} message from {who}", "mail_search_mail", {"query": f"{who} {topic}"}
    )
    ref = found.row("messages", "message_id", "only")
    d.do(
        f"archive the {topic} message from {who}",
        "mail_archive_message",
        {"message_id": ref},
        leaves="messages",
        same=("message_id", "folder"),
    )
    d.say(
        f"The message from {who} about the {topic} can leave my inbox for the archive.",
        f"Please get {who}'s {topic} message out of the inbox and into the archive.",
    )


def inhabitants(d: Draft) -> None:
    place = chance.city(d)
    step = d.do(f"look up {place}", "websearch_encyclopedia_city", {"city": place})
    step.tell(step.at("inhabitants"), step.at("first_mentioned"))
    d.say(
        f"How many people live in {place}, and in which year was it first mentioned?",
        f"Give me the population of {place} and the year it first appears in records.",
    )


def spending(d: Draft) -> None:
    month = chance.draw(d, "month", ("2026-01", "2026-02", "2026-03", "2025-12", "2025-11"))
    step = d.do(f"find what was spent in {month}", "finance_spending_by_category", {"month": month})
    step.tell(step.at("total_eur"), step.at("categories.0.category"))
    spoken = {"2026-01": "January", "2026-02": "February", "2026-03": "March",
              "2025-12": "last December", "2025-11": "last November"}[month]  # fmt: skip
    d.say(
        f"What did I spend altogether in {spoken}, and on what the most?",
        f"Sum up my spending of {spoken}: the total, and the category that ate most of it.",
    )


def clock(d: Draft) -> None:
    here, there, when = chance.city(d), chance.city(d), chance.day(d)
    hour = f"{d.rng.randint(8, 18):02d}:{d.rng.choice(('00', '15', '30', '45'))}"
    step = d.do(
        f"find the time in {there}",
        "convert_convert_time",
        {"time": f"{when}T{hour}", "source_city": here, "target_city": there},
    )
    step.tell(step.at("target_time"))
    d.say(
        f"When it is {hour} in {here} on {chance.phrase(when)}, what time is it in {there}?",
        f"A call starts at {hour} {here} time on {chance.phrase(when)}; when is that in {there}?",
    )


def loan(d: Draft) -> None:
    amount, percent = d.rng.randint(40, 320) * 1000, round(d.rng.uniform(2.1, 5.9), 1)
    years = d.rng.choice([10, 15, 20, 25])
    step = d.do(
        f"work out the payments of a loan of {amount}",
        "finance_loan_payment",
        {"principal": amount, "yearly_percent": percent, "years": years},
    )
    step.tell(step.at("monthly_payment"))
    d.say(
        f"What would I pay each month for a loan of {amount} euros at {percent} percent over "
        f"{years} years?",
        f"Borrowing {amount} euros for {years} years at {percent} percent: what is the "
        "monthly rate?",
    )


def measure(d: Draft) -> None:
    kind = d.rng.choice(["length", "mass", "volume", "area"])
    source, target = d.rng.sample(list(load("convert")[kind]), 2)
    value = d.rng.randint(3, 400)
    step = d.do(
        f"convert {value} {source} to {target}",
        "convert_convert_units",
        {"value": value, "source": source, "target": target},
    )
    step.tell(step.at("converted"))
    d.say(
        f"How much is {value} {source} in {target}?",
        f"Express {value} {source} as {target} for me.",
    )


SMALL: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        forecast, air, sunset, currency, share_price, balance, address, reminder, holiday,
        distance, local_story, film_score, book_length, question, appointment, best_table,
        cheapest_product, cheapest_fare, cheapest_bed, table_total, tick_off, file_away,
        inhabitants, spending, clock, loan, measure,
    )
}  # fmt: skip
