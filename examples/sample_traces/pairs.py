"""Pairs of attempts at the same task: one shows a wasteful pattern, its twin does not."""

from dataclasses import dataclass
from typing import Any

from sample_traces.handbook import article
from sample_traces.talk import Call, Talk, Turn, function

PYTHON = function("python", "Runs a script and returns what it prints.", "code", code="string")
SEARCH = function(
    "web_search", "Searches the web, returns titles and abstracts.", "query", query="string"
)
VISIT = function("visit_page", "The text of a web page.", "url", url="string")

MATHS = "Solve the problem. A Python tool is there. End with the result alone on a line."
RESEARCH = "Answer the question from the web and name the page it stands on."


@dataclass(frozen=True)
class Pair:
    """The same task twice."""

    pattern: str
    shown: Talk
    clean: Talk


def maths_pairs() -> list[Pair]:
    """Confirmatory use, lack of tool priors and format collapse, with a Python tool."""
    fares = "A ferry carries 85 cars at 34 euro and 17 vans at 30 euro. What does it take in?"
    cash = "85 * 34 + 17 * 30"
    rope = "A rope of 90 m is cut into pieces of 2.5 m, with 0.1 m lost per cut piece. How many?"
    sheep = "A flock of 120 grows by 15 % a year. How many animals after 4 years, rounded down?"
    return [
        Pair(
            "confirmatory",
            _maths("ferry-fares", fares, [
                Turn("Cars bring 85 x 34 = 2,890 euro and vans bring 17 x 30 = 510 euro, so the "
                     "ferry takes in 3,400 euro in total. Let me verify this with Python.",
                     (_python(f"print(float({cash}))", "stdout:\n3400.0\nstderr:\n"),)),
                Turn("The script confirms it.\n3,400 euro"),
            ]),
            _maths("ferry-fares", fares, [
                Turn("Two products and a sum: Python does that.",
                     (_python(f"print(float({cash}))", "stdout:\n3400.0\nstderr:\n"),)),
                Turn("3,400 euro"),
            ]),
        ),
        Pair(
            "lack_of_tool_priors",
            _maths("rope-pieces", rope, [
                Turn("Each piece uses 2.6 m of rope.",
                     (_python("pieces = int(90 // 2.6)\npieces", "stdout:\n\nstderr:\n"),)),
                Turn("Nothing came back, so I print it this time.",
                     (_python("print(int(90 // 2.6))", "stdout:\n34\nstderr:\n"),)),
                Turn("34 pieces"),
            ]),
            _maths("rope-pieces", rope, [
                Turn("Each piece uses 2.6 m of rope.",
                     (_python("print(int(90 // 2.6))", "stdout:\n34\nstderr:\n"),)),
                Turn("34 pieces"),
            ]),
        ),
        Pair(
            "format_collapse",
            _maths("flock", sheep, [
                Turn("Growth compounds, so a power is needed.",
                     (Call("python", {"script": "print(int(120 * 1.15 ** 4))"},
                           "Error: missing argument 'code'"),)),
                Turn('<tool_call>\n{"name": "python", "arguments": {"code": "print(int(120 * 1.15 '
                     '** 4))"}}\n</tool_call>'),
                "No call arrived. Please go on.",
                Turn("", (_python("print(int(120 * 1.15 ** 4))", "stdout:\n209\nstderr:\n"),)),
                Turn("209 animals"),
            ]),
            _maths("flock", sheep, [
                Turn("Growth compounds, so a power is needed.",
                     (_python("print(int(120 * 1.15 ** 4))", "stdout:\n209\nstderr:\n"),)),
                Turn("209 animals"),
            ]),
        ),
    ]  # fmt: skip


