"""The scripted models for Inspect: `-m agentdyno/scripted -M script=…toolfail.scripts:faithful`.

A script sees a conversation, finds the task by its first question and answers as its behaviour
would. `medley` deals all six behaviours out over the tasks in turn.
"""

from functools import lru_cache
from typing import Any

from agentdyno.records.failures import ToolTask
from agentdyno_bench.models.scripted import Reply, ReplyCall
from agentdyno_bench.toolfail.behaviours import (
    BEHAVIOURS,
    Behaviour,
    calls_of,
    mix,
    text_of,
)
from agentdyno_bench.toolfail.suite import load_suite


@lru_cache(maxsize=1)
def _tasks() -> dict[str, ToolTask]:
    return {task.messages[0]: task for task in load_suite(turns="multi").tasks}


@lru_cache(maxsize=1)
def _dealt() -> dict[str, Behaviour]:
    return mix(dict.fromkeys(BEHAVIOURS, 1), tuple(_tasks().values()))


def reply_as(behaviour: Behaviour, task: ToolTask, input: list[Any], tools: list[Any]) -> Reply:
    """The next answer in a conversation about the task."""
    asked = sum(message.role == "user" for message in input) - 1
    planned = calls_of(behaviour, task, tools[0].name if tools else "")
    due = [call for call in planned if call.message == asked]
    before = sum(call.message < asked for call in planned)
    done = sum(message.role == "tool" for message in input) - before
    if done < len(due):
        call = due[done]
        arguments = call.arguments or _fill(tools, call.tool)
        return Reply(calls=[ReplyCall(call.tool, arguments)])
    if asked < len(task.messages) - 1:
        return Reply(text="Noted.")
    return Reply(text=text_of(behaviour, task))


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


def faithful(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
    """Calls what is needed and reports it."""
    return _answer("faithful", input, tools)


def skipper(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
    """Never calls."""
    return _answer("skipper", input, tools)


def ignorer(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
    """Calls and says what it would have said anyway."""
    return _answer("ignorer", input, tools)


def fabricator(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
    """Calls and invents the fields."""
    return _answer("fabricator", input, tools)


def always_caller(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
    """Calls whatever it is asked."""
    return _answer("always_caller", input, tools)


def phantom_caller(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
    """Writes calls as text."""
    return _answer("phantom_caller", input, tools)


def medley(input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Reply:
    """All six, dealt out over the tasks."""
    return _answer(None, input, tools)
