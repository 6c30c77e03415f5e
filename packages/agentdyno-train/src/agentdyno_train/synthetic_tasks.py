"""Synthetic dialogues as tasks that are marked by outcome, and as conversations to learn from.

A scene always asks the same of a tool, and an agent that is rewarded for scenes learns that answer
by heart. Takes dialogues, returns each as a compound task: every value that its exercises ask for
is a goal, and so is every row that a call leaves in the world. A task is dropped when its own plan
and submission do not solve it without harm, or when the submission alone meets a goal. What is
learnt from ends with the same call of `submit` that the environment asks for.
"""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.changes import Change, changes
from agentdyno_bench.tps.outcomes.submission import SUBMIT, answers_of, right_fields
from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.tasks.references import UnclearError, find_needed, resolve
from agentdyno_bench.tps.tasks.slots import slot_of
from agentdyno_bench.tps.tasks.values import CompoundTask, Goal, StateCheck, Subtask
from agentdyno_bench.tps.world import World
from agentdyno_depth.engines.chat import ChatMessage
from agentdyno_depth.engines.dialect import write_call, write_results, write_turn
from agentdyno_train.environment import open_task
from agentdyno_train.exercises import AnswerField, Exercise, ExerciseRun
from agentdyno_train.plans import Conversation
from agentdyno_train.synthetic_dialogues import (
    MOST_TOOLS,
    SyntheticDialogue,
    for_worlds,
    generate_dialogues,
)

SCENE = "drill"


class SyntheticTask(Struct, frozen=True):
    """A dialogue that can be marked."""

    world: int
    task: CompoundTask
    """The task with its goals."""
    tools: list[str]


def make_synthetic_tasks(
    count: int, seed: int, worlds: range, most_tools: int
) -> list[SyntheticTask]:
    """`count` tasks over these worlds; equal arguments give equal tasks."""
    return for_worlds(partial(_of_world, seed=seed, most_tools=most_tools), count, worlds)


def _of_world(job: tuple[int, int], seed: int, most_tools: int) -> list[SyntheticTask]:
    world, count = job
    dialogues = islice(_marked(generate_dialogues(world, seed, most_tools)), count)
    return [SyntheticTask(world, task, dialogue.tools) for dialogue, task in dialogues]


def _marked(
    dialogues: Iterator[SyntheticDialogue],
) -> Iterator[tuple[SyntheticDialogue, CompoundTask]]:
    for dialogue in dialogues:
        task = task_of(dialogue)
        if task is not None:
            yield dialogue, task


def make_synthetic_dialogues(
    count: int, seed: int, worlds: Sequence[int], most_tools: int = MOST_TOOLS
) -> list[Conversation]:
    """`count` conversations over these worlds in turn; equal arguments give equal conversations."""
    make = partial(_demonstrate_world, seed=seed, most_tools=most_tools)
    return for_worlds(make, count, worlds)


def _demonstrate_world(job: tuple[int, int], seed: int, most_tools: int) -> list[Conversation]:
    world, count = job
    dialogues = islice(generate_dialogues(world, seed, most_tools), count)
    return [_demonstrate(dialogue) for dialogue in dialogues]


def _demonstrate(dialogue: SyntheticDialogue) -> Conversation:
    task = outline(dialogue)
    messages = [*open_task(task, dialogue.tools), *_turns(dialogue.run)]
    submission = write_call(SUBMIT, right_fields(task))
    last = ChatMessage("assistant", write_turn(dialogue.run.thoughts[-1], submission))
    return Conversation(task.task_id, dialogue.world, [*messages, last])


