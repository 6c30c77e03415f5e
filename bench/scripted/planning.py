"""Agents of known ways as a model: `agentdyno/scripted` with `script=` one of the functions below.

The conversation tells which task it is (its prompt), which turn (answers so far), what came back
(results by call id, which is the subtask's name) and whether answers are submitted (the tools).
"""

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import msgspec
from bench.scripted.ways import PlannedCall, Way, next_move
from inspect_ai.model import ChatMessage, ChatMessageTool, GenerateConfig
from inspect_ai.tool import ToolChoice, ToolInfo

from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.tps.briefs import REMINDER
from agentdyno_bench.tps.outcomes.submission import SUBMIT
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled
from agentdyno_bench.tps.tasks.stages import split_stages
from agentdyno_bench.tps.tasks.values import CompoundTask

_AGAIN = "-again-"
"""Between a subtask's name and how often it was tried, in the id of a call."""
HERE = "bench.scripted.planning"
Script = Callable[[list[ChatMessage], list[ToolInfo], ToolChoice, GenerateConfig], Reply]


def script_of(way: Way) -> str:
    """The name under which the scripted model finds a way."""
    return f"{HERE}:{way}"


def _play(way: Way) -> Script:
    def reply(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        choice: ToolChoice,
        given: GenerateConfig,
    ) -> Reply:
        return _reply(way, messages, tools)

    return reply


optimal = _play("optimal")
"""Every subtask in its earliest turn."""
patient = _play("patient")
"""Every subtask in its earliest turn, again when a service failed."""
sequential = _play("sequential")
"""One subtask a turn."""
at_once = _play("at_once")
"""Everything in the first turn."""
wrong_tools = _play("wrong_tools")
"""Tools that serve nothing."""
gives_up = _play("gives_up")
"""Half of the subtasks."""
half_work = _play("half_work")
"""Half of the goals, and all that they take."""


def _reply(way: Way, messages: list[ChatMessage], tools: list[ToolInfo]) -> Reply:
    task = _task(messages)
    if messages[0].role != "system":
        return Reply(text="\n".join(_list_needed(task)))
    said = [
        place
        for place, message in enumerate(messages)
        if message.role == "user" and message.text != REMINDER
    ]
    turn = sum(message.role == "assistant" for message in messages[said[-1] :])
    move = next_move(way, split_stages(task)[len(said) - 1], turn, _results(messages))
    if not move.calls:
        return reply_with(move.answer, messages, tools)
    return Reply(
        calls=[
            ReplyCall(call.tool, call.arguments, _name_call(call, messages)) for call in move.calls
        ]
    )


def reply_with(answer: str, messages: list[ChatMessage], tools: list[ToolInfo]) -> Reply:
    """Submits an answer, or says it in words where there is no such tool."""
    given: dict[str, Any] = msgspec.json.decode(answer)
    if any(tool.name == SUBMIT for tool in tools):
        return Reply(calls=[ReplyCall(SUBMIT, given, f"submit-{len(messages)}")])
    lines = [f"{name}: {value}" for name, value in given.items()]
    return Reply(text="\n".join(lines) or "I could not go on.")


def _name_call(call: PlannedCall, messages: list[ChatMessage]) -> str:
    """The subtask's name, with a number when a service failed before."""
    known = {m.tool_call_id for m in messages if isinstance(m, ChatMessageTool)}
    names = (f"{call.call_id}{_AGAIN}{number}" for number in count(2))
    return call.call_id if call.call_id not in known else next(n for n in names if n not in known)


def _task(messages: list[ChatMessage]) -> CompoundTask:
    text = next(message.text for message in messages if message.role == "user")
    known = _by_prompt()
    return known.get(text) or next(task for prompt, task in known.items() if prompt in text)


@cache
def _by_prompt() -> dict[str, CompoundTask]:
    return {task.prompt: task for level in LEVELS for task in load_bundled(level).tasks}


def _list_needed(task: CompoundTask) -> list[str]:
    return list(dict.fromkeys(subtask.tool for subtask in task.subtasks))


def _results(messages: list[ChatMessage]) -> dict[str, Any]:
    return {
        str(message.tool_call_id).partition(_AGAIN)[0]: msgspec.json.decode(message.text)
        for message in messages
        if isinstance(message, ChatMessageTool)
        and message.error is None
        and message.function != SUBMIT
    }
