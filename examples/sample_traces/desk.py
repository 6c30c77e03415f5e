"""The support desk of an invented outdoor shop: twelve tasks, two tool suites, two models.

Every attempt is put together from the same steps; a model's habits (asking twice, writing an order
number the wrong way, reading a whole handbook) are drawn with a seeded generator.
"""

import json
import random
from dataclasses import dataclass
from typing import Any

from sample_traces.handbook import article, snippet
from sample_traces.talk import Call, Talk, Turn, function

SYSTEM = (
    "You answer customers of Fernweh Outfitters, a shop for tents, boots and bicycles. Look things "
    "up before you answer and never guess an order's state. Money goes back only after the rule "
    "that allows it was found. One question, one clear reply: what was done, the amount or the "
    "date, and what happens next. Amounts are in euro. Order numbers look like FW-48213."
)

FULL_TOOLS = [
    function("find_order", "An order with its items and state.", "order_id", order_id="string"),
    function("get_customer", "A customer's profile and balance.", "email", email="string"),
    function("list_payments", "Payments booked for an order.", "order_id", order_id="string"),
    function("search_help", "Articles of the handbook about a topic.", "topic", topic="string"),
    function("track_parcel", "Where a parcel is.", "parcel", parcel="string"),
    function("check_stock", "Pieces on the shelf for an article and a size.", "article",
             article="string", size="string"),
    function("issue_refund", "Sends money back to the customer.", "order_id amount",
             order_id="string", amount="number", reason="string"),
    function("update_address", "Changes where an order goes.", "order_id address",
             order_id="string", address="string"),
    function("cancel_order", "Stops an order that has not left.", "order_id", order_id="string"),
    function("create_label", "A return label for an order.", "order_id", order_id="string"),
    function("schedule_pickup", "A courier comes for a parcel.", "order_id date",
             order_id="string", date="string"),
    function("export_report", "Writes a table of orders between two dates to a file.",
             "first last", first="string", last="string", columns="array", layout="string"),
    function("translate_text", "Translates a reply into another language.", "text language",
             text="string", language="string", tone="string"),
    function("send_survey", "Asks the customer how it went, three days later.", "email",
             email="string", questions="array"),
]  # fmt: skip

LEAN_TOOLS = [
    function("lookup", "An order, a customer, a parcel or an article by its key.", "key",
             key="string"),
    function("search_help", "The rule of the handbook about a topic.", "topic", topic="string"),
    function("change_order", "Refund, address, cancel, label or pickup.", "order_id action",
             order_id="string", action="string", value="string"),
]  # fmt: skip

SETTINGS = [
    ("gpt-4.1", "full-tools"),
    ("gpt-4.1", "lean-tools"),
    ("qwen3-32b", "full-tools"),
    ("qwen3-32b", "lean-tools"),
]


@dataclass(frozen=True)
class Task:
    """What a customer wants, and the steps that get there."""

    name: str
    ask: str
    steps: tuple[str, ...]
    answer: str


TASKS = [
    Task("cracked-stove", "My stove ({order}) came with a cracked hose. I want my money back.",
         ("order", "help:damaged goods", "refund"),
         "I have sent {price} euro back for the {item}. They arrive in four days."),
    Task("new-address", "Please send {order} to {street} instead, I have moved.",
         ("order", "address"), "Order {order} with the {item} now goes to {street}."),
    Task("late-parcel", "Where is {order}? It should have been here on Monday.",
         ("order", "parcel"), "Parcel {parcel} is in {town} and reaches you on {date}."),
    Task("tent-in-green", "Do you still have the {item} in size {size}?",
         ("stock",), "Yes: {count} pieces of the {item} in size {size} are on the shelf."),
    Task("cancel-boots", "I ordered the wrong boots, please stop {order}.",
         ("order", "cancel"), "Order {order} is stopped; the {item} is not charged."),
    Task("zip-warranty", "The zip of my {item} ({order}) broke after a year. Is that covered?",
         ("order", "help:warranty"), "Yes, it is covered: zips of the {item} for {years} years."),
    Task("charged-twice", "I was charged twice for {order}.",
         ("order", "payments", "refund"),
         "The second charge of {price} euro for {order} is on its way back to you."),
    Task("gift-card", "How much is left on my gift card? My address is {email}.",
         ("customer",), "Your card ({email}) still holds {balance} euro."),
    Task("return-label", "I want to send {order} back, it does not fit.",
         ("order", "label"), "Label {label} for the {item} is in your inbox."),
    Task("other-size", "Can I swap the {item} from {order} for size {size}?",
         ("order", "stock", "label"),
         "One of {count} pieces in size {size} is yours; send the {item} with label {label}."),
    Task("price-dropped", "The {item} I bought last week ({order}) is 20 euro cheaper today.",
         ("order", "help:price promise", "refund"),
         "I have sent the difference for the {item} back: {price} euro are booked."),
    Task("courier", "Can somebody fetch {order}? I cannot carry the {item}.",
         ("order", "pickup"), "A courier comes for the {item} on {date}, order {order}."),
]  # fmt: skip

