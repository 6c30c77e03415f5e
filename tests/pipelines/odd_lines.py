"""Lines that no agent writes, for any sample: odd dates, counts, names, nesting and types.

Takes a random generator and the lines of a sample, returns a line: a hostile value alone, or one of
the sample's lines with hostile values in a few places.
"""

import json
import random
from collections.abc import Sequence
from typing import Any

DATES = [
    "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "1969-12-31T23:59:59Z", "2101-01-01",
    "2026-02-30T25:61:00Z", 253_402_300_800, 10**18, 10**400, -1, -1e308,
]  # fmt: skip
COUNTS = [2**31, 2**53, 2**63, 2**64, 10**30, -1, -(2**63), 1e308, 0.5, "7", True]
NUMBERS = [float("nan"), float("inf"), float("-inf")]
TEXTS = [
    "\ud800", "a\udfffb", "\u202egnp.exe", "\u2066\u2069", "\x1b[2J\x1b]0;x\x07", "a\r\nb\x00c",
    "<script>alert(1)</script>", "[x](javascript:alert(1))", "{{7*7}}", "../../etc/passwd",
    "=cmd|'/c calc'!A1", "x" * 100_000, "",
]  # fmt: skip
TYPES: list[Any] = [None, True, [], {}, [[]], {"a": {}}, [None], [1, "x", {}], 0, "text"]
DEEP = 20_000
RAW = ["[" * DEEP, '{"a":' * DEEP, "[" * DEEP + "]" * DEEP, "\x00" * 99, "{", '"', "nul", "NaN"]
TIMES = ("timestamp", "time", "created", "started", "ended", "start", "end", "at", "ts", "date")


def draw_alone(drawn: random.Random) -> str:
    """A line that is no record of any format."""
    if drawn.random() < 0.3:
        return drawn.choice(RAW)
    value = {drawn.choice(["a", "type", "kind", "\ud800"]): draw_value(drawn) for _ in range(3)}
    return json.dumps(drawn.choice([value, draw_value(drawn)]))


def draw_changed(drawn: random.Random, lines: Sequence[str]) -> str:
    """One of the lines with hostile values in up to three places."""
    line = drawn.choice(lines)
    try:
        record = json.loads(line)
    except ValueError:
        return draw_alone(drawn)
    for _ in range(drawn.randint(1, 3)):
        replace_one(drawn, record)
    return json.dumps(record)


def replace_one(drawn: random.Random, record: Any) -> None:
    """Puts a hostile value in one place of a record, often one of the kind that stood there."""
    places = list(_list_places(record))
    if places:
        inside, key = drawn.choice(places)
        inside[key] = draw_value(drawn, key, inside[key])


def draw_value(drawn: random.Random, key: object = "", before: object = None) -> Any:
    """A hostile value, at random or in place of one under that key."""
    if drawn.random() < 0.7:
        if isinstance(key, str) and key.lower().endswith(TIMES):
            return drawn.choice(DATES)
        if isinstance(before, int | float):
            return drawn.choice(COUNTS + NUMBERS)
        if isinstance(before, str):
            return drawn.choice(TEXTS)
    return drawn.choice(drawn.choice([DATES, COUNTS, NUMBERS, TEXTS, TYPES, [_nest(99)]]))


def _nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def _list_places(value: Any) -> Any:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _list_places(value[key])
