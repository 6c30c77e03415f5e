"""Synthetic dialogues as tasks that are marked by outcome, for reinforcement: no two are the same.

A scene always asks the same of a tool, and an agent that is rewarded for scenes learns that answer
by heart. Takes dialogues, returns each as a compound task: every value that its exercises ask for
is a goal, and so is every row that a call leaves in the world. A task is dropped when its own plan
and answer do not solve it without harm, or when an empty answer solves it.
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
from agentdyno_train.exercises import Exercise
from agentdyno_train.synthetic_dialogues import SyntheticDialogue, for_worlds, generate_dialogues

SCENE = "drill"


class SyntheticTask(Struct, frozen=True):
    """A dialogue that can be marked."""

    world: int
    """Seed of its world."""
    task: CompoundTask
    """The task with its goals."""
    tools: list[str]
    """Names of the tools on offer."""


def make_synthetic_tasks(
    count: int, seed: int, worlds: range, most_tools: int
) -> list[SyntheticTask]:
    """`count` tasks over these worlds; equal arguments give equal tasks."""
    return for_worlds(partial(_of_world, seed=seed, most_tools=most_tools), count, worlds)


def _of_world(job: tuple[int, int], seed: int, most_tools: int) -> list[SyntheticTask]:
    world, count = job
    found = _tasks(generate_dialogues(world, seed, most_tools))
    return [next(found) for _ in range(count)]


def _tasks(dialogues: Iterator[SyntheticDialogue]) -> Iterator[SyntheticTask]:
    for dialogue in dialogues:
        task = task_of(dialogue)
        if task is not None:
            yield SyntheticTask(dialogue.world, task, dialogue.tools)


def task_of(dialogue: SyntheticDialogue) -> CompoundTask | None:
    """The task; None when it cannot be marked fairly."""
    draft = Draft(World(dialogue.world), random.Random(0))
    try:
        for exercise in dialogue.exercises:
            _write(draft, exercise)
        task_id = f"{SCENE}-{dialogue.number:04d}"
        task = CompoundTask(
            task_id, "train", dialogue.prompt, [SCENE], draft.subtasks(), draft.wishes()
        )
    except DraftError:
        return None
    return task if task.wishes and _is_fair(task, dialogue) else None


def _is_fair(task: CompoundTask, dialogue: SyntheticDialogue) -> bool:
    run = dialogue.run
    done = mark(task, run.calls, "\n".join(run.answers), dialogue.world)
    return done.solved and not mark(task, [], "", dialogue.world).done


def _write(draft: Draft, exercise: Exercise) -> None:
    """One exercise as steps of a draft, under names of their own there."""
    names: dict[str, str] = {}
    before = changes(draft.world.states(), draft.world.seed)
    for step in exercise.steps:
        done = draft.do(exercise.request, step.tool, _rename_steps(step.arguments, names))
        names[step.step_id] = done.subtask_id
        after = changes(draft.world.states(), draft.world.seed)
        left = _left(before, after)
        if left is not None:
            draft.leave(done, left)
        before = after
    for field in exercise.answer_fields:
        at = _rename_steps(field.at, names)
        if "field" not in at and "path" not in at:
            raise DraftError(f"{field.label} is no field")
        draft.steps[at["$from"]].tell(at)


def _rename_steps(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_rename_steps(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: names[item] if key == "$from" else _rename_steps(item, names)
        for key, item in value.items()
    }


def _left(before: list[Change], after: list[Change]) -> StateCheck | None:
    """What a call changed, as a goal; None when it changed nothing."""
    changed = [change for change in after if change not in before]
    if not changed:
        return None
    if len(changed) > 1:
        raise DraftError("one call changed several rows")
    change = changed[0]
    row = change.before if change.after is None else change.after
    assert row is not None
    named = {name: value for name, value in row.items() if value == change.key}
    if change.after is None:
        equals = named or row
    else:
        equals = (named if change.before is not None else {}) | _find_changed_fields(change)
    return StateCheck(change.server, change.collection, equals, gone=change.after is None)


def _find_changed_fields(change: Change) -> dict[str, Any]:
    """The fields that make the difference, without the id that a new row was given."""
    return {name: value for name, value in change.altered().items() if value != change.key}
