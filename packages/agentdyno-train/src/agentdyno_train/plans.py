"""A reference plan as a conversation: what a perfect agent writes, with what the services answer.

Takes a task, the tools on offer and a world, returns the messages of an attempt that makes every
call in its earliest turn and submits all that was asked, choices between rows weighed first. None
when that does not solve the task and is not worth learning. With a slip, one call is first made as
weak models make it, refused and made again; that turn is marked, so that a trainer leaves it out of
the loss.

A task keeps the values that it asks for and not how they are chosen among rows (the cheapest
flight, the last show); its scenes know that, and `find_references` asks them.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.outcomes.submission import SUBMIT, right_fields
from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.references import (
    Results,
    UnclearError,
    plain_references,
    resolve,
)
from agentdyno_bench.tps.tasks.scenes import CHAINS, SMALL
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, all_tools
from agentdyno_bench.tps.world.kit.letters import LETTER_FIELDS
from agentdyno_depth.engines.chat import ChatMessage
from agentdyno_depth.engines.dialect import write_call, write_turn
from agentdyno_train.environment import Environment
from agentdyno_train.weighing import drop_repeated, subject_of, weigh_rows

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
TRIES = 20
"""Draws until a scene works out."""

Reference = dict[str, Any]


class Conversation(Struct, frozen=True):
    """A conversation to learn from."""

    task_id: str
    world_seed: int
    messages: list[ChatMessage]
    """From the system message to the final answer."""
    slips: list[int] = []
    """Places of messages that are not to be learnt."""

    @property
    def learnt(self) -> list[int]:
        """Places of messages that are to be learnt."""
        return [
            index
            for index, message in enumerate(self.messages)
            if message.role == "assistant" and index not in self.slips
        ]


def conversation(
    task: CompoundTask,
    tools: Sequence[str],
    world_seed: int = DEFAULT_SEED,
    slip: random.Random | None = None,
) -> Conversation | None:
    """The reference plan in its chat form; None when it does not solve the task."""
    environment = Environment(task, world_seed, tools, turns=len(task.subtasks) + 5)
    writer = _Writer(environment)
    levels = levels_of(task)
    slip_at = None if slip is None else slip.randrange(len(levels))
    try:
        for number, level in enumerate(levels):
            planned = [(s, resolve(s.arguments, writer.results)) for s in level]
            if slip is not None and number == slip_at:
                planned = writer.slip_once(planned, slip)
            weighed = _weigh_steps(
                task, level, lambda s: plain_references(s.arguments), writer.results
            )
            writer.call(planned, weighed)
    except UnclearError:
        return None
    reasons = _weigh_steps(
        task, task.subtasks, lambda s: find_references(task, s, writer.results), writer.results
    )
    writer.answer(write_call(SUBMIT, right_fields(task)), reasons)
    if not environment.score().marks.solved:
        return None
    return Conversation(task.task_id, world_seed, writer.messages, writer.slips)


Planned = list[tuple[Subtask, dict[str, Any]]]
References = Callable[[Subtask], Iterable[dict[str, Any]]]


class _Writer:
    """Writes turns and lets the environment answer them."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self.messages = environment.reset()
        self.results: Results = {}
        self.slips: list[int] = []
        self._thoughts: list[str] = []

    def call(self, planned: Planned, weighed: Sequence[str]) -> None:
        """One turn of calls; their results by step."""
        if not planned:
            return
        calls = "\n".join(write_call(s.tool, arguments) for s, arguments in planned)
        written = write_turn(self._add_thought(weighed), calls)
        before = len(self._environment.attempt().calls)
        self.messages.append(ChatMessage("assistant", written))
        self.messages += self._environment.step(written).messages
        new_calls = self._environment.attempt().calls[before:]
        for (subtask, _), call in zip(planned, new_calls, strict=False):
            self.results[subtask.subtask_id] = call.result

    def slip_once(self, planned: Planned, rng: random.Random) -> Planned:
        """A turn in which one call is refused; what is left to be called again."""
        index = rng.randrange(len(planned))
        step, arguments = planned[index]
        spoilt = spoil(arguments, step.tool, rng)
        if spoilt is None or all_tools()[step.tool].writes:
            return planned
        self.slips.append(len(self.messages))
        tried = [(s, spoilt if at == index else values) for at, (s, values) in enumerate(planned)]
        self.call(tried, ())
        return [planned[index]]

    def answer(self, text: str, weighed: Sequence[str]) -> None:
        """The last turn."""
        text = write_turn(self._add_thought(weighed), text)
        self.messages.append(ChatMessage("assistant", text))
        self._environment.step(text)

    def _add_thought(self, weighed: Sequence[str]) -> str:
        self._thoughts.append(drop_repeated(weighed, self._thoughts))
        return self._thoughts[-1]


