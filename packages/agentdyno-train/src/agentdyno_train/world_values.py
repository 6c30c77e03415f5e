"""Arguments that tools take, found by trying: what a world knows, by kind of value.

Takes a world's seed, returns values by the names of parameters and fields: those of the bundled
training tasks first, then what reading tools answer when they are called with them.
"""

import random
from typing import Any

from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_bench.tps.world.kit.letters import LETTER_FIELDS
from agentdyno_bench.tps.world.kit.tool import Tool

ROUNDS, TRIES, MOST_VALUES = 3, 4, 60
ALIKE = {
    "origin": "city", "destination": "city", "source_city": "city", "target_city": "city",
    "cities": "city", "origin_id": "place_id", "destination_id": "place_id", "films": "film",
    "hotel_ids": "hotel_id", "product_ids": "product_id", "symbols": "symbol", "to": "email",
    "attendees": "email", "check_in": "date", "end": "date", "until": "date", "due": "date",
    "base": "currency", "quote": "currency", "tracks": "track",
}  # fmt: skip
"""Parameters that take the same kind of value as another."""
OF_TOOL = {
    "convert_currency": {"source": "currency", "target": "currency"},
    "transfer_money": {"source": "account", "target": "account"},
    "convert_temperature": {"source": "scale", "target": "scale"},
    "convert_units": {"source": "unit", "target": "unit"},
}
"""Parameters whose name says nothing, by tool."""
SCALES = ("celsius", "fahrenheit", "kelvin")
PHRASES = ("Ask about the invoice", "Bring the blue folder", "Room 12 at noon", "Call back",
           "New draft by Friday", "Thank you for the help", "Water the plants")  # fmt: skip
WORDS = frozenset({"title", "text", "memo", "label", "name", "subject"})
NUMBERS: dict[str, tuple[float, float, int]] = {
    "days": (2, 14, 0), "limit": (3, 12, 0), "nights": (1, 6, 0), "party": (2, 8, 0),
    "quantity": (1, 4, 0), "seats": (1, 5, 0), "people": (2, 9, 0), "years": (2, 25, 0),
    "minutes_before": (5, 60, 0), "max_results": (2, 6, 0), "tip_percent": (5, 20, 0),
    "yearly_percent": (1, 7, 1), "latitude": (-40, 60, 2), "longitude": (-120, 140, 2),
    "min_rating": (3, 4.5, 1), "max_price": (20, 300, 0), "amount": (10, 400, 2),
    "principal": (500, 90_000, 0), "total": (20, 400, 2), "minimum": (1, 100, 0),
    "before": (10, 900, 1), "after": (10, 900, 1), "value": (1, 500, 1),
}  # fmt: skip


class Values:
    """Values by kind."""

    def __init__(self) -> None:
        self._held: dict[str, list[Any]] = {}

    def add(self, name: str, value: Any) -> None:
        """Keeps every plain value within, under the names of their fields."""
        if isinstance(value, dict):
            for key, item in value.items():
                self.add(key, item)
        elif isinstance(value, list):
            for item in value:
                self.add(name, item)
        elif isinstance(value, str) and 0 < len(value) <= 60:
            values = self._held.setdefault(ALIKE.get(name, name), [])
            if value not in values and len(values) < MOST_VALUES:
                values.append(value)

    def arguments(self, tool: Tool, rng: random.Random) -> dict[str, Any] | None:
        """Arguments to try; None when a required one is of an unknown kind."""
        arguments = {}
        required = tool.schema.get("required", ())
        kinds = OF_TOOL.get(tool.name, {})
        for name, schema in tool.schema.get("properties", {}).items():
            if name in LETTER_FIELDS:  # What a letter gives is no choice of whoever draws it.
                continue
            if name in required or rng.random() < 0.25:
                value = self._value(kinds.get(name, name), schema, rng)
                if value is not None:
                    arguments[name] = value
                elif name in required:
                    return None
        return arguments

    def _value(self, name: str, schema: dict[str, Any], rng: random.Random) -> Any:
        kinds = [schema, *schema.get("anyOf", ())]
        types = {kind.get("type") for kind in kinds}
        if "array" in types:
            pool = self._held.get(ALIKE.get(name, name), [])
            if name == "values":
                return [round(rng.uniform(1, 90), 1) for _ in range(rng.randint(3, 6))]
            return rng.sample(pool, rng.randint(2, min(4, len(pool)))) if len(pool) > 1 else None
        if types & {"integer", "number"}:
            return _number(name, "integer" in types, rng)
        if "boolean" in types:
            return rng.random() < 0.5
        return self._text(name, schema, rng)

    def _text(self, name: str, schema: dict[str, Any], rng: random.Random) -> Any:
        about = schema.get("description", "")
        if "YYYY-MM-DDT" in about:
            return f"{_day(rng)}T{rng.randint(8, 18):02d}:{rng.choice(('00', '15', '30'))}"
        if "YYYY-MM-DD" in about or ALIKE.get(name, name) == "date":
            return _day(rng)
        values = self._held.get(ALIKE.get(name, name), [])
        if name in WORDS and (not values or rng.random() < 0.5):
            return rng.choice(PHRASES)
        if name == "expression":
            a, b, c = (rng.randint(2, 90) for _ in range(3))
            return rng.choice((f"{a} + {b} * {c}", f"({a} + {b}) * {c}", f"{a} * {b} - {c}"))
        return rng.choice(values) if values else None


def explore_world(world_seed: int, rng: random.Random) -> Values:
    """Read a world to collect its values."""
    values = Values()
    values.add("scale", list(SCALES))
    for task in load_bundled("train").tasks:
        for step in task.subtasks:
            for name, value in step.arguments.items():
                if not isinstance(value, dict):
                    values.add(name, value)
    world = World(world_seed, quotas=False)
    reading = [(n, t) for n, t in all_tools().items() if not t.writes]
    for _ in range(ROUNDS):
        for name, tool in reading:
            for _ in range(TRIES):
                arguments = values.arguments(tool, rng)
                if arguments is not None:
                    outcome = world.call(name, arguments)
                    values.add("", outcome.value if outcome.error is None else None)
    return values


def _number(name: str, is_integer: bool, rng: random.Random) -> float:
    low, high, places = NUMBERS.get(name, (30, 120, 0))
    value = round(rng.uniform(low, high), places)
    return int(value) if is_integer or places == 0 else value


def _day(rng: random.Random) -> str:
    number = rng.randint(14, 43)
    return f"2026-04-{number:02d}" if number <= 30 else f"2026-05-{number - 30:02d}"
