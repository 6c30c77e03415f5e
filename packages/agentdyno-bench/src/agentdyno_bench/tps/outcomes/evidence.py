"""Values an agent has seen: those in the results of its calls, and what they add up to.

An answer that states a value which no result held, and which no seen values lead to, was guessed
or learnt by heart; it does not count. What a service only gives back is no evidence: a value from
the call's own arguments, or the outcome of a calculation that the agent wrote itself.

Sums of a list that was read, its length, and the gaps between listed events count as seen.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any

from agentdyno_bench.shared.values import fold
from agentdyno_bench.tps.outcomes.replaying import Answered
from agentdyno_bench.tps.world.calendar import DAY_BEGINS
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_bench.tps.world.kit.letters import FACTS

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_CALCULATOR = "convert_"
_FACTS_OF_CALCULATOR = frozenset({"rate", "target_time", "hours_ahead"})
"""What the calculator knows of the world; everything else it gives was handed to it."""
_LONGEST_LIST = 62
"""Days of a listing of events that are looked at for gaps."""


class Seen:
    """Every value of some results."""

    def __init__(self, calls: Iterable[Answered]) -> None:
        self.numbers: set[float] = set()
        self.texts: set[str] = set()
        self.places: dict[tuple[str, str], list[Any]] = {}
        """Tool and path within its results -> the values that stood there, over all calls."""
        self.names: set[str] = set()
        """Names of fields that hold values."""
        self.made: set[Any] = set()
        """Values of what the agent made itself: bookings, orders, entries."""
        self._sums: set[float] = set()
        for call in calls:
            echo = set(_leaves(call.arguments))
            result = call.result
            if call.tool.startswith(_CALCULATOR):
                result = {k: v for k, v in result.items() if k in _FACTS_OF_CALCULATOR}
            self._add(call.tool, "", result, echo)
            if call.tool in _writing_tools():
                self.made |= set(_leaves(result))
            self._add_gaps(call)
        self._blob = "\x1f".join(self.texts)
        self.folded = fold(self._blob)
        """The texts as they are compared, in one."""
        self._within: set[float] | None = None

    def _add(self, tool: str, path: str, value: Any, echo: set[Any]) -> None:
        if isinstance(value, dict):
            # A letter read back says what the agent wrote; one passed on, what somebody else did.
            composed = (FACTS, "text") if FACTS in value and tool != "mail_forward" else ()
            for key, item in value.items():
                if key in composed:
                    continue
                self._add(tool, f"{path}.{key}", item, echo)
        elif isinstance(value, list):
            self._add_sums(value)
            for item in value:
                self._add(tool, path, item, echo)
        elif value in echo or isinstance(value, bool) or value is None:
            return
        else:
            if isinstance(value, str):
                self.texts.add(value.casefold())
            else:
                self.numbers.add(round(float(value), 4))
            self.places.setdefault((tool, path), []).append(value)
            self.names.add(path.rpartition(".")[2])

    def _add_sums(self, rows: list[Any]) -> None:
        self._sums.add(float(len(rows)))
        for field in rows[0] if rows and isinstance(rows[0], dict) else ():
            column = [row.get(field) for row in rows if isinstance(row, dict)]
            numbers = [n for n in column if isinstance(n, int | float)]
            if len(numbers) == len(rows):
                self._sums.add(round(float(sum(numbers)), 2))

    def _add_gaps(self, call: Answered) -> None:
        """Where free time may begin: in the morning of a listed day, and when an event ends."""
        events = call.result.get("events") if isinstance(call.result, dict) else None
        if call.tool not in ("calendar_list_events", "calendar_day_agenda") or events is None:
            return
        query = call.arguments
        first = date.fromisoformat(str(query.get("start", query.get("date"))))
        last = date.fromisoformat(str(query.get("end", query.get("date"))))
        for offset in range(min(_LONGEST_LIST, (last - first).days + 1)):
            day = (first + timedelta(days=offset)).isoformat()
            self.texts.add(f"{day}t{DAY_BEGINS:02d}:00")
            minutes = [e["minutes"] for e in events if e["start"].startswith(day)]
            self._sums.add(float(sum(minutes)))

    def holds(self, value: Any) -> bool:
        """True when a result held the value, alone or within a text, or adds up to it."""
        if isinstance(value, list):
            return all(self.holds(item) for item in value)
        if isinstance(value, bool) or value is None:
            return True
        if isinstance(value, (int, float)):
            number = round(float(value), 4)
            return number in self.numbers or number in self._sums or number in self._in_texts()
        text = str(value).casefold()
        return text in self.texts or text in self._blob

    def rivals(self, value: Any) -> list[Any]:
        """Other values that stood where this one did: those of the rows beside its own."""
        alternatives: dict[Any, None] = {}
        for values in self.places.values():
            if value in values:
                alternatives |= dict.fromkeys(other for other in values if other != value)
        return list(alternatives)

    def _in_texts(self) -> set[float]:
        if self._within is None:
            self._within = {round(float(match), 4) for match in _NUMBER.findall(self._blob)}
        return self._within


@cache
def _writing_tools() -> frozenset[str]:
    return frozenset(name for name, tool in all_tools().items() if tool.writes)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, (str, int, float)):
        yield value
