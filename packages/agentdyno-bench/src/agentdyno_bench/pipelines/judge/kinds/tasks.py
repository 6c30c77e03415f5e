"""Tasks whose truth is known, for kinds that can use it: `bundled` or a path in, tasks out."""

from pathlib import Path

from agentdyno.records import InputError
from agentdyno.records.failures import TaskSuite
from agentdyno_bench.pipelines.known_tasks import Parts, load_bundled_suite, task_parts
from agentdyno_bench.toolfail.task_suites import load_folder

BUNDLED = "bundled"


def failure_suite(where: str | None) -> TaskSuite | None:
    """The tasks of `bench toolfail`, or a folder in that format."""
    if where is None:
        return None
    return (
        load_bundled_suite("multi")
        if where == BUNDLED
        else load_folder(_require_existing(where), "multi")
    )


def completion_parts(where: str | None) -> Parts:
    """The wishes of the tasks of `bench tps`, or of a task file of one's own, by task."""
    if where is None:
        return {}
    return task_parts(None if where == BUNDLED else _require_existing(where))


def _require_existing(where: str) -> Path:
    path = Path(where)
    if not path.exists():
        raise InputError(f"--tasks {where}: expected `bundled` or a path, found nothing there.")
    return path