def research_pairs() -> list[Pair]:
    """Tool-mixing, a loop and an oversized result, with search, visit and Python."""
    light = "In which year was the lighthouse of Skarvholm switched to electric light?"
    hits = (
        "1. Skarvholm light station (fyrboken.example): built 1871, oil lamp, first electrified "
        "in 1934.\n2. Islands of the outer coast (kustliv.example): ferries, birds, no cars."
    )
    bridge = "Who designed the swing bridge at Port Elna?"
    vague = (
        "1. Port Elna harbour (elna.example): quays, tides, mooring fees.\n"
        "2. Swing bridges of the north (spans.example): a list of names and lengths."
    )
    found = "1. Port Elna bridge dossier (archive.example): drawn by Hedda Brask, opened 1908."
    soup = "How many islands does the Velhamn ferry line call at?"
    page = article("damaged goods", {"item": "ticket", "years": 2}).replace(
        "Handbook, chapter on damaged goods", "Velhamn line, timetable and rules of carriage"
    )
    ask = Call(
        "web_search",
        {"query": "Velhamn ferry line islands"},
        "1. Velhamn line (velhamn.example/lines): timetable and rules of carriage.",
    )
    return [
        Pair(
            "tool_mixing",
            _research("lighthouse", light, [
                Turn("", (Call("web_search", {"query": "Skarvholm lighthouse electric"}, hits),)),
                Turn("", (Call("python", {"code": "facts = ['built 1871', 'electrified 1934']\n"
                               "print('\\n'.join(facts))"}, "built 1871\nelectrified 1934"),)),
                Turn("Skarvholm was electrified in 1934 (fyrboken.example)."),
            ]),
            _research("lighthouse", light, [
                Turn("", (Call("web_search", {"query": "Skarvholm lighthouse electric"}, hits),)),
                Turn("Skarvholm was electrified in 1934 (fyrboken.example)."),
            ]),
        ),
        Pair(
            "loop",
            _research("swing-bridge", bridge, [
                Turn("", (Call("web_search", {"query": "Port Elna swing bridge"}, vague),)),
                Turn("", (Call("web_search", {"query": "who designed bridge Port Elna"}, vague),)),
                Turn("", (Call("web_search", {"query": "Port Elna bridge engineer name"}, vague),)),
                Turn("The harbour page (elna.example) and spans.example do not say; archives may.",
                     (Call("web_search", {"query": "Port Elna bridge dossier archive"}, found),)),
                Turn("Hedda Brask designed it (archive.example)."),
            ]),
            _research("swing-bridge", bridge, [
                Turn("", (Call("web_search", {"query": "Port Elna swing bridge"}, vague),)),
                Turn("The harbour page (elna.example) and spans.example do not say; archives may.",
                     (Call("web_search", {"query": "Port Elna bridge dossier archive"}, found),)),
                Turn("Hedda Brask designed it (archive.example)."),
            ]),
        ),
        Pair(
            "oversized_result",
            _research("ferry-islands", soup, [
                Turn("", (ask,)),
                Turn("velhamn.example/lines should have it.",
                     (Call("visit_page", {"url": "velhamn.example/lines"},
                           page + "\nThe Velhamn line calls at 11 islands in summer."),)),
                Turn("It calls at 11 islands in summer (velhamn.example/lines)."),
            ]),
            _research("ferry-islands", soup, [
                Turn("", (ask,)),
                Turn("velhamn.example/lines should have it.",
                     (Call("visit_page", {"url": "velhamn.example/lines#islands"},
                           "Islands\nThe Velhamn line calls at 11 islands in summer."),)),
                Turn("It calls at 11 islands in summer (velhamn.example/lines)."),
            ]),
        ),
    ]  # fmt: skip


def inbox_pairs() -> list[Pair]:
    """A result that nobody reads, in an assistant for mail and calendar."""
    tools = [
        function("list_mail", "Mail of a day.", "day", day="string"),
        function("read_mail", "One mail.", "mail_id", mail_id="string"),
        function("list_meetings", "Meetings of a week.", "week", week="integer"),
        function("send_mail", "Sends a mail.", "to text", to="string", text="string"),
    ]
    ask = "Tell Rosalind that I accept the offer she sent on Tuesday."
    mail = Call(
        "list_mail",
        {"day": "Tuesday"},
        "m-311 Rosalind Okafor: Offer for the greenhouse\nm-312 Newsletter: Spring bulbs",
    )
    read = Call(
        "read_mail",
        {"mail_id": "m-311"},
        "From: rosalind@okafor.example\nGlass, frame and delivery for 2,150 euro, valid to Friday.",
    )
    week = Call(
        "list_meetings",
        {"week": 10},
        "Mon 09:30 Budget review, room Larch\nWed 14:00 Dentist Dr. Pavlenko\n"
        "Thu 11:15 Call with Aksel about turbines\nThu 18:45 Supper at Ottilie's, bring "
        "elderberry cordial\nFri 16:00 Choir rehearsal, St. Brannock\nSat 08:20 Train to Zwolle, "
        "platform 5b, coach 21",
    )
    send = Call(
        "send_mail",
        {
            "to": "rosalind@okafor.example",
            "text": "I accept your offer of 2,150 euro for the greenhouse.",
        },
        "sent to rosalind@okafor.example",
    )
    done = Turn("Done: Rosalind at rosalind@okafor.example knows that you take the greenhouse.")

    def talk(*turns: Turn) -> Talk:
        system = "You handle mail and calendar of one person. Act only on what was asked."
        about = {"benchmark": "inbox", "variant": "mail-and-calendar"}
        return Talk("accept-offer", "claude-sonnet-4-5", system, tools, [ask, *turns], True, about)

    return [
        Pair(
            "unread_result",
            talk(Turn("", (mail,)), Turn("A glance at the week.", (week,)),
                 Turn("Rosalind's is m-311.", (read,)), Turn("", (send,)), done),
            talk(Turn("", (mail,)), Turn("Rosalind's is m-311.", (read,)), Turn("", (send,)), done),
        )
    ]  # fmt: skip


