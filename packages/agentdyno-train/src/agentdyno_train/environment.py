"""The planning world to train in: reset, step, score, for any policy, offline and in this process.

    environment = Environment(task)
    messages = environment.reset()      # system and user message, tools and `submit` included
    step = environment.step('{"name": "mail_list_inbox", "arguments": {}}')
    step.messages, step.done            # results as messages; a call of `submit` ends it
    environment.score().marks.score     # what it is worth; `misses` say what is missing

A policy may also hand over calls as values (`act`) and what it submits (`finish`). Whatever it
writes, no exception comes back: unknown tools, NaN, infinity, lone surrogates, deep nesting and a
service that breaks are tool errors like any other, and such calls did not run. As in the benchmark,
one submission counts, alone in its turn, and whoever answers in words is reminded once. The same
task, seed and policy give the same attempt.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from agentdyno.records import printable
from agentdyno_bench.shared.models.refusals import invalid
from agentdyno_bench.tps.briefs import REMINDER, TOGETHER, write_brief
from agentdyno_bench.tps.outcomes import AttemptMarks, mark
from agentdyno_bench.tps.outcomes.marking import GoalMark
from agentdyno_bench.tps.outcomes.submission import (
    DESCRIPTION,
    LONGEST_ANSWER,
    NOT_ALONE,
    SUBMIT,
    submit_schema,
    write_answer,
)
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, all_tools
from agentdyno_bench.tps.world.kit.server import Outcome
from agentdyno_depth.engines.chat import ChatMessage, ChatTool
from agentdyno_depth.engines.dialect import offer_tools, read_turn, signature, write_results
from agentdyno_train.attempts import BROKEN, NOT_OFFERED, UNSOUND, Attempt, Miss, TurnTokens, misses

TURNS = 16
"""Model calls at most; the deepest bundled plan takes 12 turns of calls."""
DEEPEST, LARGEST, LARGEST_NUMBER = 8, 20_000, 2**63
"""Nesting, characters and whole numbers of arguments that are passed on."""
TOO_LONG = f"Arguments must not be longer than {LARGEST} characters."

Call = tuple[str, Any]
"""A tool's name and its arguments."""


class Step(Struct, frozen=True):
    """The result of one turn."""

    messages: list[ChatMessage]
    """What the policy sees next; empty when it is over."""
    done: bool
    """Whether the attempt is over."""
    errors: list[str | None]
    """The error of every call, unreadable ones last; None where it succeeded."""


class Scored(Struct, frozen=True):
    """Marks of an attempt, with the reason of every miss."""

    attempt: Attempt
    """The attempt that was marked."""
    marks: AttemptMarks
    """By outcome, harm included."""
    misses: list[Miss]
    """Why each goal was missed."""


