"""What the core may know of our tasks: their truth for labels, their parts for judges."""

from pathlib import Path

from agentdyno_bench.pipelines.known_tasks import KnownTasks, Parts
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled, read_tasks


def _parts(file: Path | None) -> Parts:
    sets = [load_bundled(level) for level in LEVELS] if file is None else [read_tasks(file)]
    return {
        task.task_id: tuple(goal.asks for goal in task.goals) for one in sets for task in one.tasks
    }


KNOWN_TASKS = (
    KnownTasks("toolfail", suite=lambda turns: load_suite(None, turns)),
    KnownTasks("tps", parts=_parts),
)
