"""Values for the blanks of a prompt template: from a world, and as people write them.

Takes a world's seed, returns for each blank a value as services take it and as a user would write
it: 2026-04-18 is "18 April", 2026-02 is "February 2026". `city2` is another city than `city`, and
`later` is after `date`. Whether a call with them succeeds is not known here.
"""

import json
import random
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.kit.cities import cities

TODAY = date(2026, 4, 13)
"""The day on which every conversation takes place, a Monday."""
_SPANS = {
    "date": (TODAY + timedelta(1), 30), "past": (date(2021, 1, 1), 1_900),
    "past_quarter": (date(2025, 9, 1), 150),
}  # fmt: skip
"""First day of a kind of date, and the number of days after it."""
_AFTER = {"later": ("date", 2, 12), "later_past_quarter": ("past_quarter", 21, 60)}
"""Dates that come so many days after another one."""

Filled = dict[str, Any]
"""Values by blank, as services take them."""


class Slots:
    """The blanks of one world."""

    def __init__(self, world_seed: int) -> None:
        data = _data()
        world = World(world_seed)
        self._pools: dict[str, list[Any]] = dict(data["lists"])
        self._pools["city"] = list(cities())
        self._pools["currency"] = sorted({city.currency for city in cities().values()})
        for name, row in data["listed"].items():
            self._pools[name] = _list_values(world, row)

    def fill(self, names: Iterable[str], rng: random.Random) -> Filled:
        """A value for each of these blanks, in their order."""
        filled: Filled = {}
        for name in names:
            filled[name] = self._value(name, filled, rng)
        return filled

    def _value(self, name: str, filled: Filled, rng: random.Random) -> Any:
        kind = name.rstrip("0123456789")
        data = _data()
        if kind in _SPANS:
            first, days = _SPANS[kind]
            return (first + timedelta(rng.randrange(days))).isoformat()
        if kind in _AFTER:
            start, least, most = _AFTER[kind]
            first = date.fromisoformat(filled.setdefault(start, self._value(start, filled, rng)))
            return (first + timedelta(rng.randint(least, most))).isoformat()
        if kind == "moment":
            day, half = self._value("date", {}, rng), rng.choice(("00", "30"))
            return f"{day}T{rng.randint(8, 18):02d}:{half}"
        if kind == "month":
            year, month = rng.choice([(2025, rng.randint(5, 12)), (2026, rng.randint(1, 3))])
            return f"{year}-{month:02d}"
        if kind == "expression":
            a, b, c = (rng.randint(2, 90) for _ in range(3))
            return rng.choice((f"{a} + {b} * {c}", f"({a} + {b}) * {c}", f"{a} * {b} - {c}"))
        if kind in data["numbers"]:
            low, high, places = data["numbers"][kind]
            return _number(low, high, places, rng)
        return self._choose(name, kind, filled, rng)

    def _choose(self, name: str, kind: str, filled: Filled, rng: random.Random) -> Any:
        data = _data()
        pool = self._pools.get(kind)
        if kind in data["groups"]:
            groups = data["groups"][kind]
            matching = [group for group in groups if filled.get(kind) in group]
            pool = matching[0] if matching else rng.choice(groups)
        for first, partners in data["pairs"].items():
            if kind == first:
                pool = [pair[0] for pairs in partners.values() for pair in pairs]
            elif kind in partners:
                pairs = partners[kind]
                site = filled.setdefault(first, rng.choice(pairs)[0])
                pool = [pair[1] for pair in pairs if pair[0] == site]
        if pool is None:
            raise ValueError(f"expected a blank that has values, found {name!r}")
        used = [v for k, v in filled.items() if k.rstrip("0123456789") == kind]
        return rng.choice([value for value in pool if value not in used])


def write_out(name: str, value: Any, rng: random.Random) -> str:
    """A value as people write it."""
    kind = name.rstrip("0123456789")
    if kind in _SPANS or kind in _AFTER:
        return _day(date.fromisoformat(value), rng)
    if kind == "moment":
        day, _, time = value.partition("T")
        day_text = _day(date.fromisoformat(day), rng, weekday=False)
        return rng.choice((f"{day_text} at {time}", f"{day_text}, {time}"))
    if kind == "month":
        first = date.fromisoformat(f"{value}-01")
        near = f"{first:%B}" if first.year == TODAY.year else f"last {first:%B}"
        return rng.choice((f"{first:%B %Y}", f"{first:%B %Y}", near, value))
    return str(value)


def _day(day: date, rng: random.Random, weekday: bool = True) -> str:
    year = "" if day.year == TODAY.year else f" {day.year}"
    phrases = [
        *[f"{day.day} {day:%B}{year}"] * 2,
        *[day.isoformat()] * 2,
        f"{day:%B} {day.day}{year and ','}{year}",
        f"the {_nth(day.day)} of {day:%B}{year}",
        f"{day.day} {day:%b}{year}",
    ]
    if weekday and not year:
        phrases.append(f"{day:%A}, {day.day} {day:%B}")
        if TODAY < day < TODAY + timedelta(6):
            phrases += [f"{day:%A}"] * 2
    return rng.choice(phrases)


def _nth(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 11 <= number <= 13 else ending}"


def _number(low: float, high: float, places: int, rng: random.Random) -> float:
    value = round(rng.uniform(low, high), places)
    return int(value) if float(value).is_integer() else value


def _list_values(world: World, row: list[Any]) -> list[Any]:
    tool, arguments, rows, field, where = row
    rows_listed = world.call(tool, arguments).value[rows]
    values = [item[field] for item in rows_listed if all(item[k] == v for k, v in where.items())]
    return list(dict.fromkeys(values))


@cache
def _data() -> dict[str, Any]:
    text = (files("agentdyno_train.prompt_templates") / "slots.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
