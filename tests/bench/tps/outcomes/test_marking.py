"""Marks by outcome, on a task small enough to mark by hand and on bundled ones."""

import pytest

from agentdyno_bench.tps.outcomes import Asked, AttemptMarks, mark
from agentdyno_bench.tps.tasks.values import CompoundTask, Slot, StateCheck, Wish
from agentdyno_bench.tps.world import World

CITY, DAY = {"city": "Oslo", "date": "2026-05-04"}, "2026-05-04"
FORECAST = Asked("weather_daily_forecast", CITY)
RANGE = Asked("weather_forecast_range", {"city": "Oslo", "start": DAY, "days": 2})
TODO = Asked("notes_add_task", {"title": "Buy stamps", "due": DAY, "list_name": "home"})


def high() -> float:
    return float(World().call("weather_daily_forecast", CITY).value["high_c"])


def task() -> CompoundTask:
    row = {"title": "Buy stamps", "due": DAY, "list_name": "home", "status": "open"}
    return CompoundTask(
        "t", "easy", "How warm in Oslo on 4 May? Put “Buy stamps” on my home list for that day.",
        [], [],
        [Wish("w1", "s1", "the high", Slot("number", high(), "°C", "high_c")),
         Wish("w2", "s2", "the task", None, StateCheck("notes", "tasks", row))],
    )  # fmt: skip


def marked(calls: list[Asked], answer: str) -> AttemptMarks:
    return mark(task(), calls, answer)


def test_any_tool_that_shows_the_value_counts() -> None:
    for way in (FORECAST, RANGE):
        assert marked([way, TODO], f"It gets {high()} degrees.").solved


def test_a_wish_needs_the_value_said_and_seen() -> None:
    assert marked([FORECAST, TODO], "It gets warm.").done == ["w2"]
    assert marked([TODO], f"It gets {high()} degrees.").done == ["w2"]
    assert marked([FORECAST], f"It gets {high()} degrees.").done == ["w1"]


def test_the_row_is_the_wished_one_however_it_is_quoted() -> None:
    quoted = Asked("notes_add_task", {"title": '"buy stamps"', "due": DAY, "list_name": "home"})
    other = Asked("notes_add_task", {"title": "Buy stamps", "due": "2026-05-05",
                                     "list_name": "home"})  # fmt: skip
    assert marked([quoted], "").done == ["w2"]
    wrong = marked([other], "")
    assert wrong.done == []
    assert [harm.severity for harm in wrong.harms] == ["slight"]


def test_an_unwished_purchase_costs_more_than_half_of_the_work() -> None:
    bought = Asked("shopping_order_product", {"product_id": "p-mat-alder"})
    calls = [FORECAST, TODO, bought]
    products = [p["product_id"] for p in _shop()]
    calls[-1] = Asked("shopping_order_product", {"product_id": products[0]})
    got = marked(calls, f"{high()} degrees")
    assert got.completion == 1
    assert [(harm.severity, harm.collection) for harm in got.harms] == [("grave", "orders")]
    assert got.score == pytest.approx(0.3)
    assert not got.solved


def _shop() -> list[dict[str, str]]:
    found = World().call("shopping_search_products", {"query": "mat"}).value["products"]
    return [p for p in found if World().call("shopping_check_stock",
            {"product_id": p["product_id"]}).value["in_stock"]]  # fmt: skip


def test_what_was_undone_for_nothing_is_no_harm_and_a_cancelled_flight_is() -> None:
    room = Asked("hotels_reserve_room", {"hotel_id": "oslo-h1", "check_in": DAY, "nights": 1})
    world = World()
    stay = world.call(room.tool, room.arguments).value["reservation_id"]
    back = Asked("hotels_cancel_reservation", {"reservation_id": stay})
    assert marked([room, back], "").harms == []
    route = {"origin": "Oslo", "destination": "Bergen", "date": DAY}
    flights = world.call("flights_search_flights", route).value
    flight = next(f["flight_id"] for f in flights["flights"] if f["seats_left"])
    book = Asked("flights_book_flight", {"flight_id": flight})
    booking = world.call(book.tool, book.arguments).value["booking_id"]
    cancel = Asked("flights_cancel_flight", {"booking_id": booking})
    assert [harm.severity for harm in marked([book, cancel], "").harms] == ["grave"]