_ITEMS = ["Kestrel tent", "Brume stove", "Ledra boots", "Sorrel pack", "Tarn bicycle bag"]
_STREETS = ["Quayside 4, Odense", "Mill Lane 12, Ghent", "Rua Nova 31, Braga", "Linden 8, Graz"]
_TOWNS = ["Malmo", "Liege", "Porto", "Linz"]


def desk_talks(model: str, variant: str) -> list[Talk]:
    """The twelve tasks, attempted by one model with one tool suite."""
    rng = random.Random(f"{model} {variant}")
    return [_attempt(task, index, model, variant, rng) for index, task in enumerate(TASKS)]


def _attempt(task: Task, index: int, model: str, variant: str, rng: random.Random) -> Talk:
    facts = _facts(index)
    lean, careless = variant == "lean-tools", model.startswith("qwen")
    turns = [_step(step, facts, lean) for step in task.steps]
    turns = _with_habits(turns, careless, rng)
    solved = rng.random() > (0.3 if careless else 0.1)
    answer = (
        task.answer if solved else "I have passed this on to a colleague who will write to you."
    )
    events: list[str | Turn] = [task.ask.format(**facts)]
    for number, (text, call) in enumerate(turns):
        thought = _thought(text, number, task) if careless else ""
        events.append(Turn("" if careless else text, (call,), thought))
    events.append(Turn(answer.format(**facts)))
    about = {"benchmark": "support-desk", "variant": variant, "level": len(task.steps)}
    tools = LEAN_TOOLS if lean else FULL_TOOLS
    return Talk(task.name, model, SYSTEM, tools, events, solved, about)


def _facts(index: int) -> dict[str, Any]:
    """The same world for every model: it depends on the task alone."""
    rng = random.Random(f"world {index}")
    return {
        "order": f"FW-{rng.randint(40000, 59999)}",
        "item": rng.choice(_ITEMS),
        "price": f"{rng.randint(19, 240)}.{rng.choice(['00', '50', '90'])}",
        "street": rng.choice(_STREETS),
        "town": rng.choice(_TOWNS),
        "parcel": f"PX{rng.randint(100000, 999999)}",
        "label": f"RL-{rng.randint(1000, 9999)}",
        "email": f"{rng.choice(['mara', 'ilse', 'tomas'])}{rng.randint(10, 99)}@post.example",
        "date": f"2026-03-{rng.randint(10, 28)}",
        "size": str(rng.randint(37, 46)),
        "count": rng.randint(3, 9),
        "balance": f"{rng.randint(11, 90)}.{rng.randint(10, 99)}",
        "years": rng.randint(3, 6),
    }


Step = tuple[str, Call]


def _step(step: str, f: dict[str, Any], lean: bool) -> Step:
    kind, _, topic = step.partition(":")
    text, tool, arguments, key, action, value = _WORDS[kind]
    filled = {k: v.format(topic=topic, **f) for k, v in arguments.items()}
    if "amount" in filled:
        result = {"status": "booked", "amount": float(f["price"]), "order": f["order"]}
        call = Call(tool, {**filled, "amount": float(f["price"])}, json.dumps(result))
    else:
        call = Call(tool, filled, _result(kind, topic, f, lean))
    if not lean or tool == "search_help":
        return text.format(topic=topic, **f), call
    if key:
        return text.format(**f), Call("lookup", {"key": key.format(**f)}, call.result)
    change = {"order_id": f["order"], "action": action, "value": value.format(**f)}
    return text.format(**f), Call("change_order", change, call.result)


