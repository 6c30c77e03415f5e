"""Random values for scenes, never the same twice within one task.

    city · city2 · here=city        one of a kind, under a name
    what=title:Haircut|Eye test     one of a kind, out of these
    nights=2-6 · list=home|work     a number, or any of these; may come again
    places=city*2-4                 several; days come in their order

A day, a month and a to-do bring a second name: `when_spoken`, `month_spoken`, `todo_list`.
"""

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any

from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.world.kit.cities import cities
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY


def draw_names(d: Draft, entry: str) -> dict[str, Any]:
    """The names that an entry of a scene brings, the drawn value first."""
    name, _, kind = entry.partition("=")
    kind, _, count = (kind or name.rstrip("0123456789")).partition("*")
    if not count:
        return _name_value(name, kind, _draw_one(d, kind))
    least, _, most = count.partition("-")
    many = d.rng.randint(int(least), int(most)) if most else int(least)
    values = [_draw_one(d, kind) for _ in range(many)]
    named = [_name_value(name, kind, v) for v in (sorted(values) if kind == "day" else values)]
    return {key: Several(names[key] for names in named) for key in named[0]}


class Several(list[str]):
    """Values that a sentence lists: `{films:or}` is a, b or c, `{films:“and and”}` “a” and “b”."""

    def __format__(self, spec: str) -> str:
        quoted = [f"“{value}”" if "“" in spec else value for value in self]
        *between, last = spec.strip("“”").split()
        separator = f" {between[0]} " if between else ", "
        return f"{separator.join(quoted[:-1])} {last} {quoted[-1]}"


def draw(d: Draft, kind: str, choices: Iterable[str]) -> str:
    """One of the choices that this task has not used."""
    unused = [c for c in choices if f"{kind}:{c}" not in d.used]
    if not unused:
        raise DraftError(f"no {kind} left")
    choice = d.rng.choice(unused)
    d.used.add(f"{kind}:{choice}")
    return choice


def _draw_one(d: Draft, kind: str) -> str | int:
    if number := re.fullmatch(r"(\d+)-(\d+)", kind):
        return d.rng.randint(int(number[1]), int(number[2]))
    if kind == "clock":
        return f"{d.rng.randint(8, 18):02d}:{d.rng.choice(('00', '15', '30', '45'))}"
    kind, _, choices = kind.partition(":")
    if "|" in kind:
        return d.rng.choice(kind.split("|"))
    choice = draw(d, kind, choices.split("|") if choices else KINDS[kind]())
    if kind in ("day", "past"):
        days = timedelta(days=int(choice))
        return str(TODAY + days if kind == "day" else TODAY - days)
    return choice


def _name_value(name: str, kind: str, value: str | int) -> dict[str, Any]:
    if kind == "day":
        when = date.fromisoformat(str(value))
        return {name: value, f"{name}_spoken": f"{when.day} {when:%B}"}
    if kind == "month":
        return {name: value, f"{name}_spoken": MONTHS[str(value)]}
    if kind == "todo":
        return {name: value, f"{name}_list": {r[0]: r[1] for r in load("notes")["tasks"]}[value]}
    return {name: value}


def _column(server: str, rows: str, column: int = 0) -> Callable[[], list[str]]:
    return lambda: [row[column] for row in load(server)[rows]]


def _takes_a(name: str) -> bool:
    return name[0] not in "aeiou" and not name.endswith("s")


MONTHS = {
    "2026-01": "January",
    "2026-02": "February",
    "2026-03": "March",
    "2025-12": "last December",
    "2025-11": "last November",
}
TITLES = (
    "Call the plumber", "Scan the receipts", "Borrow the ladder", "Reply to the club",
    "Wash the curtains", "Check the tyres", "Buy birdseed", "Collect the suit", "Plan the barbecue",
    "Back up the laptop", "Write to Aunt May", "Measure the window", "Change the locks",
)  # fmt: skip
KINDS: dict[str, Callable[[], Iterable[str]]] = {
    # Days that are not too near and not too far.
    "day": lambda: map(str, range(5, 40)),
    "past": lambda: map(str, range(20, 400)),
    "month": lambda: MONTHS,
    "title": lambda: TITLES,
    "city": cities,
    "person": _column("mail", "people"),
    "friend": lambda: [name.split()[0] for name in _column("mail", "people")()],
    "company": _column("finance", "companies", 1),
    "firm": lambda: [name.split()[0] for name in _column("finance", "companies", 1)()],
    "product": _column("shopping", "products"),
    # Goods that one says "a" to.
    "item": lambda: [p for p in _column("shopping", "products")() if _takes_a(p)],
    "cuisine": lambda: load("restaurants")["cuisines"],
    "film": _column("media", "films"),
    "page": lambda: [page["title"] for page in load("websearch")],
    "money": lambda: load("kit/currencies"),
    "place": lambda: load("maps")["categories"],
    "book": _column("media", "books"),
    "album": _column("media", "albums"),
    "podcast": _column("media", "podcasts"),
    "table": _column("documents", "tables"),
    "text": _column("documents", "texts"),
    "todo": _column("notes", "tasks"),
    "bill": _column("finance", "bills"),
    "account": lambda: load("finance")["accounts"],
    "country": lambda: load("calendar")["holidays"],
    "coupon": lambda: load("shopping")["coupons"],
    "euros": lambda: map(str, (15, 25, 40, 60, 75, 90, 110, 130, 150, 180, 220, 260)),
    "nights": lambda: "2345",
    "party": lambda: "2345",
}
"""Kind -> what can be drawn."""
