"""Tasks that nobody has seen, as hard as the bundled ones: a level and a seed in, a task set out.

The bundled tasks come with their answers; a figure to be published is on a set whose answers do
not. The seed decides the drawing and the world. More drafts are drawn than are needed, and tasks
are exchanged until the set is as hard: goals and turns a task, and the share of its calls that
training has, are those of the bundled set within 5 % where the drafts allow it.
"""

import hashlib
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.dataset import load_bundled, read_tasks, write_tasks
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.pipeline import find_drafts
from agentdyno_bench.tps.tasks.screening import Screen, find_calls, find_taught_calls
from agentdyno_bench.tps.tasks.values import CompoundTask, Level, TaskSet

FIRST_WORLD = 1000
"""Added to the seed for the world: no bundled set has one above it."""
SPARE = 4
"""One draft more for each so many tasks."""
WITHIN = 0.05
_FLOOR = 0.1
"""Differences of a share are compared with this at least: 0 and 1 % are as good as the same."""


class Hardness(Struct, frozen=True):
    """How hard a set of tasks is, as means over its tasks."""

    goals: float
    turns: float
    """Turns of the best schedule."""
    taught: float
    """Share of the plans' calls that the bundled training tasks have too."""

    def differs(self, other: "Hardness") -> float:
        """The largest difference in proportion to the other."""
        return max(
            abs(self.goals / other.goals - 1),
            abs(self.turns / other.turns - 1),
            abs(self.taught - other.taught) / max(other.taught, _FLOOR),
        )


class _Measured(Struct, frozen=True):
    task: CompoundTask
    goals: int
    turns: int
    calls: int
    taught: int


def hash_tasks(tasks: TaskSet) -> str:
    """The first digits of the digest of a set's tasks and world."""
    return hashlib.sha256(msgspec.json.encode([tasks.world_seed, tasks.tasks])).hexdigest()[:12]


def measure_hardness(tasks: TaskSet) -> Hardness:
    """Means over a set."""
    return _hardness([_measure(task, tasks.world_seed) for task in tasks.tasks])


def draw_fresh(path: Path, level: Level, seed: int, count: int | None = None) -> TaskSet:
    """A set of a level as large as the bundled one, or of so many tasks; read from its file where
    that was written before."""
    if path.exists():
        return read_tasks(path)
    bundled, world = load_bundled(level), FIRST_WORLD + seed
    count = count or len(bundled.tasks)
    drafts = find_drafts(level, count + -(-count // SPARE), Screen(world), seed, world)
    drawn = [_measure(task, world) for task in drafts.values()]
    if len(drawn) < count:
        raise InputError(
            f"--seed {seed}: expected {count} tasks of level {level}, found {len(drawn)} in what "
            "can be drawn. Ask for fewer with --limit."
        )
    chosen = _exchange(drawn[:count], drawn[count:], measure_hardness(bundled))
    tasks = [structs.replace(m.task, task_id=f"{level}-{n:03d}") for n, m in enumerate(chosen, 1)]
    fresh = TaskSet(world, f"pipeline, seed {seed}", tasks)
    write_tasks(path, fresh)
    return fresh


def _exchange(chosen: list[_Measured], spare: list[_Measured], goal: Hardness) -> list[_Measured]:
    """Tasks exchanged for spare ones, the best exchange first, until the set is as hard."""
    apart = _hardness(chosen).differs(goal)
    while apart > WITHIN / 2:
        best = min(
            product(range(len(chosen)), range(len(spare))),
            key=lambda pair: _hardness(_swap(chosen, spare, pair)[0]).differs(goal),
            default=None,
        )
        if best is None:
            break
        swapped = _swap(chosen, spare, best)
        closer = _hardness(swapped[0]).differs(goal)
        if closer >= apart:
            break
        (chosen, spare), apart = swapped, closer
    return chosen


def _swap(
    chosen: list[_Measured], spare: list[_Measured], pair: tuple[int, int]
) -> tuple[list[_Measured], list[_Measured]]:
    out, new = pair
    return (
        [*chosen[:out], spare[new], *chosen[out + 1 :]],
        [*spare[:new], chosen[out], *spare[new + 1 :]],
    )


def _measure(task: CompoundTask, world: int) -> _Measured:
    calls = find_calls(task, world)
    taught = len(calls & find_taught_calls())
    return _Measured(task, len(task.goals), len(levels_of(task)), len(calls), taught)


def _hardness(tasks: Sequence[_Measured]) -> Hardness:
    return Hardness(
        goals=sum(m.goals for m in tasks) / len(tasks),
        turns=sum(m.turns for m in tasks) / len(tasks),
        taught=sum(m.taught for m in tasks) / sum(m.calls for m in tasks),
    )
