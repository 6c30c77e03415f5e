"""Finds the row of the world that a goal is about.

Texts are compared as people compare them (case, quotes and spaces do not matter), numbers as
numbers. What a letter that the agent wrote must give is looked for in its fields (`letters`).
"""

import re
from collections.abc import Callable
from typing import Any

from agentdyno_bench.tps.tasks.values import StateCheck
from agentdyno_bench.tps.world.kit.letters import FACTS

Read = Callable[[dict[str, Any], StateCheck], bool]
"""Whether a letter gives what a goal wants it to give."""
_QUOTES = re.compile(r"[\"'“”‘’«»„`]")


def fits(row: dict[str, Any], check: StateCheck, read: Read) -> bool:
    """True when the row has every value that the goal names."""
    return names_row(row, check) and (FACTS not in check.contains or read(row, check))


def names_row(row: dict[str, Any], check: StateCheck) -> bool:
    """True when the row is the intended one, whatever its letter says."""
    if not all(_equal(row.get(field), value) for field, value in check.equals.items()):
        return False
    return all(
        _is_member(value, row.get(field) or [])
        for field, values in check.contains.items()
        if field != FACTS
        for value in values
    )


def _is_member(value: Any, members: list[Any]) -> bool:
    return any(_equal(member, value) for member in members)


def _equal(actual: Any, expected: Any) -> bool:
    if isinstance(actual, str) and isinstance(expected, str):
        return plain(actual) == plain(expected)
    if isinstance(actual, list) and isinstance(expected, list):
        pairs = zip(actual, expected, strict=False)
        return len(actual) == len(expected) and all(_equal(a, b) for a, b in pairs)
    number = isinstance(actual, (int, float)) and isinstance(expected, (int, float))
    if number and not isinstance(actual, bool) and not isinstance(expected, bool):
        return bool(abs(actual - expected) < 0.005)
    return bool(actual == expected)


def plain(text: str) -> str:
    """A text without what people leave out or write differently."""
    return " ".join(_QUOTES.sub("", text).casefold().split()).rstrip(".")
