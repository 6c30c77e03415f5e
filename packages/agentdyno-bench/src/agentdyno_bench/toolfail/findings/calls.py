"""Checks that a task's calls were executed: a task and an answer in, what is missing out."""

from typing import Any

import msgspec

from agentdyno_bench.toolfail.findings.arguments import same_arguments
from agentdyno_bench.toolfail.records import ExecutedCall, ScriptedCall, ToolAnswer, ToolTask


def describe_missing_call(task: ToolTask, answer: ToolAnswer) -> str | None:
    """The first expected call that is missing, in words; None when all were made, in order."""
    produced = iter(answer.calls)
    for index, expected in enumerate(task.script):
        if not any(_is(call, expected, task.by_arguments) for call in produced):
            again = any(step.tool == expected.tool for step in task.script[:index])
            called = ", ".join(call.name for call in answer.calls) or "nothing"
            return f"{expected.tool} was not called{' again' if again else ''}; called: {called}"
    return None


def _is(call: ExecutedCall, expected: ScriptedCall, by_arguments: bool) -> bool:
    """True when a call returns the expected record: by tool and, where they count, arguments."""
    if call.name != expected.tool:
        return False
    return not by_arguments or same_arguments(_object(call.arguments), expected.arguments)


def _object(arguments: Any) -> Any:
    if isinstance(arguments, str):
        try:
            return msgspec.json.decode(arguments)
        except msgspec.DecodeError:
            return None
    return arguments
