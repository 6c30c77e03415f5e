"""A plan is what any benchmark has to give: a recipe for its task, a model, and how to run it."""

from msgspec import Struct

from agentdyno.benchmarks.running.options import ModelSpec, RunOptions, TaskRecipe


class Plan(Struct, frozen=True):
    """One task for one model."""

    task: TaskRecipe
    """How to make the task."""
    model: ModelSpec
    """Who is to solve it."""
    options: RunOptions
    """How; all plans of a run share the folder `out`."""
