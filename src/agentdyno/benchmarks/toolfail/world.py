"""What the mock tools know: one record per entity, every value a trap, no value twice.

Enters a vocabulary and a source of chance; leaves records, the same one whenever it is asked for.
"""

from datetime import date, timedelta
from random import Random
from typing import Any

from agentdyno.benchmarks.toolfail.traps import Value, trap_value
from agentdyno.benchmarks.toolfail.words import Field, Row, ToolWords, Vocabulary

FIRST_DAY = date(2031, 5, 12)
"""Records are dated in the weeks after this day, which no model has read of."""
TRIES = 1000


class World:
    """The records of one domain."""

    def __init__(self, words: Vocabulary, chance: Random) -> None:
        self.taken: set[str] = set()
        self.asked: set[str] = set()
        self.chance = chance
        self._records: dict[tuple[str, str], dict[str, Any]] = {}
        self._targets = words.tool(words.chain.then).rows
        for tool in words.tools:
            for row in tool.rows:
                self._records[tool.offered.name, row.say] = self._draw(tool, row)

    def record(self, tool: ToolWords, row: Row) -> dict[str, Any]:
        """What the tool returns for the row."""
        return self._records[tool.offered.name, row.say]

    def _draw(self, tool: ToolWords, row: Row) -> dict[str, Any]:
        record: dict[str, Any] = {**row.arguments, **row.constants}
        for field, prior in zip(tool.fields, row.priors, strict=True):
            record[field.name] = self.fresh(field, prior, row)
        if tool.link:
            target = self.chance.choice(self._targets)
            record[tool.link] = next(iter(target.arguments.values()))
        if tool.dated:
            record[tool.dated] = self.day()
        return record

    def fresh(self, field: Field, prior: Value, row: Row) -> Value:
        """A trap value of two digits or more that stands nowhere else in the domain."""
        known = [written(p) for p in row.priors] + [str(a) for a in row.arguments.values()]
        known.append(row.say)
        for attempt in range(TRIES):
            value = trap_value(field, prior, self.chance, reach=1 + attempt // 50)
            text = written(value)
            if field.kind == "category":
                return value
            inside = any(text in other or other in text for other in known)
            if len(text) > 1 and not inside and text not in self.taken:
                self.taken.add(text)
                return value
        raise ValueError(f"found no value for {field.name} of {row.say} that is not taken")

    def day(self) -> str:
        """A date for a record."""
        for _ in range(TRIES):
            made = (FIRST_DAY + timedelta(days=self.chance.randint(0, 500))).isoformat()
            if made not in self.taken:
                return made
        raise ValueError("found no free day")


def written(value: Value) -> str:
    """A value as the return spells it."""
    return str(value)


def said(field: Field, value: Value) -> str:
    """A value as people write it: with its currency or percent sign, and thousands set apart."""
    if isinstance(value, str):
        return value
    text = f"{value:,.{max(field.decimals, 0)}f}"
    if field.name.endswith("_usd"):
        return f"${text}"
    if field.name.endswith("_musd"):
        return f"${text} million"
    return f"{text}%" if field.name.endswith("_pct") else text