class Environment:
    """One task in a world of its own."""

    def __init__(
        self,
        task: CompoundTask,
        world_seed: int = DEFAULT_SEED,
        tools: Sequence[str] | None = None,
        faults: float = 0.0,
        turns: int = TURNS,
    ) -> None:
        catalog = all_tools()
        self.task, self.world_seed, self.faults, self.turns = task, world_seed, faults, turns
        self.tools = [name for name in (catalog if tools is None else tools) if name in catalog]
        self.reset()

    def reset(self) -> list[ChatMessage]:
        """Begins again; the messages that the policy answers first."""
        self._world = World(self.world_seed, self.faults)
        self._calls: list[ExecutedCall] = []
        self._tokens: list[TurnTokens] = []
        self._malformed = self._turn = self._steps = 0
        self._answer = self.stopped = ""
        self._earlier: list[str] = []
        self._is_reminded = False
        return open_task(self.task, self.tools)

    def step(self, written: str, tokens: TurnTokens | None = None, ended: bool = True) -> Step:
        """Takes one turn as the policy wrote it; `ended` is False when it was cut off."""
        self._tokens += [] if tokens is None else [tokens]
        if self.stopped:
            return Step([], True, [])
        read = read_turn(written if isinstance(written, str) else "")
        submits = any(name == SUBMIT for name, _ in read.calls)
        if not ended and (read.is_answer or submits):
            self.stopped = "token limit"
            return Step([], True, [])
        return self._remind() if read.is_answer else self.act(read.calls, read.problems)

    def _remind(self) -> Step:
        """Remind once that the answer has to be submitted by a call."""
        self._steps += 1
        if self._is_reminded:
            self.finish("")
            return self._answer_back()
        self._is_reminded = True
        if self._steps >= self.turns:
            self.stopped = "turn limit"
            return Step([], True, [])
        return Step([ChatMessage("user", REMINDER)], False, [])

    def _answer_back(self) -> Step:
        """The user's reply to the answer, and the tool for the next one; nothing when content."""
        if len(self._earlier) == len(self.task.follow_ups):
            return Step([], True, [])
        message = self.task.follow_ups[len(self._earlier)]
        self._earlier.append(self._answer)
        self._answer, self.stopped, self._is_reminded = "", "", False
        tool = signature(submit_tool(self.task, len(self._earlier)))
        return Step([ChatMessage("user", f"{message}\n\n{tool}")], False, [])

    def act(self, calls: Iterable[Call], problems: Sequence[str] = ()) -> Step:
        """Executes the calls of one turn, all at the same time; a submission ends the attempt, or
        lets the user answer back."""
        if self.stopped:
            return Step([], True, [])
        calls = list(calls)
        alone = not problems and all(name == SUBMIT for name, _ in calls)
        sent = [values for _, values in calls if alone and self.refuse_submission(values) is None]
        if sent:
            # Who submits several things at once has not chosen one.
            self.finish(sent[0] if all(values == sent[0] for values in sent) else "")
            return self._answer_back()
        new_calls = [self._perform(name, arguments) for name, arguments in calls]
        own_calls = [call for call in new_calls if call.tool != SUBMIT]
        self._calls += own_calls
        self._turn += bool(own_calls)
        self._steps += 1
        self._malformed += len(problems) + len(new_calls) - len(own_calls)
        refused = [_error("malformed_call", problem) for problem in problems]
        texts = [_text(value) for value in [*(call.result for call in new_calls), *refused]]
        errors = [*(call.error for call in new_calls), *("malformed_call" for _ in problems)]
        if self._steps >= self.turns:
            self.stopped = "turn limit"
            return Step([], True, errors)
        return Step([write_results(texts)], False, errors)

    def refuse_submission(self, arguments: Any) -> str | None:
        """Why what is submitted to the user's last message is not taken; None where it is."""
        problem = unsound(arguments)
        schema = submit_schema(self.task, len(self._earlier))
        return invalid(arguments, schema) if problem is None else problem

    def finish(self, answer: Any) -> None:
        """Takes what is submitted: the fields, or JSON."""
        clean = answer if isinstance(answer, str) else write_answer(answer)
        self._answer = clean[:LONGEST_ANSWER].encode("utf-8", "replace").decode()
        self.stopped = "answered" if self._answer else "nothing submitted"

    def attempt(self) -> Attempt:
        """The attempt so far."""
        return Attempt(
            self.task, self.world_seed, self.faults, list(self._calls), self._malformed,
            self._answer, self.stopped, list(self._tokens) or None, list(self._earlier),
        )  # fmt: skip

    def score(self) -> Scored:
        """Marks what was done so far."""
        return score(self.attempt())

    def _perform(self, name: Any, arguments: Any) -> ExecutedCall:
        tool = printable(str(name), 120).encode("utf-8", "replace").decode()
        if name == SUBMIT:
            why = self.refuse_submission(arguments) or NOT_ALONE
            return self._refuse(tool, UNSOUND, why)
        if name not in self.tools:
            why = f"There is no tool '{printable(tool, 80)}' here."
            return self._refuse(tool, NOT_OFFERED, why)
        problem = unsound(arguments)
        if problem is not None:
            return self._refuse(tool, UNSOUND, problem)
        outcome = self._call_service(tool, arguments)
        return ExecutedCall(
            self._turn, tool, arguments, outcome.value, outcome.error, outcome.latency_seconds,
            ran=outcome.error != BROKEN,
        )  # fmt: skip

    def _refuse(self, tool: str, code: str, why: str) -> ExecutedCall:
        return ExecutedCall(self._turn, tool, {}, _error(code, why), code, 0.0, ran=False)

    def _call_service(self, tool: str, arguments: dict[str, Any]) -> Outcome:
        try:
            outcome = self._world.call(tool, arguments)
            _ = outcome.text  # A result that cannot be written is no result.
        except Exception as error:
            # The call may have left half of its work: the world is made again without it.
            self._world = _replay(self.attempt())
            message = f"The service failed: {type(error).__name__}."
            return Outcome(_error(BROKEN, message), BROKEN, 0.0)
        return outcome


