"""Larger wishes around money, papers and errands; each subtask needs the one before, mostly."""

from collections.abc import Callable

from agentdyno_bench.tps.tasks.draft import Draft, DraftError, Ref
from agentdyno_bench.tps.tasks.scenes import chance
from agentdyno_bench.tps.world.kit.data import load

Scene = Callable[[Draft], Ref]


def gift(d: Draft) -> Ref:
    what, budget = chance.product(d), d.rng.choice([120, 160, 200, 400, 900])
    found = d.do(
        f"find a {what} under {budget}",
        "shopping_search_products",
        {"query": what, "max_price": budget},
    )
    best = found.row("products", "product_id", "max", "stars")
    trend = d.do("look at past prices", "shopping_price_trend", {"product_id": best})
    trend.tell(trend.at("lowest.price_eur"))
    order = d.do(
        f"order the {what}",
        "shopping_order_product",
        {"product_id": best, "quantity": 1},
        leaves="orders",
        same=("product_id", "quantity", "status"),
    )
    order.tell(order.at("name"), order.at("arrives"))
    title = f"Wrap the {what}"
    d.do(
        f"add '{title}' to the list",
        "notes_add_task",
        {"title": title, "due": order.at("arrives"), "list_name": "home"},
        leaves="tasks",
        same=("title", "due", "list_name"),
    )
    d.say(
        f"I need a {what} as a present, at most {budget} euros: order one of the model with the "
        f"most stars. Say which it is, its lowest price of the past year and when it arrives, and "
        f"put “{title}” on my home list for that day.",
        f"Order the best-reviewed {what} you can find for up to {budget} euros. What was its "
        f"lowest price in the last twelve months, which model is it, when does it come? On that "
        f"day “{title}” should be due on my home list.",
    )
    return order.at("total_eur")


def budget(d: Draft) -> Ref:
    name = chance.draw(d, "table", (row[0] for row in load("documents")["tables"]))
    code = chance.draw(d, "money", ("USD", "GBP", "CHF", "NOK", "JPY", "SEK"))
    file = d.do(f"find '{name}'", "documents_search_files", {"query": name})
    file_id = file.row("files", "file_id", "only")
    planned = d.do(
        f"add up the plan of '{name}'",
        "documents_column_total",
        {"file_id": file_id, "column": "planned_eur"},
    )
    spent = d.do(
        f"add up the spending of '{name}'",
        "documents_column_total",
        {"file_id": file_id, "column": "spent_eur"},
    )
    change = d.do(
        "compare plan and spending",
        "convert_percentage_change",
        {"before": planned.at("total"), "after": spent.at("total")},
    )
    change.tell(change.at("change_percent"))
    foreign = d.do(
        f"express the spending in {code}",
        "convert_convert_currency",
        {"amount": spent.at("total"), "source": "EUR", "target": code},
    )
    foreign.tell(foreign.at("converted"))
    d.say(
        f"In my sheet “{name}”, by how many percent does the money spent differ from what was "
        f"planned, all items together? Also give me the amount spent in {code}.",
        f"Take the sheet “{name}”: how far is total spending from the total plan, in percent, and "
        f"what is the spending in {code}?",
        f"Did “{name}” stay within its plan? The deviation of everything together in percent, "
        f"please, and what has gone out so far, in {code}.",
    )
    return foreign.at("converted")


def invoice(d: Draft) -> Ref:
    who = chance.person(d)
    code = chance.draw(d, "money", ("USD", "GBP", "CHF", "NOK", "JPY", "SEK"))
    found = d.do(f"find the invoice of {who}", "mail_search_mail", {"query": f"{who} invoice over"})
    ref = found.row("messages", "message_id", "only")
    read = d.do(f"read the invoice of {who}", "mail_read_message", {"message_id": ref})
    amount, due = read.at("text", r"over (\d+) euros"), read.at("text", r"on (\d{4}-\d\d-\d\d)")
    foreign = d.do(
        f"express the invoice in {code}",
        "convert_convert_currency",
        {"amount": amount, "source": "EUR", "target": code},
    )
    foreign.tell(foreign.at("converted"))
    title = f"Pay {who}"
    d.do(
        f"add '{title}' to the list",
        "notes_add_task",
        {"title": title, "due": due, "list_name": "work"},
        leaves="tasks",
        same=("title", "due", "list_name"),
    )
    d.do(
        f"move the money for {who}",
        "finance_transfer_money",
        {"source": "savings", "target": "checking", "amount": amount, "memo": title},
        leaves="transfers",
        same=("source", "target", "amount_eur"),
    )
    d.do(
        f"archive the invoice of {who}",
        "mail_archive_message",
        {"message_id": ref},
        leaves="messages",
        same=("message_id", "folder"),
    )
    d.say(
        f"{who} has sent me an invoice by mail. Move exactly that amount from savings to checking, "
        f"put “{title}” on my work list for the day it is due, file the message in the archive, "
        f"and tell me what the invoice comes to in {code}.",
        f"Deal with the invoice in {who}'s message: the amount should go from savings to checking, "
        f"“{title}” on my work list with the invoice's due date, the message into the archive. How "
        f"much is it in {code}?",
        f"{who} wants money: there is an invoice in my mail. Have what it asks for ready on "
        f"checking, out of savings, see to it that “{title}” comes up on my work list when it is "
        f"due, and put the message away in the archive. What would it be in {code}?",
    )
    return foreign.at("converted")


