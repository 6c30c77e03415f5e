"""Tasks made from recipes, and what a task holds."""

from importlib import import_module
from typing import TYPE_CHECKING

from agentdyno.records import InputError
from agentdyno_bench.shared.running.options import TaskRecipe

if TYPE_CHECKING:
    from inspect_ai import Task


def build_task(task: "Task | TaskRecipe") -> "Task":
    """The task itself."""
    if not isinstance(task, TaskRecipe):
        return task
    from inspect_ai import Task

    module, _, name = task.factory.partition(":")
    built = getattr(import_module(module), name)(**task.arguments, **task.places)
    if not isinstance(built, Task):
        raise InputError(f"{task.factory}: expected an inspect_ai.Task, found {type(built)}.")
    return built


def sample_ids(task: "Task", limit: int | None) -> list[str | int]:
    """The ids of the samples to run, in order; samples without one are numbered from 1."""
    if task.epochs not in (None, 1):
        raise InputError(f"{task.name}: expected one attempt at each sample, found epochs.")
    for number, sample in enumerate(task.dataset, 1):
        sample.id = number if sample.id is None else sample.id
    ids: list[str | int] = [s.id for s in task.dataset if s.id is not None][:limit]
    if len({str(i) for i in ids}) < len(ids):
        raise InputError(f"{task.name}: expected a different id for each sample, found one twice.")
    if not ids:
        raise InputError(f"{task.name}: expected at least one sample, found none.")
    return ids