def outline(dialogue: SyntheticDialogue) -> CompoundTask:
    """A dialogue's requests as a task without goal states: every dialogue can be learnt from, not
    every one can be marked."""
    steps, goals = list[Subtask](), list[Goal]()
    for number, (exercise, results) in enumerate(
        zip(dialogue.exercises, dialogue.run.results, strict=True)
    ):
        names = {step.step_id: f"e{number}-{step.step_id}" for step in exercise.steps}
        for step in exercise.steps:
            parts = [field for field in exercise.answer_fields if field.at["$from"] == step.step_id]
            values: dict[str, tuple[str, Any]] = {}
            for field in parts:
                value = _plain(field, resolve(field.at, results))
                values.setdefault(repr(value), (_field_name(field), value))
            goals += [
                Goal(f"w{len(goals) + n}", names[step.step_id], "", slot_of(name, v, None, []))
                for n, (name, v) in enumerate(values.values(), 1)
            ]
            arguments = _rename_steps(step.arguments, names)
            needs = [names[need] for need in find_needed(step.arguments)]
            steps.append(
                Subtask(names[step.step_id], "", step.tool, arguments, needs,
                        [step.tool], [], [], [], None, 0.0)
            )  # fmt: skip
    name = f"{SCENE}-{dialogue.number:04d}"
    return CompoundTask(name, "train", dialogue.prompt, [SCENE], steps, goals)


def _plain(field: AnswerField, value: Any) -> Any:
    """Turn a whole figure back into an integer."""
    is_whole = "pattern" in field.at and isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def _field_name(field: AnswerField) -> str:
    at = field.at
    return str(at.get("field") or at.get("path") or field.label).rpartition(".")[2]


def _turns(run: ExerciseRun) -> list[ChatMessage]:
    messages = []
    for level, thought in zip(run.levels, run.thoughts, strict=False):
        calls = "\n".join(write_call(call.tool, call.arguments) for call in level)
        turn = ChatMessage("assistant", write_turn(thought, calls))
        messages += [turn, write_results(call.text for call in level)]
    return messages


def task_of(dialogue: SyntheticDialogue) -> CompoundTask | None:
    """The task; None when it cannot be marked fairly."""
    draft = Draft(World(dialogue.world), random.Random(0))
    try:
        for exercise in dialogue.exercises:
            _write(draft, exercise)
        task_id = f"{SCENE}-{dialogue.number:04d}"
        task = CompoundTask(
            task_id, "train", dialogue.prompt, [SCENE], draft.subtasks(), draft.goals()
        )
    except DraftError:
        return None
    return task if task.goals and _is_fair(task, dialogue) else None


def _is_fair(task: CompoundTask, dialogue: SyntheticDialogue) -> bool:
    right = answers_of(task)
    try:
        by_levels = run_plan(task, World(dialogue.world, timed=False), by_levels=True).calls
    except UnclearError:  # A step refers to what only another order of the steps shows.
        return False
    marks = [mark(task, calls, right, dialogue.world) for calls in (dialogue.run.calls, by_levels)]
    return all(m.solved for m in marks) and not mark(task, [], right, dialogue.world).done


def _write(draft: Draft, exercise: Exercise) -> None:
    """One exercise as steps of a draft, under names of their own there."""
    names: dict[str, str] = {}
    before = changes(draft.world.states(), draft.world.seed)
    for step in exercise.steps:
        step_done = draft.do(exercise.request, step.tool, _rename_steps(step.arguments, names))
        names[step.step_id] = step_done.subtask_id
        after = changes(draft.world.states(), draft.world.seed)
        state = _changed_state(before, after)
        if state is not None:
            draft.leave(step_done, state)
        before = after
    for field in exercise.answer_fields:
        at = _rename_steps(field.at, names)
        if "field" not in at and "path" not in at:
            raise DraftError(f"{field.label} is no field")
        draft.steps[at["$from"]].ask_for(at)


def _rename_steps(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_rename_steps(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: names[item] if key == "$from" else _rename_steps(item, names)
        for key, item in value.items()
    }


def _changed_state(before: list[Change], after: list[Change]) -> StateCheck | None:
    """A call's change as a goal; None when it changed nothing."""
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
