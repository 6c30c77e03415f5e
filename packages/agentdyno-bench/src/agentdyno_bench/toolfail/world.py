"""What the mock tools know: one coherent, nested record per entity, drawn once.

Takes a vocabulary and a source of chance; returns records, the same one whenever it is asked for.
"""

from datetime import date, timedelta
from random import Random
from typing import Any

from agentdyno_bench.records.failures import ScriptedCall
from agentdyno_bench.toolfail.formulas import evaluate
from agentdyno_bench.toolfail.traps import (
    differs,
    round_value,
    trap_code,
    trap_number,
    trap_version,
)
from agentdyno_bench.toolfail.words import Leaf, Row, ToolWords, Vocabulary

Value = float | int | str


class World:
    """The records of one domain."""

    def __init__(self, words: Vocabulary, chance: Random) -> None:
        self._words = words
        self._chance = chance
        self._records: dict[tuple[str, str], dict[str, Any]] = {}
        for tool in words.tools:
            for row in tool.rows:
                self._records[tool.offered.name, row.say] = self.draw(tool, row)

    def record(self, tool: ToolWords, row: Row) -> dict[str, Any]:
        """What the tool returns for the row."""
        return self._records[tool.offered.name, row.say]

    def register(self) -> tuple[ScriptedCall, ...]:
        """Every record with the call that brings it."""
        return tuple(
            ScriptedCall(tool.offered.name, row.arguments, self.record(tool, row))
            for tool in self._words.tools
            for row in tool.rows
        )

    def draw(self, tool: ToolWords, row: Row) -> dict[str, Any]:
        """A new record of the row."""
        values: dict[str, Value] = dict(row.arguments)
        waiting = list(tool.leaves)
        while waiting:
            ready = [leaf for leaf in waiting if self._set(leaf, row, values)]
            if not ready:
                raise ValueError(f"{tool.offered.name}: formulas that wait for each other")
            waiting = [leaf for leaf in waiting if leaf not in ready]
        record: dict[str, Any] = dict(row.arguments)
        for leaf in tool.leaves:
            place = record
            for part in leaf.path[:-1]:
                place = place.setdefault(part, {})
            place[leaf.name] = values[leaf.name]
        return record

    def usual(self, tool: ToolWords, row: Row, leaf: Leaf) -> str:
        """A value that such a record might hold, and that cannot be taken for the one it does."""
        value, drawing = value_of(self.record(tool, row), leaf), self._chance
        self._chance = Random(f"{tool.offered.name}/{row.say}/{leaf.name}")
        try:
            others = (value_of(self.draw(tool, row), leaf) for _ in range(100))
            found = next((other for other in others if _is_other(other, value)), None)
            if found is None:  # All of them are alike.
                found = trap_number(float(value), leaf.decimals, self._chance)
            return write_value(found)
        finally:
            self._chance = drawing

    def _set(self, leaf: Leaf, row: Row, values: dict[str, Value]) -> bool:
        try:
            values[leaf.name] = self._draw(leaf, row, values)
        except KeyError:
            return False
        return True

    def _draw(self, leaf: Leaf, row: Row, values: dict[str, Value]) -> Value:
        chance = self._chance
        if leaf.drawn == "prior":
            assert leaf.column is not None
            most = leaf.high or (99.9 if leaf.name.endswith("_pct") else None)
            prior = float(row.priors[leaf.column])
            return trap_number(prior, leaf.decimals, chance, most if prior <= 100 else None)
        if leaf.drawn == "near":
            return round_value(chance.uniform(leaf.low, leaf.high), leaf.decimals)
        if leaf.drawn == "calc":
            return round_value(evaluate(leaf.formula, values), leaf.decimals)
        if leaf.drawn == "day":
            return _day(leaf.choices[0], leaf.choices[1], chance)
        if leaf.drawn == "month":
            return _month_end(_day(leaf.choices[0], leaf.choices[1], chance))
        if leaf.drawn == "band":
            return find_band(leaf, float(values[leaf.formula]))
        if leaf.drawn == "link":
            return chance.choice(self._find_links(leaf, row))
        if leaf.drawn == "pick":
            return chance.choice(leaf.choices)
        assert leaf.column is not None
        prior_text = row.priors[leaf.column]
        if leaf.drawn == "version":
            after = str(values[leaf.formula]) if leaf.formula else None
            return trap_version(prior_text, chance, after)
        if leaf.drawn == "other":
            return chance.choice([choice for choice in leaf.choices if choice != prior_text])
        return prior_text if leaf.drawn == "column" else trap_code(prior_text, chance)

    def _find_links(self, leaf: Leaf, row: Row) -> list[str]:
        """What the link may lead to: the rows that the row itself names, or all."""
        known = [link_text(target) for target in self._words.tool(leaf.choices[0]).rows]
        return known if leaf.column is None else row.priors[leaf.column].split("/")


def _is_other(one: Value, two: Value) -> bool:
    if isinstance(one, str) or isinstance(two, str):
        return one != two
    return differs(one, two)


def find_band(leaf: Leaf, value: float) -> str:
    """The choice that goes with a value."""
    return leaf.choices[0 if value < leaf.low else 1 if value <= leaf.high else 2]


def link_text(row: Row) -> str:
    """How one record names another: the arguments that lead to it."""
    return " / ".join(row.arguments.values())


def _month_end(day: str) -> str:
    found = date.fromisoformat(day)
    next_month = (found.replace(day=28) + timedelta(days=4)).replace(day=1)
    return (next_month - timedelta(days=1)).isoformat()


def _day(first: str, last: str, chance: Random) -> str:
    begin, end = date.fromisoformat(first), date.fromisoformat(last)
    return (begin + timedelta(days=chance.randint(0, (end - begin).days))).isoformat()


def value_of(record: Any, leaf: Leaf) -> Value:
    """The leaf's value in a record."""
    for part in leaf.path:
        record = record[part]
    found: Value = record
    return found


def write_value(value: Value) -> str:
    """A value as the return spells it."""
    return str(value)


def write_prior(leaf: Leaf, prior: str) -> str:
    """A prior as people write it: with its currency or percent sign, and thousands set apart."""
    try:
        number = float(prior)
    except ValueError:
        return prior
    text = f"{number:,.{len(prior.partition('.')[2])}f}"
    if leaf.name.endswith("_usd"):
        return f"${text}"
    if leaf.name.endswith("_musd"):
        return f"${text} million"
    return f"{text}%" if leaf.name.endswith("_pct") else text
