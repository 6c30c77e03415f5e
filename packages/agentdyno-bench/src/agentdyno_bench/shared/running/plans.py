"""A plan is what any benchmark has to give: a recipe for its task, a model, and how to run it.

Takes plans, runs one after the other, each resumed where it stopped; returns what became of them.
"""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct, structs

from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe, TaskRun


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


def repeat_plans(plans: Sequence[Plan]) -> list[Plan]:
    """Each plan as often as its epochs say, every attempt with a seed of its own. The first is
    what a run of one attempt is, so that more can be asked for later."""
    return [
        _attempt(plan, number) for plan in plans for number in range(1, plan.options.epochs + 1)
    ]


def _attempt(plan: Plan, number: int) -> Plan:
    if number == 1:
        return plan
    options = plan.options
    seed = None if options.seed is None else options.seed + number - 1
    return structs.replace(plan, options=structs.replace(options, attempt=number, seed=seed))


def run_plans(plans: Sequence[Plan], progress: Progress | None = None) -> list[TaskRun]:
    """One run for each attempt of each plan; none is started once the money of an earlier one is
    spent."""
    runs: list[TaskRun] = []
    attempts = repeat_plans(plans)
    for number, plan in enumerate(attempts, 1):
        name = plan.model.name
        if len(attempts) > 1:
            name += f", run {number} of {len(attempts)}"
        runs.append(_run(plan, partial(progress, name) if progress else None))
        if runs[-1].stopped is not None:
            break
    return runs


def _run(plan: Plan, progress: Callable[[int, int], None] | None) -> TaskRun:
    from agentdyno_bench.shared.running.task_runs import run_task

    return run_task(plan.task, plan.model, plan.options, progress)
