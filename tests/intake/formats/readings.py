"""What a reading of a file holds at a dotted path, for the rows of `tests/data/readings`."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from agentdyno.records import BadRecord, ToolCall, Trajectory
from tests.intake.formats.conformance import parts_before


class Reading:
    """The items of a file: `runs` and `bad` records, and their `items` by type, in order."""

    def __init__(self, items: Sequence[Trajectory | BadRecord]) -> None:
        self.items = [type(item).__name__ for item in items]
        self.runs = [item for item in items if isinstance(item, Trajectory)]
        self.bad = [item for item in items if isinstance(item, BadRecord)]


def pick(value: Any, path: str) -> Any:
    """`runs.0.turns.prefill.tokens`: a name goes through every element of a sequence.

    `[kind=user]` and `[made!=None]` choose elements, `count` counts them, `before.1` are the parts
    that turn 1 had before it, and a call's `request` or `result` leads on to its part.
    """
    return _plain(_walk(value, path.split("."), None))


def _walk(value: Any, steps: list[str], run: Trajectory | None) -> Any:
    if not steps or value is None:
        return value
    step, *rest = steps
    if isinstance(value, Trajectory):
        run = value
    if isinstance(value, ToolCall) and step in ("request", "result") and rest:
        index = getattr(value, step)
        return None if index is None else _walk(run and run.parts[index], rest, run)
    if step == "before":
        return _walk(parts_before(value, int(rest[0])), rest[1:], run)
    if not isinstance(value, Sequence) or isinstance(value, str):
        return _walk(getattr(value, step), rest, run)
    if step == "count":
        return len(value)
    if step.startswith("["):
        name, _, chosen = step[1:-1].partition("=")
        is_other = name.endswith("!")
        kept = [v for v in value if (str(getattr(v, name.rstrip("!"))) == chosen) != is_other]
        return _walk(kept, rest, run)
    if ":" in step:
        start, stop = (int(end) if end else None for end in step.split(":"))
        return _walk(list(value)[start:stop], rest, run)
    if step.lstrip("-").isdigit():
        return _walk(value[int(step)], rest, run)
    return [_walk(element, steps, run) for element in value]


def _plain(value: Any) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(element) for element in value]
    return msgspec.to_builtins(value)


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "about": lambda found, number: found == pytest.approx(number),
    "above": operator.gt,
    "least": operator.ge,
    "not": operator.ne,
    "holds": operator.contains,
    "lacks": lambda found, piece: piece not in found,
}


def agrees(found: Any, expected: Any) -> bool:
    """Whether they are equal, or as every operator says: `{"about": 0.1}`."""
    if isinstance(expected, dict) and expected and expected.keys() <= OPERATORS.keys():
        return all(OPERATORS[name](found, value) for name, value in expected.items())
    return bool(found == expected)
