"""Whether a row of the world is the one that a wish is about: yes, no or unclear.

Texts are compared as people compare them (case, quotes and spaces do not matter), numbers as
numbers. What must stand in a text that the agent wrote is read like any answer.
"""

import re
from collections.abc import Callable
from typing import Any

from agentdyno.matching.commitments import Answer
from agentdyno_bench.tps.tasks.values import StateCheck

Read = Callable[[str, list[Any]], Answer]
"""Whether a text commits to all of some values."""
_QUOTES = re.compile(r"[\"'“”‘’«»„`]")


def fits(row: dict[str, Any], check: StateCheck, read: Read) -> Answer:
    """Whether the row has every value that the wish names."""
    if not all(_equal(row.get(field), value) for field, value in check.equals.items()):
        return "no"
    worst: Answer = "yes"
    for field, values in check.contains.items():
        found = row.get(field)
        if isinstance(found, list):
            answer: Answer = "yes" if all(_is_member(v, found) for v in values) else "no"
        else:
            answer = read(str(found or ""), values)
        if answer == "no":
            return "no"
        worst = answer if answer == "unclear" else worst
    return worst


def _is_member(value: Any, found: list[Any]) -> bool:
    return any(_equal(member, value) for member in found)


def _equal(found: Any, wanted: Any) -> bool:
    if isinstance(found, str) and isinstance(wanted, str):
        return plain(found) == plain(wanted)
    if isinstance(found, list) and isinstance(wanted, list):
        pairs = zip(found, wanted, strict=False)
        return len(found) == len(wanted) and all(_equal(a, b) for a, b in pairs)
    number = isinstance(found, (int, float)) and isinstance(wanted, (int, float))
    if number and not isinstance(found, bool) and not isinstance(wanted, bool):
        return bool(abs(found - wanted) < 0.005)
    return bool(found == wanted)


def plain(text: str) -> str:
    """A text without what people leave out or write differently."""
    return " ".join(_QUOTES.sub("", text).casefold().split()).rstrip(".")
