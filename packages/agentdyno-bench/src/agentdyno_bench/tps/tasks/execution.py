"""Runs a reference plan in a world of this process, level by level or one call after the other."""

from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.outcomes.submission import answers_of
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.references import Results, resolve
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask
from agentdyno_bench.tps.world import World


class PlanRun(Struct, frozen=True):
    """Result of running a plan."""

    calls: list[ExecutedCall]
    """Every executed call, in order."""
    answers: list[str]
    """What is submitted to each message of the user, as JSON."""
    world: Any
    """The world after the last call."""


def run_plan(task: CompoundTask, world: World, by_levels: bool) -> PlanRun:
    """Executes every subtask of the plan."""
    levels = levels_of(task) if by_levels else [[s] for s in task.subtasks]
    results: Results = {}
    calls: list[ExecutedCall] = []
    for turn, level in enumerate(levels):
        # Arguments first: calls of one turn do not see each other's results.
        steps = [(s, resolve(s.arguments, results)) for s in level]
        for subtask, arguments in steps:
            outcome = world.call(subtask.tool, arguments)
            results[subtask.subtask_id] = outcome.value
            calls.append(
                ExecutedCall(turn, subtask.tool, arguments, outcome.value, outcome.error,
                         outcome.latency_seconds, ran=True)
            )  # fmt: skip
    return PlanRun(calls, answers_of(task), world)


def levels_of(task: CompoundTask) -> list[list[Subtask]]:
    """The subtasks by the earliest turn in which each can be done; the user's next message comes
    when everything before it is done."""
    level: dict[str, int] = {}
    stage, first = 0, 0
    for subtask in task.subtasks:
        if subtask.stage != stage:
            stage, first = subtask.stage, 1 + max(level.values(), default=-1)
        needed = [1 + level[n] for n in subtask.needs if n in level]
        level[subtask.subtask_id] = max([first, *needed])
    rows: list[list[Subtask]] = [[] for _ in range(max(level.values()) + 1)]
    for subtask in task.subtasks:
        rows[level[subtask.subtask_id]].append(subtask)
    return rows