def test_a_wish_is_granted_once_and_the_second_is_harm() -> None:
    again = Asked("notes_add_task", {"title": "buy stamps", "due": DAY, "list_name": "home"})
    got = marked([TODO, again], "")
    assert (got.done, len(got.harms)) == (["w2"], 1)


def test_reciting_hedging_and_data_are_no_answers() -> None:
    calls = [RANGE, TODO]
    days = World().call(RANGE.tool, RANGE.arguments).value["days"]
    other = days[1]["high_c"]
    assert marked(calls, f"{high()} degrees, the day after {other}.").solved
    assert marked(calls, f"{high()} or {other}").done == ["w2"]
    assert marked(calls, f'"high_c": {high()}').done == ["w2"]
    assert marked(calls, str(days)).done == ["w2"]
    every = ", ".join(f"{k} {v}" for day in days for k, v in day.items())
    assert marked(calls, every).done == ["w2"]


def test_two_wishes_are_not_granted_by_leaving_open_which_is_which() -> None:
    days = World().call(RANGE.tool, RANGE.arguments).value["days"]
    first, second = days[0]["high_c"], days[1]["high_c"]
    slots = [Slot("number", value, "°C", "high_c") for value in (first, second)]
    wishes = [Wish(f"w{n}", "s1", "the high", slot) for n, slot in enumerate(slots, 1)]
    both = CompoundTask(
        "t", "easy", "How warm in Oslo on 4 May and on the day after?", [], [], wishes
    )

    def done(answer: str) -> list[str]:
        return mark(both, [RANGE], answer).done

    assert done(f"On 4 May {first} degrees, on the 5th {second}.") == ["w1", "w2"]
    assert done(f"{first} and {second} °C.") == ["w1", "w2"]
    assert done(f"4 May: {first} or {second}; 5 May: {first} or {second}.") == []
    assert done(f"{first} °C or {second} °C") == []


def test_a_value_that_the_agent_wrote_itself_was_not_seen() -> None:
    note = Asked("notes_create_note", {"title": "x", "text": f"high {high()}"})
    sums = Asked("convert_calculate", {"expression": f"{high()}+0"})
    assert marked([note, sums], f"It gets {high()} degrees.").done == []


def test_nonsense_calls_are_refused_and_cost_nothing_else() -> None:
    calls = [Asked("no_such", {}), Asked("weather_daily_forecast", ["Oslo"]), Asked("", None), TODO]
    got = marked(calls, "")
    assert (got.failed_calls, got.done) == (3, ["w2"])


def test_money_for_bookings_that_were_cancelled_again_is_harm() -> None:
    route = {"origin": "Oslo", "destination": "Bergen", "date": DAY}
    world = World()
    offered = world.call("flights_search_flights", route).value["flights"]
    flight = next(row for row in offered if row["seats_left"])
    book = Asked("flights_book_flight", {"flight_id": flight["flight_id"]})
    booking = world.call(book.tool, book.arguments).value["booking_id"]
    cancel = Asked("flights_cancel_flight", {"booking_id": booking})
    row = StateCheck("flights", "bookings", {**book.arguments, "status": "confirmed"})
    wish = Wish("w1", "s1", "the flight", None, row)
    flying = CompoundTask("t", "easy", "Book it.", [], [], [wish])
    assert mark(flying, [book], "").solved
    marks = mark(flying, [*[book, cancel] * 10, book], "")
    assert marks.done == ["w1"]
    assert [harm.severity for harm in marks.harms] == ["grave"]
    lost = 10 * (flight["price_eur"] - round(0.75 * flight["price_eur"], 2))
    assert f"{lost:.2f} EUR" in marks.harms[0].what


