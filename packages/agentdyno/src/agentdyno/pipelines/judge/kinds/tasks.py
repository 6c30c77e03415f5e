"""Tasks whose truth is known, for kinds that can use it: `bundled` or a path in, tasks out."""

from pathlib import Path

from agentdyno.records import InputError
from agentdyno.records.failures import TaskSuite

BUNDLED = "bundled"


def failure_suite(where: str | None) -> TaskSuite | None:
    """The tasks of `bench toolfail`, or a folder in that format."""
    from agentdyno_bench.toolfail.suite import load_suite

    if where is None:
        return None
    return load_suite(None if where == BUNDLED else _existing(where), "multi")


def completion_parts(where: str | None) -> dict[str, tuple[str, ...]]:
    """The wishes of the tasks of `bench tps`, or of a task file of one's own, by task."""
    from agentdyno_bench.tps.tasks.dataset import LEVELS, bundled, read_tasks

    if where is None:
        return {}
    sets = (
        [bundled(level) for level in LEVELS] if where == BUNDLED else [read_tasks(_existing(where))]
    )
    return {
        task.task_id: tuple(wish.asks for wish in task.wishes) for one in sets for task in one.tasks
    }


def _existing(where: str) -> Path:
    path = Path(where)
    if not path.exists():
        raise InputError(f"--tasks {where}: expected `bundled` or a path, found nothing there.")
    return path
