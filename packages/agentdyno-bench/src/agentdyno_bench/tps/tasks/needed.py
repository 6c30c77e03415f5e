"""Which tools a set of tasks needs: one list for all of them, so that no list gives a task away."""

from pathlib import Path

from agentdyno_bench.tps.tasks.dataset import load_bundled, read_tasks
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_bench.tps.world.directory import all_tools


def find_needed_tools(tasks: Level | Path, limit: int | None) -> list[str]:
    """Every tool that a reference plan of the first tasks uses, in the world's order."""
    suite = read_tasks(tasks) if isinstance(tasks, Path) else load_bundled(tasks)
    used = {step.tool for task in suite.tasks[:limit] for step in task.subtasks}
    return [name for name in all_tools() if name in used]
