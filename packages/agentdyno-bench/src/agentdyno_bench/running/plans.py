"""A plan is what any benchmark has to give: a recipe for its task, a model, and how to run it.

Takes plans, runs one after the other, each resumed where it stopped; returns what became of them.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from agentdyno_bench.running.options import ModelSpec, RunOptions, TaskRecipe, TaskRun


class Plan(Struct, frozen=True):
    """One task for one model."""

    task: TaskRecipe
    """How to make the task."""
    model: ModelSpec
    """Who is to solve it."""
    options: RunOptions
    """How; all plans of a run share the folder `out`."""


Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much of it is done, and of how much."""


def run_plans(plans: Sequence[Plan], progress: Progress | None = None) -> list[TaskRun]:
    """One run for each plan."""
    return [_run(plan, progress) for plan in plans]


def _run(plan: Plan, progress: Progress | None) -> TaskRun:
    from agentdyno_bench.running.task_runs import run_task

    def report(done: int, total: int) -> None:
        assert progress is not None
        progress(plan.model.name, done, total)

    return run_task(plan.task, plan.model, plan.options, report if progress else None)