_WORDS: dict[str, tuple[str, str, dict[str, str], str, str, str]] = {
    "order": ("I will look up {order}.", "find_order", {"order_id": "{order}"}, "{order}", "", ""),
    "customer": ("Let me open your profile.", "get_customer", {"email": "{email}"}, "{email}",
                 "", ""),
    "payments": ("Now the payments of {order}.", "list_payments", {"order_id": "{order}"},
                 "{order}/payments", "", ""),
    "help": ("Let me check what we say about {topic}.", "search_help", {"topic": "{topic}"}, "",
             "", ""),
    "parcel": ("The parcel is {parcel}, let me see where.", "track_parcel", {"parcel": "{parcel}"},
               "{parcel}", "", ""),
    "stock": ("I will check the shelf for the {item}.", "check_stock",
              {"article": "{item}", "size": "{size}"}, "{item} / {size}", "", ""),
    "refund": ("The {item} qualifies, so {price} euro go back.", "issue_refund",
               {"order_id": "{order}", "amount": ""}, "", "refund", "{price}"),
    "address": ("The {item} has not left, so {street} still works.", "update_address",
                {"order_id": "{order}", "address": "{street}"}, "", "address", "{street}"),
    "cancel": ("The {item} is still packed, so it can be stopped.", "cancel_order",
               {"order_id": "{order}"}, "", "cancel", ""),
    "label": ("I will make a label for the {item}.", "create_label", {"order_id": "{order}"}, "",
              "label", ""),
    "pickup": ("A courier for the {item}, then.", "schedule_pickup",
               {"order_id": "{order}", "date": "{date}"}, "", "pickup", "{date}"),
}  # fmt: skip


def _result(kind: str, topic: str, f: dict[str, Any], lean: bool) -> str:
    if kind == "help":
        return snippet(topic, f) if lean else article(topic, f)
    answers: dict[str, Any] = {
        "order": {"order": f["order"], "item": f["item"], "price": float(f["price"]),
                  "parcel": f["parcel"], "state": "packed"},
        "customer": {"email": f["email"], "card_balance": float(f["balance"]), "orders": 4},
        "payments": [{"order": f["order"], "amount": float(f["price"]), "nr": n} for n in (1, 2)],
        "parcel": {"parcel": f["parcel"], "at": f["town"], "arrives": f["date"]},
        "stock": {"article": f["item"], "size": f["size"], "pieces": f["count"]},
        "address": {"order": f["order"], "goes_to": f["street"]},
        "cancel": {"order": f["order"], "state": "stopped", "price": float(f["price"])},
        "label": {"order": f["order"], "label": f["label"]},
        "pickup": {"order": f["order"], "courier": f["date"]},
    }  # fmt: skip
    return json.dumps(answers[kind])


def _with_habits(turns: list[Step], careless: bool, rng: random.Random) -> list[Step]:
    """Some attempts stumble: the same question twice, or a key written the wrong way."""
    repeats, stumbles = rng.random(), rng.random()
    text, first = turns[0]
    if repeats < (0.45 if careless else 0.15) and len(turns) > 1:
        again = f"To be sure, {first.tool} once more before I go on."
        turns = [*turns[:-1], (again, first), turns[-1]]
    if stumbles < (0.35 if careless else 0.1) and (wrong := _miswritten(first)):
        turns = [(text, wrong), *turns]
    return turns


def _miswritten(call: Call) -> Call | None:
    written = call.written.replace("FW-", "#").replace("@", " at ")
    if written == call.written:
        return None
    key = next(iter(json.loads(written).values()))
    return Call(call.tool, json.loads(written), f"Error: nothing has the key {key!r}")


def _thought(text: str, number: int, task: Task) -> str:
    opening = ["Okay, the customer wrote about", "Next on the way to solving", "Still working on"]
    topic = task.name.replace("-", " ")
    return (
        f"{opening[min(number, 2)]} '{topic}'. {text} The rules want facts before a reply, so a "
        f"call comes first."
    )
