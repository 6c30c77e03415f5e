"""The plans of the failure benchmark: its task with each model."""

from collections.abc import Sequence
from pathlib import Path

from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.shared.running.plans import Plan
from agentdyno_bench.toolfail.records import Answers
from agentdyno_bench.toolfail.tasks.factories import SCORED
from agentdyno_bench.toolfail.tasks.task_suites import Turns


def toolfail_plans(
    models: Sequence[ModelSpec],
    run: RunOptions,
    tasks: Path | None = None,
    turns: Turns = "single",
    stride: int | None = None,
    answers: Answers = "submit",
    published: Path | None = None,
    prompt: str | None = None,
) -> list[Plan]:
    """The task with every model; `stride` takes one in so many questions, None all of them."""
    values = {
        "tasks": str(tasks.resolve()) if tasks else None,
        "turns": turns,
        "stride": stride,
        "answers": answers,
        "prompt": prompt,
        "published": str(published.resolve()) if published else None,
    }
    recipe = TaskRecipe(SCORED, {key: value for key, value in values.items() if value is not None})
    each_once = {model.name: model for model in models}.values()
    return [Plan(recipe, model, run) for model in each_once]