def _weigh_steps(
    task: CompoundTask, steps: Sequence[Subtask], references: References, results: Results
) -> list[str]:
    """Lines of weighing for these steps, each under the user's name for it."""
    by_id = {step.subtask_id: step for step in task.subtasks}
    return [
        line
        for step in steps
        for line in weigh_rows(subject_of(_find_subjects(step, by_id)), references(step), results)
    ]


def _find_subjects(step: Subtask, steps: dict[str, Subtask]) -> Iterator[Any]:
    """Values that the user gives to a step and those before it: nobody else knows an id."""
    for need in step.needs:
        yield from _find_subjects(steps[need], steps)
    for reference in plain_references(step.arguments):
        yield from (value for _, _, value in reference.get("where", ()) if isinstance(value, str))
    named = (v for name, v in step.arguments.items() if name not in ("text", *LETTER_FIELDS))
    yield from named


def spoil(arguments: dict[str, Any], tool: str, rng: random.Random) -> dict[str, Any] | None:
    """Arguments that the service refuses, as weak models write them; None without a way."""
    required = [k for k in all_tools()[tool].schema.get("required", ()) if k in arguments]
    days = [k for k, v in arguments.items() if isinstance(v, str) and _DAY.fullmatch(v)]
    methods = ["day"] * bool(days) + ["missing", "renamed"] * bool(required)
    if not methods:
        return None
    method, spoilt = rng.choice(methods), dict(arguments)
    if method == "day":
        key = rng.choice(days)
        year, month, day = spoilt[key].split("-")
        spoilt[key] = f"{day}.{month}.{year}"
        return spoilt
    key = rng.choice(required)
    value = spoilt.pop(key)
    return spoilt if method == "missing" else {**spoilt, f"{key}_name": value}


def find_references(task: CompoundTask, step: Subtask, results: Results) -> list[Reference]:
    """References to the values that a task asks for from one step's result."""
    slots = [w.slot for w in task.goals if w.step == step.subtask_id and w.slot is not None]
    refs = [at for scene in task.scenes for at in _references_by_tool(scene).get(step.tool, ())]
    from_step = [{**at, "$from": step.subtask_id} for at in refs]
    return [
        at
        for slot in slots
        for at in [x for x in from_step if x.get("field") == slot.field][:1]
        if _leads_to(at, slot.value, results)
    ]


def _leads_to(at: Reference, value: Any, results: Results) -> bool:
    try:
        return bool(resolve(at, results) == value)
    except UnclearError:
        return False


@cache
def _references_by_tool(scene: str) -> dict[str, list[Reference]]:
    """References into each tool's results, without the step."""
    for attempt in range(TRIES):
        draft = Draft(World(DEFAULT_SEED), random.Random(f"{scene}-{attempt}"))
        try:
            {**SMALL, **CHAINS}[scene](draft)
        except (DraftError, KeyError):
            continue
        by_tool: dict[str, list[Reference]] = {}
        for tool, at in _references(draft):
            by_tool.setdefault(tool, []).append(at)
        return by_tool
    return {}


def _references(draft: Draft) -> Iterator[tuple[str, Reference]]:
    tools = {subtask.subtask_id: subtask.tool for subtask in draft.subtasks()}
    for name, step in draft.steps.items():
        for at in step.told:
            yield tools[name], {key: value for key, value in at.items() if key != "$from"}
