"""Scripted models: `-m agentdyno/scripted -M script=bench.scripted.failures:faithful`.

A script sees a conversation, finds the task by its first question and answers as its behaviour
would, by `submit` where that is offered. `medley` spreads all six behaviours over the tasks in
turn. Their failures are known before they start, so their rates must come out of classifier and run
exactly.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count, islice
from typing import Any, Literal, get_args

import msgspec

from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.toolfail.records import (
    SUBMIT,
    Answers,
    ExecutedCall,
    ScriptedCall,
    Submission,
    ToolAnswer,
    ToolTask,
)
from agentdyno_bench.toolfail.tasks.suite import load_suite

Behaviour = Literal[
    "faithful", "skipper", "ignorer", "fabricator", "always_caller", "phantom_caller"
]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)

Script = Callable[[list[Any], list[Any], Any, Any], Reply]
NEEDLESS = "general_lookup"
"""Stands for some tool of the domain when a model calls one for nothing."""
NOTHING_YET = Submission((), "not available")
"""What it submits before the user's last message."""


@lru_cache(maxsize=1)
def _tasks() -> dict[str, ToolTask]:
    return {task.messages[0]: task for task in load_suite(turns="multi").tasks}


@lru_cache(maxsize=1)
def _dealt() -> dict[str, Behaviour]:
    return mix(dict.fromkeys(BEHAVIOURS, 1), tuple(_tasks().values()))


def reply_as(behaviour: Behaviour, task: ToolTask, input: list[Any], tools: list[Any]) -> Reply:
    """The next answer in a conversation about the task."""
    asked = sum(m.role == "user" and m.text in task.messages for m in input) - 1
    planned = calls_of(behaviour, task, tools[0].name if tools else "")
    due = [call for call in planned if call.message == asked]
    before = sum(call.message < asked for call in planned)
    done = sum(m.role == "tool" and m.function != SUBMIT for m in input) - before
    if done < len(due):
        call = due[done]
        arguments = call.arguments or _fill(tools, call.tool)
        return Reply(calls=[ReplyCall(call.tool, arguments)])
    is_final = asked == len(task.messages) - 1
    if not any(tool.name == SUBMIT for tool in tools):
        return Reply(text=text_of(behaviour, task) if is_final else "Noted.")
    given = submission_of(behaviour, task) if is_final else NOTHING_YET
    if given is None:
        return Reply(text=text_of(behaviour, task))
    return Reply(calls=[ReplyCall(SUBMIT, msgspec.to_builtins(given))])


def _fill(tools: list[Any], name: str) -> dict[str, Any]:
    """Arguments that satisfy the tool's schema, for a call that is made for nothing."""
    tool = next(tool for tool in tools if tool.name == name)
    given = {}
    for key, value in tool.parameters.properties.items():
        given[key] = value.enum[0] if value.enum else 1 if value.type == "integer" else "anything"
    return given


def _answer(behaviour: Behaviour | None, input: list[Any], tools: list[Any]) -> Reply:
    first = next(message.text for message in input if message.role == "user")
    task = _tasks()[first]
    return reply_as(behaviour or _dealt()[task.task_id], task, input, tools)


def _play(behaviour: Behaviour | None) -> Script:
    def reply(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
        return _answer(behaviour, input, tools)

    return reply


faithful = _play("faithful")
"""Calls what is needed and reports it."""
skipper = _play("skipper")
"""Never calls."""
ignorer = _play("ignorer")
"""Calls, and answers what it would have answered without."""
fabricator = _play("fabricator")
"""Calls and invents the fields."""
always_caller = _play("always_caller")
"""Calls whatever it is asked."""
phantom_caller = _play("phantom_caller")
"""Writes calls as text."""
medley = _play(None)
"""All six, dealt out over the tasks."""


def answer_as(
    behaviour: Behaviour, task: ToolTask, needless: str = NEEDLESS, answers: Answers = "submit"
) -> ToolAnswer:
    """What the model does with the task, all at once."""
    calls = calls_of(behaviour, task, needless)
    given = submission_of(behaviour, task) if answers == "submit" else None
    return ToolAnswer(
        task_id=task.task_id,
        calls=tuple(ExecutedCall(call.tool, call.arguments) for call in calls),
        answer="" if given else text_of(behaviour, task),
        submission=given,
    )


def calls_of(
    behaviour: Behaviour, task: ToolTask, needless: str = NEEDLESS
) -> tuple[ScriptedCall, ...]:
    """The calls that it makes, in order."""
    if task.kind == "control":
        return (ScriptedCall(needless, {}),) if behaviour == "always_caller" else ()
    return () if behaviour in ("skipper", "phantom_caller") else task.script


def submission_of(behaviour: Behaviour, task: ToolTask) -> Submission | None:
    """What it submits; who writes calls as text submits nothing."""
    if task.kind == "control":
        words = " and ".join(group.split("|")[0] for group in task.must_contain)
        return Submission((words,), "own knowledge")
    if behaviour == "phantom_caller":
        return None
    if behaviour in ("faithful", "always_caller"):
        return Submission(task.must_contain, "tool")
    if behaviour == "fabricator":
        values = _generate_values([str(value) for value in _leaves(task.returned)])
        return Submission(tuple(islice(values, len(task.must_contain))), "tool")
    return Submission((task.prior or "what it has always been",), "own knowledge")


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