def coding_pairs() -> list[Pair]:
    """The same call twice, in a session of a coding agent."""
    code = (
        "     1\tdef total(prices, discount=0):\n     2\t    amount = sum(prices)\n"
        "     3\t    return amount - amount * discount / 10\n"
    )
    ask = "total() in basket.py takes off ten times too much. Fix it."
    read = Call("Read", {"file_path": "/home/ada/shop/basket.py"}, code)
    edit = Call(
        "Edit",
        {
            "file_path": "/home/ada/shop/basket.py",
            "old_string": "discount / 10",
            "new_string": "discount / 100",
        },
        "basket.py has been updated: discount / 100",
    )
    test = Call("Bash", {"command": "pytest -q tests/test_basket.py"}, "3 passed in 0.04s")
    plan = "The discount in total() is a percentage, so it must be divided by 100."

    def talk(*turns: Turn) -> Talk:
        return Talk("basket", "claude-sonnet-4-5", "", [], [ask, *turns], hidden_tokens=14_300)

    end = Turn("total() now divides the discount by 100; all 3 passed.")
    return [
        Pair(
            "repeated_call",
            talk(Turn("I will read basket.py.", (read,)), Turn("Now basket.py again.", (read,)),
                 Turn(plan, (edit,)), Turn("", (test,)), end),
            talk(Turn("I will read basket.py.", (read,)), Turn(plan, (edit,)), Turn("", (test,)),
                 end),
        )
    ]  # fmt: skip


def retail_talks() -> list[Talk]:
    """Three attempts of a clerk, for the tau-bench shape."""
    order = (
        '{"order_id": "#W7021", "status": "delivered", "items": [{"name": "Desk lamp", '
        '"item_id": "4410", "price": 48.2}, {"name": "Kettle", "item_id": "9127", "price": 31.5}]}'
    )
    user = Call("find_user_id_by_email", {"email": "noor@post.example"}, "noor_haddad_2214")
    details = Call("get_order_details", {"order_id": "#W7021"}, order)
    give_back = Call(
        "return_delivered_order_items",
        {"order_id": "#W7021", "item_ids": ["9127"]},
        '{"order_id": "#W7021", "status": "return requested", "refund": 31.5}',
    )
    hello = "Hi, I want to return the kettle from my order W7021. I am noor@post.example."
    ask = Turn("The kettle (9127) cost 31.50. Shall I request its return for noor_haddad_2214?")
    done = Turn("The return of the kettle is requested, 31.50 come back to you.")
    lost = Call("get_order_details", {"order_id": "W7021"}, "Error: order not found")
    late = Turn("I am sorry, only orders younger than 30 days can be returned.")
    plain: list[str | Turn] = [
        hello,
        Turn("", (user,)),
        Turn("", (details,)),
        ask,
        "Yes please.",
        Turn("", (give_back,)),
        done,
        "Thanks!",
    ]
    stumble: list[str | Turn] = [*plain[:2], Turn("", (lost,)), *plain[2:]]
    wrong: list[str | Turn] = [*plain[:3], late, "That is a pity."]
    return [_retail(plain, True), _retail(stumble, True), _retail(wrong, False)]  # fmt: skip


def _python(code: str, result: str) -> Call:
    return Call("python", {"code": code}, result)


def _maths(task: str, ask: str, turns: list[Any]) -> Talk:
    about = {"benchmark": "word-problems", "variant": "python"}
    return Talk(task, "qwen3-32b", MATHS, [PYTHON], [ask, *turns], True, about)


def _research(task: str, ask: str, turns: list[Turn]) -> Talk:
    return Talk(task, "gpt-4.1", RESEARCH, [SEARCH, VISIT, PYTHON], [ask, *turns])


def _retail(events: list[str | Turn], solved: bool) -> Talk:
    rules = (
        "# Retail agent\nYou help customers of a web shop to return what was delivered. Find the "
        "customer first, read the order, ask for a yes before you change anything."
    )
    return Talk("17", "gpt-4o", rules, [], events, solved)
