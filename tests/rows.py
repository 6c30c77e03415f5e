"""What stands at a dotted path of a value, and whether it is what a row of a set expects."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from agentdyno.records import ToolCall, Trajectory
from tests.intake.formats.conformance import parts_before

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "about": lambda found, number: found == pytest.approx(number),
    "near": lambda found, near: found == pytest.approx(near[0], rel=near[1]),
    "within": lambda found, near: found == pytest.approx(near[0], abs=near[1]),
    "above": operator.gt,
    "below": operator.lt,
    "least": operator.ge,
    "most": operator.le,
    "not": operator.ne,
    "ends": lambda found, piece: found.endswith(piece),
    "starts": lambda found, piece: found.startswith(piece),
    "holds": operator.contains,
    "lacks": lambda found, piece: piece not in found,
}


def differences(value: Any, expected: dict[str, Any]) -> dict[str, Any]:
    """What was found at the paths where it is not what was expected."""
    found = {path: pick(value, path) for path in expected}
    return {path: each for path, each in found.items() if not agrees(each, expected[path])}


def agrees(found: Any, expected: Any) -> bool:
    """Whether they are equal, or as every operator says: `{"about": 0.1}`."""
    if isinstance(expected, dict) and expected and expected.keys() <= OPERATORS.keys():
        return all(OPERATORS[name](found, value) for name, value in expected.items())
    return bool(found == expected)


def pick(value: Any, path: str) -> Any:
    """`runs.0.turns.prefill.tokens`: a name goes through every element of a sequence.

    `[kind=user]` and `[made!=None]` choose elements, `count` counts them. In a trajectory
    `before.1` are the parts that turn 1 had before it, and a call's `request` or `result` leads on
    to its part. No path is the value itself.
    """
    return plain(_walk(value, path.split(".") if path else [], None))


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
    if step == "count":
        return len(value)
    if isinstance(value, Mapping):
        return _walk(value[step if step in value else int(step)], rest, run)
    if not isinstance(value, Sequence) or isinstance(value, str):
        return _walk(getattr(value, step), rest, run)
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


def plain(value: Any) -> Any:
    """Lists, texts, numbers and objects as JSON has them; sets are sorted, and so are the pairs of
    a mapping whose keys are no texts."""
    if isinstance(value, set | frozenset):
        return sorted(plain(element) for element in value)
    if isinstance(value, Mapping) and not all(isinstance(key, str) for key in value):
        return sorted([plain(key), plain(each)] for key, each in value.items())
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(element) for element in value]
    return msgspec.json.decode(msgspec.json.encode(value))
