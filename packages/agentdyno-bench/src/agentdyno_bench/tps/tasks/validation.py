"""Proof that tasks can be solved: their reference plans are run, in this process or over live MCP
servers, and marked like any agent's work."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.submission import answers_of
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.execution import levels_of, run_plan
from agentdyno_bench.tps.tasks.references import Results, UnclearError, resolve
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World

if TYPE_CHECKING:
    from agentdyno_bench.tps.pool import Pool

AT_ONCE = 8
"""Tasks in progress at once over live servers."""


class Unsolved(Struct, frozen=True):
    """A task whose plan does not complete it."""

    task_id: str
    missing: list[str]
    """Goals that were missed, and harm that was done."""


def validate(tasks: Iterable[CompoundTask], world_seed: int) -> list[Unsolved]:
    """Tasks that cannot be solved in a world of this process."""
    unsolved = []
    for task in tasks:
        try:
            run = run_plan(task, World(world_seed), by_levels=True)
        except UnclearError:
            unsolved.append(Unsolved(task.task_id, [goal.goal_id for goal in task.goals]))
            continue
        unsolved += _find_unsolved(task, run.calls, run.answers, world_seed)
    return unsolved


async def validate_live(tasks: Iterable[CompoundTask], pool: "Pool") -> list[Unsolved]:
    """Tasks that cannot be solved over the pool's servers, each in a workspace of its own."""
    gate, unsolved = asyncio.Semaphore(AT_ONCE), list[Unsolved]()

    async def one(task: CompoundTask) -> None:
        async with gate:
            unsolved.extend(await _prove(task, pool))

    await asyncio.gather(*(one(task) for task in tasks))
    return sorted(unsolved, key=lambda item: item.task_id)


async def _prove(task: CompoundTask, pool: "Pool") -> list[Unsolved]:
    workspace = f"validate-{task.task_id}"
    results: Results = {}
    calls: list[ExecutedCall] = []
    try:
        for turn, level in enumerate(levels_of(task)):
            resolved = [(s, resolve(s.arguments, results)) for s in level]
            answers = await asyncio.gather(
                *(pool.call(s.tool, arguments, workspace) for s, arguments in resolved)
            )
            for (subtask, arguments), answer in zip(resolved, answers, strict=True):
                value = msgspec.json.decode(answer.text)
                results[subtask.subtask_id] = value
                error = answer.text if answer.failed else None
                calls.append(ExecutedCall(turn, subtask.tool, arguments, value, error,
                                      answer.latency_seconds, ran=True))  # fmt: skip
    except (UnclearError, msgspec.DecodeError):
        return [Unsolved(task.task_id, [goal.goal_id for goal in task.goals])]
    finally:
        await pool.forget(workspace)
    return _find_unsolved(task, calls, answers_of(task), pool.spec.seed)


def _find_unsolved(
    task: CompoundTask, calls: list[ExecutedCall], answers: list[str], world_seed: int
) -> list[Unsolved]:
    marks = mark(task, calls, answers, world_seed)
    if marks.solved:
        return []
    missing = [goal.goal_id for goal in marks.goals if not goal.done]
    return [Unsolved(task.task_id, missing + [harm.what for harm in marks.harms])]
