"""Small wishes that look something up in one service."""

from agentdyno_bench.tps.tasks.draft import Draft
from agentdyno_bench.tps.tasks.scenes import chance
from agentdyno_bench.tps.world.kit.data import load


def forecast(d: Draft) -> None:
    place, when = chance.city(d), chance.day(d)
    step = d.do(
        f"find the weather in {place} on {when}",
        "weather_daily_forecast",
        {"city": place, "date": str(when)},
    )
    step.tell(step.at("high_c"), step.at("rain_percent"))
    d.say(
        f"How warm does it get in {place} on {chance.phrase(when)}, and how likely is rain?",
        f"I'll be outdoors in {place} on {chance.phrase(when)}: tell me the expected high and the "
        "chance of rain.",
        f"Tell me the high and the rain risk for {place} on {chance.phrase(when)}.",
    )


def air(d: Draft) -> None:
    place, when = chance.city(d), chance.day(d)
    step = d.do(
        f"find the air quality in {place} on {when}",
        "weather_air_quality",
        {"city": place, "date": str(when)},
    )
    step.tell(step.at("index"))
    d.say(
        f"My sister has asthma and will be in {place} on {chance.phrase(when)}; what air quality "
        "index should she expect?",
        f"What index is the air in {place} expected to have on {chance.phrase(when)}?",
    )


def sunset(d: Draft) -> None:
    place, when = chance.city(d), chance.day(d)
    step = d.do(
        f"find the sunset in {place} on {when}",
        "weather_sun_times",
        {"city": place, "date": str(when)},
    )
    step.tell(step.at("sunset"))
    d.say(
        f"When does the sun go down in {place} on {chance.phrase(when)}?",
        f"I want to photograph the sunset in {place} on {chance.phrase(when)}: at what time is it?",
    )


def currency(d: Draft) -> None:
    base, quote = (
        chance.draw(d, "money", load("kit/currencies")),
        chance.draw(d, "money", load("kit/currencies")),
    )
    step = d.do(
        f"find the rate from {base} to {quote}",
        "finance_exchange_rate",
        {"base": base, "quote": quote},
    )
    step.tell(step.at("rate"))
    d.say(
        f"What does one {base} buy in {quote} today?",
        f"I need today's rate from {base} to {quote}.",
    )


def share_price(d: Draft) -> None:
    name = chance.company(d)
    found = d.do(f"find the symbol of {name}", "finance_find_symbol", {"company": name})
    quote = d.do(
        f"find the price of {name}",
        "finance_stock_quote",
        {"symbol": found.row("matches", "symbol", "only")},
    )
    quote.tell(quote.at("price_usd"))
    d.say(
        f"What is a share of {name} worth right now?",
        f"Look up what {name} trades at.",
        f"I'd like to know the current share price of {name}.",
    )


def balance(d: Draft) -> None:
    account = chance.draw(d, "account", load("finance")["accounts"])
    step = d.do(f"find the balance of {account}", "finance_account_balance", {"account": account})
    step.tell(step.at("balance_eur"))
    d.say(
        f"How much is left on my {account} account?",
        f"Tell me what my {account} account holds.",
    )


def address(d: Draft) -> None:
    who = chance.person(d)
    step = d.do(f"find the address of {who}", "mail_find_contact", {"name": who})
    step.tell(step.row("contacts", "email", "only"))
    d.say(
        f"What is {who}'s e-mail address?",
        f"I can't remember where to write to {who}; give me the address.",
    )


def reminder(d: Draft) -> None:
    what = chance.title(
        d, "Buy stamps", "Return the drill", "Pick up the parcel", "Ask about the lease",
        "Clean the filter", "Print the tickets", "Charge the camera", "Call the garage",
    )  # fmt: skip
    when = chance.day(d)
    where = d.rng.choice(["personal", "work", "home"])
    d.do(
        f"put '{what}' on the list {where} for {when}",
        "notes_add_task",
        {"title": what, "due": str(when), "list_name": where},
        leaves="tasks",
        same=("title", "due", "list_name", "status"),
    )
    d.say(
        f"Put “{what}” on my {where} list, due {chance.phrase(when)}.",
        f"I must not forget “{what}” by {chance.phrase(when)}: it belongs on my {where} to-dos.",
    )


def holiday(d: Draft) -> None:
    country = chance.draw(d, "country", load("calendar")["holidays"])
    step = d.do(
        f"find the next holiday in {country}", "calendar_public_holidays", {"country": country}
    )
    step.tell(step.row("holidays", "date", "first"))
    d.say(
        f"Which date is the next public holiday in {country}?",
        f"On what date are shops in {country} next closed for a public holiday?",
    )


def distance(d: Draft) -> None:
    here, there = chance.city(d), chance.city(d)
    step = d.do(
        f"find the distance from {here} to {there}",
        "maps_distance_between_cities",
        {"origin": here, "destination": there},
    )
    step.tell(step.at("kilometres"))
    d.say(
        f"How many kilometres lie between {here} and {there} as the crow flies?",
        f"How far apart are {here} and {there}, in a straight line, in kilometres?",
    )


def local_story(d: Draft) -> None:
    place = chance.city(d)
    found = d.do(f"find news from {place}", "news_city_news", {"city": place})
    bridge = [["headline", "has", "bridge"]]
    story = d.do(
        f"read about the bridge in {place}",
        "news_read_article",
        {"article_id": found.row("articles", "article_id", "only", where=bridge)},
    )
    story.tell(story.at("figure"))
    d.say(
        f"A bridge in {place} is being repaired; for how many weeks does the press say "
        "it stays shut?",
        f"I read that {place} closes a bridge. How many weeks will that take?",
    )


def film_score(d: Draft) -> None:
    title = chance.film(d)
    step = d.do(f"find the score of {title}", "media_film_details", {"film": title})
    step.tell(step.at("score"))
    d.say(
        f"How do audiences score the film “{title}”?",
        f"Is “{title}” any good? Give me its audience score.",
    )


def book_length(d: Draft) -> None:
    book = chance.draw(d, "book", (row[0] for row in load("media")["books"]))
    step = d.do(f"find the length of {book}", "media_book_details", {"book": book})
    step.tell(step.at("pages"))
    d.say(
        f"How many pages has the book “{book}”?",
        f"I want to finish “{book}” this week: how long is it in pages?",
    )
