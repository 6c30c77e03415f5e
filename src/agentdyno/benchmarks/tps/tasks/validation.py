"""Proof that tasks can be solved: their reference plans are run, in this process or over live MCP
servers, and marked like any agent's work."""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from agentdyno.benchmarks.tps.tasks.checking import MadeCall, completed_subtasks
from agentdyno.benchmarks.tps.tasks.execution import answer_of, levels_of, run_plan
from agentdyno.benchmarks.tps.tasks.references import Results, UnclearError, resolve
from agentdyno.benchmarks.tps.tasks.values import CompoundTask
from agentdyno.benchmarks.tps.world import World

if TYPE_CHECKING:
    from agentdyno.benchmarks.tps.pool import Pool

AT_ONCE = 8
"""Tasks in progress at once over live servers."""


class Unsolved(Struct, frozen=True):
    """A task whose plan does not complete it."""

    task_id: str
    """The task."""
    missing: list[str]
    """Subtasks that were not completed."""


def validate(tasks: Iterable[CompoundTask], world_seed: int) -> list[Unsolved]:
    """Tasks that cannot be solved in a world of this process."""
    found = []
    for task in tasks:
        try:
            run = run_plan(task, World(world_seed), by_levels=True)
        except UnclearError:
            found.append(Unsolved(task.task_id, [s.subtask_id for s in task.subtasks]))
            continue
        done = completed_subtasks(task, run.calls, run.answer, run.world.state)
        found += _unsolved(task, done)
    return found


async def validate_live(
    tasks: Iterable[CompoundTask], pool: "Pool", told: Callable[[int], None] | None = None
) -> list[Unsolved]:
    """Tasks that cannot be solved over the pool's servers, each in a workspace of its own."""
    gate, done, found = asyncio.Semaphore(AT_ONCE), 0, list[Unsolved]()

    async def one(task: CompoundTask) -> None:
        nonlocal done
        async with gate:
            found.extend(await _prove(task, pool))
        done += 1
        if told is not None:
            told(done)

    await asyncio.gather(*(one(task) for task in tasks))
    return sorted(found, key=lambda item: item.task_id)


async def _prove(task: CompoundTask, pool: "Pool") -> list[Unsolved]:
    workspace = f"validate-{task.task_id}"
    results: Results = {}
    calls: list[MadeCall] = []
    try:
        for turn, level in enumerate(levels_of(task)):
            asked = [(s, resolve(s.arguments, results)) for s in level]
            answers = await asyncio.gather(
                *(pool.call(s.tool, arguments, workspace) for s, arguments in asked)
            )
            for (subtask, arguments), answer in zip(asked, answers, strict=True):
                value = msgspec.json.decode(answer.text)
                results[subtask.subtask_id] = value
                error = answer.text if answer.failed else None
                calls.append(MadeCall(turn, subtask.tool, arguments, value, error,
                                      answer.latency_seconds))  # fmt: skip
        servers = {s.state.server for s in task.subtasks if s.state is not None}
        states = {server: await pool.state(server, workspace) for server in servers}
    except (UnclearError, msgspec.DecodeError):
        return [Unsolved(task.task_id, [s.subtask_id for s in task.subtasks])]
    finally:
        await pool.forget(workspace)
    done = completed_subtasks(task, calls, answer_of(task.subtasks), lambda name: states[name])
    return _unsolved(task, done)


def _unsolved(task: CompoundTask, done: list[str]) -> list[Unsolved]:
    missing = [s.subtask_id for s in task.subtasks if s.subtask_id not in done]
    return [Unsolved(task.task_id, missing)] if missing else []