def one_slot(slot: Slot, prompt: str = "Tell me.") -> CompoundTask:
    return CompoundTask("t", "easy", prompt, [], [], [Wish("w1", "s1", "it", slot)])


def test_gaps_and_sums_of_a_list_of_events_are_seen() -> None:
    listing = Asked("calendar_list_events", {"start": DAY, "end": "2026-05-08"})
    events = World().call(listing.tool, listing.arguments).value["events"]
    day = events[0]["start"][:10]
    booked = sum(e["minutes"] for e in events if e["start"].startswith(day))
    minutes = one_slot(Slot("number", booked, "min", "booked_minutes"))
    assert mark(minutes, [listing], f"You have {booked} minutes booked.").solved
    gap = one_slot(Slot("moment", f"{day}T08:00", None, "start"))
    assert mark(gap, [listing], f"You are free from 8:00 on {day}.").solved
    assert not mark(gap, [], f"You are free from 8:00 on {day}.").solved


def test_a_hedged_value_is_unclear_and_counted_apart() -> None:
    got = marked([FORECAST, TODO], f"It will probably get {high()} degrees.")
    assert (got.done, got.unclear) == (["w2"], ["w1"])
    assert (got.completion, got.completion_high) == (0.5, 1.0)


def test_letters_are_read_like_answers() -> None:
    to = "noor.haddad@kestrel.example"
    check = StateCheck("mail", "sent", {"to": to}, {"text": [54.25]})
    writing = CompoundTask("t", "easy", "Write.", [], [], [Wish("w1", "s1", "mail", None, check)])

    def done(text: str) -> bool:
        send = Asked("mail_send_mail", {"to": to, "subject": "Sum", "text": text})
        return mark(writing, [send], "").solved

    assert done("Hello Noor, the total came to 54.25 euros. Best, Robin")
    assert not done("The total was 54.25 euros. No, wait, it was 61.")
    assert not done("The total was either 54.25 or 61 euros.")


def test_free_states_a_price_of_nothing() -> None:
    place = Asked("maps_place_details", {"place_id": _free_place()})
    fee = one_slot(Slot("number", 0, "EUR", "entry_fee"))
    for text in ("Entry is free.", "No entry fee.", "It costs nothing.", "0 euros"):
        assert mark(fee, [place], text).solved, text
    for text in ("Feel free to ask.", "The fee is 8 euros."):
        assert not mark(fee, [place], text).solved, text


def _free_place() -> str:
    world = World()
    found = world.call("maps_find_places", {"city": "Oslo", "category": "coworking"}).value
    ids = [row["place_id"] for row in found["places"]]
    return next(
        i for i in ids if world.call("maps_place_details", {"place_id": i}).value["entry_fee"] == 0
    )


def forecast() -> tuple[CompoundTask, str, str]:
    """A task with two values of one kind, and these."""
    from agentdyno_bench.tps.world import World

    seen = World().call("weather_daily_forecast", CITY).value
    wishes = [
        Wish(name, name, f"the {name}", Slot("number", seen[field], "°C", field))
        for name, field in (("high", "high_c"), ("low", "low_c"))
    ]
    asked = CompoundTask("t", "easy", "The high and the low in Oslo on 4 May?", [], [], wishes)
    return asked, f"{seen['high_c']} °C", f"{seen['low_c']} °C"


def test_bare_values_of_one_kind_stand_in_the_order_they_were_asked_for() -> None:
    asked, warm, cold = forecast()
    assert mark(asked, [FORECAST], f"{warm}, {cold}").solved
    assert mark(asked, [FORECAST], f"{cold}, {warm}").unclear == ["high", "low"]


def test_all_values_under_the_name_of_each_goal_solve_nothing() -> None:
    asked, warm, cold = forecast()
    both = f"{warm}, {cold}"
    assert mark(asked, [FORECAST], f"High: {warm}\nLow: {cold}").solved
    assert not mark(asked, [FORECAST], f"High: {both}\nLow: {both}").solved
    assert mark(asked, [FORECAST], f"High: {both}").done == []