def memo(d: Draft) -> Ref:
    pages, who = [chance.page(d) for _ in range(d.rng.randint(2, 3))], chance.person(d)
    read = []
    for page in pages:
        found = d.do(
            f"search for '{page['title']}'", "websearch_web_search", {"query": page["title"]}
        )
        url = found.row("results", "url", "only", where=[["title", "=", page["title"]]])
        step = d.do(f"read '{page['title']}'", "websearch_fetch_page", {"url": url})
        read.append(step.at("published"))
    contact = d.do(f"find {who}", "mail_find_contact", {"name": who})
    places = ", ".join(f"{{{number}}}" for number in range(len(read)))
    name = chance.title(d, "Reading notes", "Sources", "Background", "For the board", "Clippings")
    document = d.do(
        f"write '{name}'",
        "documents_create_document",
        {"title": name, "text": {"$text": f"Published: {places}", "of": read}},
        leaves="files",
        same=("title",),
        holds={"text": read},
    )
    email = contact.row("contacts", "email", "only")
    d.do(
        f"share '{name}' with {who}",
        "documents_share_file",
        {"file_id": document.at("file_id"), "email": email},
        leaves="files",
        same=("title",),
        holds={"shared_with": [email]},
    )
    listed = " and ".join(f"“{page['title']}”" for page in pages)
    d.say(
        f"Start a document “{name}” that gives the publication dates of the web articles {listed}, "
        f"and let {who} read it.",
        f"{who} should get to read a new document called “{name}”; in it I want the dates on which "
        f"the online pieces {listed} were published.",
        f"When did {listed} go online? {who} has to be able to look the dates up in a new document "
        f"of mine, “{name}”.",
    )
    return document.at("file_id")


def bills(d: Draft) -> Ref:
    if "bills" in d.used:
        raise DraftError("bills are paid once in a task")
    d.used.add("bills")
    found = d.do("find open bills", "finance_open_bills", {})
    paid = d.do(
        "pay the bill that is due first",
        "finance_pay_bill",
        {"bill": found.row("bills", "bill", "min", "due"), "account": "checking"},
        leaves="bills",
        same=("bill", "status", "account"),
    )
    paid.tell(paid.at("for"), paid.at("amount_eur"))
    shared = d.do(
        "share the bill",
        "convert_split_bill",
        {"total": paid.at("amount_eur"), "people": 3},
    )
    shared.tell(shared.at("each"))
    d.say(
        "Pay whichever of my open bills is due first from checking. What was it for, how much was "
        "it, and what does each of three flatmates owe if we share it?",
        "The bill that falls due soonest should be paid from my checking account; tell me what it "
        "covers, the amount, and a third of it for each of us three.",
    )
    return paid.at("amount_eur")


def playlist(d: Draft) -> Ref:
    albums = [chance.draw(d, "album", (r[0] for r in load("media")["albums"])) for _ in range(2)]
    longest = []
    for album in albums:
        step = d.do(f"find the tracks of {album}", "media_album_tracks", {"album": album})
        longest.append(step.row("tracks", "track", "max", "seconds"))
        step.tell(longest[-1])
    name = chance.title(d, "Long drive", "Slow Sunday", "Kitchen", "Late shift", "Window seat")
    made = d.do(
        f"make the playlist '{name}'",
        "media_create_playlist",
        {"name": name, "tracks": {"$list": longest}},
        leaves="playlists",
        same=("name", "tracks"),
    )
    d.say(
        f"Make me a playlist “{name}” of the longest track of each of the albums “{albums[0]}” and "
        f"“{albums[1]}”, in that order, and say which two they are.",
        f"I'd like a playlist called “{name}” with two tracks: the longest on “{albums[0]}”, then "
        f"the longest on “{albums[1]}”. Which are they?",
    )
    return made.at("playlist_id")


def call_abroad(d: Draft) -> Ref:
    who, when, home = chance.person(d), chance.day(d), chance.city(d)
    contact = d.do(f"find {who}", "mail_find_contact", {"name": who})
    gaps = d.do(
        f"find free time on {when}", "calendar_free_slots", {"date": str(when), "minutes": 60}
    )
    start = gaps.row("slots", "start", "first")
    theirs = d.do(
        f"find what time that is for {who}",
        "convert_convert_time",
        {
            "time": start,
            "source_city": home,
            "target_city": contact.row("contacts", "city", "only"),
        },
    )
    theirs.tell(theirs.at("target_time"))
    name = f"Call with {who}"
    d.do(
        f"put '{name}' on the calendar",
        "calendar_create_event",
        {"title": name, "start": start, "minutes": 60},
        leaves="events",
        same=("title", "start", "minutes"),
    )
    local = theirs.at("target_time")
    d.do(
        f"write to {who}",
        "mail_send_mail",
        {
            "to": contact.row("contacts", "email", "only"),
            "subject": name,
            "text": {"$text": "Can we talk at {0} your time?", "of": [local]},
        },
        leaves="sent",
        same=("to",),
        holds={"text": [local]},
    )
    d.say(
        f"I'm in {home} and want to talk to {who} for an hour on {chance.phrase(when)}, as early "
        f"as my calendar has room. Enter it as “{name}”, work out the local time where {who} "
        "lives, tell me that time and mention it (as date and time) in a message to them.",
        f"Plan an hour with {who} on {chance.phrase(when)} in my earliest gap (I am in {home}), "
        f"entered as “{name}”. Let {who} know by mail when that is in their own city, giving date "
        "and time, and tell me too.",
        f"{who} and I should speak on {chance.phrase(when)}: the first free hour of my day, as "
        f"“{name}” in the calendar. I am in {home}, {who} is at home, so write to them what their "
        "clock will say (date and time), and let me know.",
    )
    return theirs.at("target_time")


ERRANDS: dict[str, Scene] = {
    scene.__name__: scene for scene in (gift, budget, invoice, memo, bills, playlist, call_abroad)
}
