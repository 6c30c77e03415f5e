"""A benchmark's task as a chat: messages in, a turn of the model, messages again, until it is over.

Takes tasks of tps, toolfail and tir, writes word for word what the benchmark writes through Inspect
(prompts, results, refusals), so that a rollout can be measured there (`chat_key`). What an episode
is worth is known for tps alone; the others are marked when they are measured.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from agentdyno.records.failures import TaskSuite, ToolTask
from agentdyno_bench.models.refusals import invalid, not_found, parse_error
from agentdyno_bench.tir.problems import Problem
from agentdyno_bench.tir.prompts import system_prompt
from agentdyno_bench.toolfail.mocking import Mocks
from agentdyno_bench.tps.outcomes.submission import NOT_ALONE, SUBMIT
from agentdyno_depth.engines.chat import ChatMessage, ChatTool
from agentdyno_depth.engines.dialect import (
    WrittenTurn,
    offer_tools,
    read_turn,
    write_results,
    write_turn,
)
from agentdyno_depth.engines.thinking import split_thinking
from agentdyno_train.environment import Environment, chat_tools, submit_tool
from agentdyno_train.training_tasks import TrainingTask

UNREADABLE = "They are not JSON: Expecting value at character 0."
"""What the benchmark says of a line that looks like a call and is none."""
PYTHON = ChatTool(
    "python",
    "Run a Python program and get back what it printed.\n\nEach program starts anew: nothing is "
    "kept from earlier ones. Only what is printed comes\nback, so print what you want to see. "
    "There is no network.",
    {
        "type": "object",
        "properties": {"code": {"type": "string", "description": "The whole program."}},
        "required": ["code"],
        "additionalProperties": False,
    },
)
"""The tool of tir, as Inspect offers it; a test compares the two."""


class Outcome(Struct, frozen=True):
    """What an episode is worth."""

    completion: float | None = None
    """Goals met over goals; None where only measuring can tell."""
    score: float | None = None
    solved: bool | None = None
    """Whether every goal was met without harm."""


class Episode(Protocol):
    """One task in progress."""

    bench: str
    level: str
    task_id: str
    messages: list[ChatMessage]

    def take(self, text: str, ended: bool) -> list[ChatMessage]:
        """Takes a turn; the messages that the model reads next, none when it is over."""
        ...

    def outcome(self) -> Outcome:
        """What it is worth."""
        ...


class PlanningEpisode:
    """A task of tps in a world of its own."""

    bench = "tps"

    def __init__(self, training_task: TrainingTask, turns: int) -> None:
        self.level: str = training_task.task.level
        self.task_id = training_task.task.task_id
        self._environment = Environment(
            training_task.task, training_task.world_seed, training_task.tools, turns=turns
        )
        offered = [*chat_tools(training_task.tools), submit_tool(training_task.task)]
        self._schemas = {tool.name: tool.parameters for tool in offered}
        self.messages = self._environment.reset()

    def take(self, text: str, ended: bool) -> list[ChatMessage]:
        """Runs the calls of a turn; a submission ends it."""
        self.messages.append(ChatMessage("assistant", text))
        read = read_turn(text)
        if read.is_answer:
            step = self._environment.step(text, ended=ended)
            self.messages += step.messages
            return step.messages
        whys = [check_call(name, given, self._schemas) for name, given in read.calls]
        alone = not read.problems and all(name == SUBMIT for name, _ in read.calls)
        whys = [
            NOT_ALONE if name == SUBMIT and why is None and not alone else why
            for (name, _), why in zip(read.calls, whys, strict=True)
        ]
        sound = [call for call, why in zip(read.calls, whys, strict=True) if why is None]
        before = len(self._environment.attempt().calls)
        step = self._environment.act(sound, read.problems)
        if step.done:
            return []
        performed = iter(self._environment.attempt().calls[before:])
        texts = [_text(next(performed).result) if why is None else why for why in whys]
        return _append_results(self.messages, [*texts, *(_unreadable() for _ in read.problems)])

    def outcome(self) -> Outcome:
        """By the state of the world and the answer."""
        marks = self._environment.score().marks
        return Outcome(marks.completion, marks.score, marks.solved)


class FailureEpisode:
    """A question of toolfail: tools once, then the answer."""

    bench = level = "toolfail"

    def __init__(self, suite: TaskSuite, task: ToolTask) -> None:
        self.task_id, self._tools = task.task_id, suite.tools[task.domain]
        self._mocks = Mocks(task, suite.records.get(task.domain, ()))
        tools = [ChatTool(t.name, t.description, t.parameters) for t in self._tools]
        self.messages = [
            ChatMessage("system", offer_tools(suite.prompts[task.domain], tools)),
            ChatMessage("user", task.messages[0]),
        ]
        self._called = False

    def take(self, text: str, ended: bool) -> list[ChatMessage]:
        """Runs the calls of the first turn; what comes after is the answer."""
        self.messages.append(ChatMessage("assistant", text))
        read = read_turn(text)
        if self._called or read.is_answer:
            return []
        self._called = True
        known = {tool.name: tool for tool in self._tools}
        schemas = {tool.name: tool.parameters for tool in self._tools}
        texts = [
            check_call(name, given, schemas) or self._mocks.answer(known[name], given)[0]
            for name, given in read.calls
        ]
        return _append_results(self.messages, [*texts, *(_unreadable() for _ in read.problems)])

    def outcome(self) -> Outcome:
        """Marked when it is measured."""
        return Outcome()


class ProblemEpisode:
    """A problem of tir. Programs are not run here: an episode ends where one is called, and
    measuring continues from there in a sandbox."""

    bench = "tir"

    def __init__(self, problem: Problem, benchmark: str, tools: Sequence[ChatTool] = (PYTHON,)):
        self.level, self.task_id = benchmark, problem.id
        system = system_prompt([tool.name for tool in tools])
        self.messages = [
            ChatMessage("system", offer_tools(system, tools)),
            ChatMessage("user", problem.question),
        ]

    def take(self, text: str, ended: bool) -> list[ChatMessage]:
        """An answer, or a program that somebody else must run."""
        self.messages.append(ChatMessage("assistant", text))
        return []

    def outcome(self) -> Outcome:
        """Marked when it is measured."""
        return Outcome()


def first_calls(text: str, count: int) -> str:
    """A turn as if the model had made only its first calls, after the same thought."""
    parts = split_thinking(text)
    lines = [line for line in parts.answer.strip().splitlines() if line.strip().startswith("{")]
    return write_turn(parts.thinking, "\n".join(lines[:count]))


def sound_calls(text: str) -> int | None:
    """How many calls a turn has, none where it submits; None where one of them cannot be read or
    was not made alone."""
    read: WrittenTurn = read_turn(text)
    own = [name for name, _ in read.calls if name != SUBMIT]
    if read.problems or 0 < len(own) < len(read.calls):
        return None
    return len(own)


def _append_results(messages: list[ChatMessage], texts: list[str]) -> list[ChatMessage]:
    new = [write_results(texts)]
    messages += new
    return new


def check_call(tool: str, arguments: Any, schemas: dict[str, dict[str, Any]]) -> str | None:
    """What the benchmark says of a call that reaches no tool; None where it does."""
    return invalid(arguments, schemas[tool]) if tool in schemas else not_found(tool)


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _unreadable() -> str:
    return parse_error("", UNREADABLE)
