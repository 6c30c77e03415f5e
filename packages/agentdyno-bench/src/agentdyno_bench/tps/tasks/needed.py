"""Which tools a set of tasks needs: one list for all of them, so that no list gives a task away."""

from collections.abc import Iterable

from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import CompoundTask, Level
from agentdyno_bench.tps.world.directory import all_tools


def find_needed_tools(level: Level, limit: int | None) -> list[str]:
    """Every tool that a reference plan of the first tasks of a level uses, in the world's order."""
    return tools_of(load_bundled(level).tasks[:limit])


def tools_of(tasks: Iterable[CompoundTask]) -> list[str]:
    """The same of these tasks."""
    used = {step.tool for task in tasks for step in task.subtasks}
    return [name for name in all_tools() if name in used]