def open_task(task: CompoundTask, tools: Sequence[str]) -> list[ChatMessage]:
    """System message with brief and tools, and the user's."""
    return open_chat(task.prompt, [*chat_tools(tools), submit_tool(task)])


def submit_tool(task: CompoundTask, stage: int = 0) -> ChatTool:
    """The tool by which a policy answers a message of the user."""
    return ChatTool(SUBMIT, DESCRIPTION, submit_schema(task, stage))


def open_chat(prompt: str, tools: Sequence[ChatTool]) -> list[ChatMessage]:
    """The same for any prompt."""
    system = offer_tools(write_brief(TOGETHER), tools)
    return [ChatMessage("system", system), ChatMessage("user", prompt)]


def chat_tools(names: Sequence[str]) -> list[ChatTool]:
    """The world's tools by their prefixed names."""
    catalog = all_tools()
    return [ChatTool(name, catalog[name].description, catalog[name].schema) for name in names]


def score(attempt: Attempt) -> Scored:
    """Marks an attempt by its outcome; what cannot be marked is worth nothing, and says why."""
    marks = _mark(attempt)
    return Scored(attempt, marks, misses(attempt, marks))


def _mark(attempt: Attempt) -> AttemptMarks:
    try:
        return mark(
            attempt.task, attempt.reached, attempt.answers, attempt.world_seed, attempt.faults
        )
    except Exception as error:
        # A week of training must not end with one unexpected answer.
        why = f"could not be marked: {type(error).__name__}"
        goals = [GoalMark(goal.goal_id, False, why) for goal in attempt.task.goals]
        return AttemptMarks(attempt.task.task_id, goals, [], 0)


def unsound(arguments: Any) -> str | None:
    """Why arguments are not passed on to a service; None when they are."""
    if not isinstance(arguments, dict):
        return "Arguments must be a JSON object."
    return _problem(arguments, DEEPEST, [LARGEST])


def _problem(value: Any, depth: int, room: list[int]) -> str | None:
    if depth < 0:
        return f"Arguments must not be nested more than {DEEPEST} levels deep."
    if isinstance(value, str):
        room[0] -= len(value)
        if room[0] < 0:
            return TOO_LONG
        odd = any("\ud800" <= letter <= "\udfff" for letter in value)
        return "Texts must be valid Unicode." if odd else None
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return None if abs(value) < LARGEST_NUMBER else "Numbers must fit into 64 bits."
    if isinstance(value, float):
        return None if math.isfinite(value) else "Numbers must be finite."
    if isinstance(value, dict):
        inside = [*value.keys(), *value.values()] if all(map(_is_text, value)) else [object()]
        return _first(inside, depth, room)
    if isinstance(value, list):
        return _first(value, depth, room)
    return "Arguments must be plain JSON."


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _first(values: Iterable[Any], depth: int, room: list[int]) -> str | None:
    for value in values:
        room[0] -= 1  # Many small values are long, too.
        problem = TOO_LONG if room[0] < 0 else _problem(value, depth - 1, room)
        if problem is not None:
            return problem
    return None


def _replay(attempt: Attempt) -> World:
    world = World(attempt.world_seed, attempt.faults)
    for call in attempt.reached:
        world.call(call.tool, call.arguments)
    return world


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def _text(value: Any) -> str:
    import msgspec

    return msgspec.json.encode(value).decode()
