"""Drills as tasks that are marked by outcome, for reinforcement: no two ask the same.

A scene always asks the same of a tool, and an agent that is paid for scenes learns to say that.
Takes drills, returns each as a compound task: every value that its exercises want said is a wish,
and so is every row that a call leaves in the world. What its own plan and answer do not solve
without harm is dropped, and what silence solves, too.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.changes import Change, changes
from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.tasks.values import CompoundTask, StateCheck
from agentdyno_bench.tps.world import World
from agentdyno_train.drills import Drill, drills_of, for_worlds
from agentdyno_train.exercises import Exercise

SCENE = "drill"


class DrillTask(Struct, frozen=True):
    """A drill that can be marked."""

    world: int
    """Seed of its world."""
    task: CompoundTask
    """The task."""
    tools: list[str]
    """Tools on offer."""


def drill_tasks(count: int, seed: int, worlds: range, most_tools: int) -> list[DrillTask]:
    """So many, over these worlds; equal arguments, equal tasks."""
    return for_worlds(partial(_of_world, seed=seed, most_tools=most_tools), count, worlds)


def _of_world(wanted: tuple[int, int], seed: int, most_tools: int) -> list[DrillTask]:
    world, count = wanted
    found = _tasks(drills_of(world, seed, most_tools))
    return [next(found) for _ in range(count)]


def _tasks(drills: Iterator[Drill]) -> Iterator[DrillTask]:
    for drill in drills:
        task = task_of(drill)
        if task is not None:
            yield DrillTask(drill.world, task, drill.tools)


def task_of(drill: Drill) -> CompoundTask | None:
    """The task; None when it cannot be marked fairly."""
    draft = Draft(World(drill.world), random.Random(0))
    try:
        for exercise in drill.exercises:
            _write(draft, exercise)
        task_id = f"{SCENE}-{drill.number:04d}"
        task = CompoundTask(
            task_id, "train", drill.prompt, [SCENE], draft.subtasks(), draft.wishes()
        )
    except DraftError:
        return None
    return task if task.wishes and _is_fair(task, drill) else None


def _is_fair(task: CompoundTask, drill: Drill) -> bool:
    played = drill.played
    done = mark(task, played.made, "\n".join(played.answers), drill.world)
    return done.solved and not mark(task, [], "", drill.world).done


def _write(draft: Draft, exercise: Exercise) -> None:
    """One exercise as steps of a draft, under names of their own there."""
    names: dict[str, str] = {}
    before = changes(draft.world.states(), draft.world.seed)
    for step in exercise.steps:
        done = draft.do(exercise.asks, step.tool, _renamed(step.arguments, names))
        names[step.step_id] = done.subtask_id
        after = changes(draft.world.states(), draft.world.seed)
        left = _left(before, after)
        if left is not None:
            draft.leave(done, left)
        before = after
    for said in exercise.said:
        at = _renamed(said.at, names)
        if "field" not in at and "path" not in at:
            raise DraftError(f"{said.label} is no field")
        draft.steps[at["$from"]].tell(at)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: names[item] if key == "$from" else _renamed(item, names) for key, item in value.items()
    }


def _left(before: list[Change], after: list[Change]) -> StateCheck | None:
    """What a call changed, as a wish; None when it changed nothing."""
    made = [change for change in after if change not in before]
    if not made:
        return None
    if len(made) > 1:
        raise DraftError("one call changed several rows")
    change = made[0]
    row = change.before if change.after is None else change.after
    assert row is not None
    named = {name: value for name, value in row.items() if value == change.key}
    if change.after is None:
        equals = named or row
    else:
        equals = (named if change.before is not None else {}) | _wished(change)
    return StateCheck(change.server, change.collection, equals, gone=change.after is None)


def _wished(change: Change) -> dict[str, Any]:
    """The fields that make the difference, without the id that a new row was given."""
    return {name: value for name, value in change.altered().items() if value != change.key}
