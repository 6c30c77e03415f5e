"""Whether a row of the world is the one that a wish is about.

Texts are compared as people compare them (case, quotes and spaces do not matter), numbers as
numbers, and what must stand in a text may be worded like any answer.
"""

import re
from typing import Any

from agentdyno_bench.tps.outcomes.saying import says_value
from agentdyno_bench.tps.tasks.values import StateCheck

_QUOTES = re.compile(r"[\"'“”‘’«»„`]")


def fits(row: dict[str, Any], check: StateCheck) -> bool:
    """Whether the row has every value that the wish names."""
    return all(_equal(row.get(field), value) for field, value in check.equals.items()) and all(
        _stands_in(row.get(field), value)
        for field, values in check.contains.items()
        for value in values
    )


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


def _stands_in(field: Any, value: Any) -> bool:
    if isinstance(field, list):
        return any(_equal(member, value) for member in field)
    return says_value(str(field or ""), value)
