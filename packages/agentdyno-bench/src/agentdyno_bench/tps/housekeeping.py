"""The world from the command line: what it offers, serving it, making and proving its tasks."""

import asyncio
from pathlib import Path
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled, read_tasks, write_tasks
from agentdyno_bench.tps.tasks.validation import Unsolved, validate, validate_live
from agentdyno_bench.tps.tasks.values import CompoundTask, Level, TaskSet
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, SERVERS, server_class


class ListedTool(Struct, frozen=True):
    name: str
    """With its server's prefix."""
    description: str
    latency_seconds: float
    """Latency that the tool declares."""
    writes: bool
    """Whether it changes the world."""


class ListedServer(Struct, frozen=True):
    name: str
    title: str
    about: str
    tools: list[ListedTool]


def list_world() -> list[ListedServer]:
    """Every server with its tools."""
    listed = []
    for name in SERVERS:
        kind = server_class(name)
        tools = [
            ListedTool(f"{name}_{t.name}", t.description, t.latency_seconds, t.writes)
            for t in kind.tools.values()
        ]
        listed.append(ListedServer(name, kind.title, kind.about, tools))
    return listed


def serve_world(server: str, seed: int, latency: str, http: int | None) -> None:
    """Serves one server until its client leaves."""
    from agentdyno_bench.tps.world.serve import serve

    server_class(server)  # Names a wrong server before anything is imported.
    serve(server, seed, latency, http, admin=False)


def serve_task(
    task_id: str, tasks: str, record: Path, tools: list[str], latency: str, http: int | None
) -> None:
    """Serves one task, `submit` included, and notes every call, until the client leaves."""
    from agentdyno_bench.tps.graded_runs import find_seeded_task

    task, seed = find_seeded_task(tasks, task_id)
    import anyio

    from agentdyno_bench.tps.served import ServedTask
    from agentdyno_bench.tps.world.kit.mcp import serve_http, serve_stdio

    pace: Any = "real" if latency == "real" else "virtual"
    server = ServedTask(task, seed, record, tuple(tools), pace).server()
    if http is None:
        anyio.run(serve_stdio, server)
    else:
        anyio.run(serve_http, server, http)


class Validated(Struct, frozen=True):
    """Result of a validation."""

    tasks: int
    """Tasks whose plans were run."""
    subtasks: int
    unsolved: list[Unsolved]
    """Tasks that could not be solved."""
    live: bool
    """Whether over MCP servers, or in this process."""


def validate_tasks(files: list[Path], live: bool, limit: int | None) -> Validated:
    """Runs every task's reference plan and marks it."""
    sets = [read_tasks(f) for f in files] or [load_bundled(level) for level in LEVELS]
    listed = [(task_set.world_seed, task) for task_set in sets for task in task_set.tasks][:limit]
    unsolved: list[Unsolved] = []
    for seed in dict.fromkeys(seed for seed, _ in listed):
        tasks = [task for world, task in listed if world == seed]
        unsolved += _validate_live(tasks, seed) if live else validate(tasks, seed)
    subtasks = sum(len(task.subtasks) for _, task in listed)
    return Validated(len(listed), subtasks, unsolved, live)


def _validate_live(tasks: list[CompoundTask], seed: int) -> list[Unsolved]:
    from agentdyno_bench.tps.pool import PoolSpec, open_pool

    with open_pool(PoolSpec(seed=seed)) as pool:
        return asyncio.run(validate_live(tasks, pool))


class TaskFileResult(Struct, frozen=True):
    """A written task file."""

    file: str
    tasks: int


def make_task_file(
    out: Path, level: Level, count: int, seed: int, world_seed: int
) -> TaskFileResult:
    """Makes tasks by the pipeline."""
    from agentdyno_bench.tps.tasks.pipeline import make_tasks

    tasks = make_tasks({level: count}, seed, world_seed)
    write_tasks(out, TaskSet(world_seed, f"pipeline {seed}", tasks))
    return TaskFileResult(str(out), len(tasks))


__all__ = [
    "DEFAULT_SEED",
    "list_world",
    "make_task_file",
    "serve_world",
    "validate_tasks",
]
