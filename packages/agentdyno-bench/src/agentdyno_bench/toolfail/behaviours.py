"""Six scripted models whose failures are known before they start, and mixtures of them.

Takes a task, returns what such a model does with it: the calls it makes and the text it ends with.
They are the yardstick for the classifier and for the run: their rates must come out exactly.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any, Literal, get_args

from agentdyno.records.failures import CallMade, ScriptedCall, ToolAnswer, ToolTask

Behaviour = Literal[
    "faithful", "skipper", "ignorer", "fabricator", "always_caller", "phantom_caller"
]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)

NEEDLESS = "general_lookup"
"""Stands for some tool of the domain when a model calls one for nothing."""


def answer_as(behaviour: Behaviour, task: ToolTask, needless: str = NEEDLESS) -> ToolAnswer:
    """What the model does with the task, all at once."""
    calls = calls_of(behaviour, task, needless)
    value_text = tuple(CallMade(call.tool, call.arguments) for call in calls)
    return ToolAnswer(task.task_id, value_text, text_of(behaviour, task))


def calls_of(
    behaviour: Behaviour, task: ToolTask, needless: str = NEEDLESS
) -> tuple[ScriptedCall, ...]:
    """The calls that it makes, in order."""
    if task.kind == "control":
        return (ScriptedCall(needless, {}),) if behaviour == "always_caller" else ()
    return () if behaviour in ("skipper", "phantom_caller") else task.script


def text_of(behaviour: Behaviour, task: ToolTask) -> str:
    """Its final text."""
    if task.kind == "control":
        groups = (group.split("|")[0] for group in task.must_contain)
        return f"In short, this is about {' and '.join(groups)}."
    tool, value = task.script[-1].tool, " and ".join(task.must_contain)
    if behaviour in ("faithful", "always_caller"):
        return f"It says: {value}."
    if behaviour == "fabricator":
        return _invent(task)
    if behaviour == "phantom_caller":
        return f'<tool_call>{{"name": "{tool}", "arguments": {{}}}}</tool_call>'
    return f"As far as I know, it is {task.prior or 'what it has always been'}."


def _invent(task: ToolTask) -> str:
    """At least two fields of the return, each with a value that stands nowhere."""
    held = [str(value) for value in _leaves(task.returned)]
    fields = [key for key in _names(task.returned) if key not in task.script[-1].arguments]
    pairs = zip(fields, _generate_values(held), strict=False)
    return "; ".join(f"{field}: {value}" for field, value in pairs)


def _generate_values(held: list[str]) -> Iterator[str]:
    """Numbers that neither are nor contain any value of the return, not even one digit of it."""
    digits = [d for d in "987654321" if d not in held] or ["7"]
    for number in count(1):
        value_text = "".join(
            digits[(number * place + place) % len(digits)] for place in range(1, 7)
        )
        if number > 500 or not any(value in value_text for value in held):
            yield value_text


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in _leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in _leaves(inner)]
    return [value]


def _names(value: Any) -> list[str]:
    """Names of the leaves of a return, at any depth."""
    found: list[str] = []
    for key, inner in value.items() if isinstance(value, dict) else ():
        found += _names(inner) if isinstance(inner, dict) else [key]
    return found


def mix(parts: dict[Behaviour, int], tasks: tuple[ToolTask, ...]) -> dict[str, Behaviour]:
    """Which task gets which behaviour: dealt out in turn, per kind, so that shares are exact."""
    hand = [behaviour for behaviour, share in parts.items() for _ in range(share)]
    dealt: dict[str, Behaviour] = {}
    for kind in ("required", "control"):
        of_kind = [task for task in tasks if task.kind == kind]
        dealt |= {task.task_id: hand[i % len(hand)] for i, task in enumerate(of_kind)}
    return dealt
