"""What an agent has seen: the values in the results of its calls, to be looked up fast.

An answer that states a value which no result held, and which no seen values lead to, was guessed
or learnt by heart; it does not count. What a service only gives back is no evidence: a value from
the call's own arguments, or the outcome of a calculation that the agent wrote itself.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from agentdyno_bench.tps.outcomes.replaying import Answered

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")


_CALCULATOR = "convert_"
_FACTS_OF_CALCULATOR = frozenset({"rate", "target_time", "hours_ahead"})
"""What the calculator knows of the world; everything else it gives was handed to it."""


class Seen:
    """Every value of some results."""

    def __init__(self, calls: Iterable[Answered]) -> None:
        self.numbers: set[float] = set()
        self.texts: set[str] = set()
        self.fields: dict[str, list[Any]] = {}
        for call in calls:
            echo = set(_leaves(call.arguments))
            if call.tool.startswith(_CALCULATOR):
                facts = {k: v for k, v in call.result.items() if k in _FACTS_OF_CALCULATOR}
                self._add("", facts, echo)
            else:
                self._add("", call.result, echo)
        self._blob = "\x1f".join(self.texts)
        self._told: set[float] | None = None

    def _add(self, name: str, value: Any, echo: set[Any]) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                self._add(key, item, echo)
        elif isinstance(value, list):
            for item in value:
                self._add(name, item, echo)
        elif value in echo:
            return
        elif isinstance(value, str):
            self.texts.add(value.casefold())
            self.fields.setdefault(name, []).append(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            self.numbers.add(round(float(value), 4))
            self.fields.setdefault(name, []).append(value)

    def holds(self, value: Any) -> bool:
        """Whether a result held the value, alone or within a text."""
        if isinstance(value, list):
            return all(self.holds(item) for item in value)
        if isinstance(value, bool) or value is None:
            return True
        if isinstance(value, (int, float)):
            wanted = round(float(value), 4)
            return wanted in self.numbers or wanted in self._within_texts()
        wanted_text = str(value).casefold()
        return wanted_text in self.texts or wanted_text in self._blob

    def _within_texts(self) -> set[float]:
        if self._told is None:
            self._told = {round(float(match), 4) for match in _NUMBER.findall(self._blob)}
        return self._told


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, (str, int, float)):
        yield value
