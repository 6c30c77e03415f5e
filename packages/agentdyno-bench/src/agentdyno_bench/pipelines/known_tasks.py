"""Tasks whose truth is known: from a path of the user's, or bundled with agentdyno-bench.

The entry point group is `agentdyno.known_tasks`. Takes `bundled` or a path, returns tasks.
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from agentdyno.plugins import enter
from agentdyno.records import InputError
from agentdyno_bench.records.failures import TaskSuite
from agentdyno_bench.toolfail.task_suites import Turns

GROUP = "agentdyno.known_tasks"
Parts = dict[str, tuple[str, ...]]
"""What each task asks for, by task."""


class KnownTasks(Struct, frozen=True):
    """What a package knows of its own tasks; any part may be missing."""

    name: str
    suite: Callable[[Turns], TaskSuite] | None = None
    """Its tasks with the truth that labels answers."""
    parts: Callable[[Path | None], Parts] | None = None
    """The parts of its tasks, or of a file of tasks in its format."""


def load_bundled_suite(turns: Turns) -> TaskSuite:
    """The bundled tasks whose answers can be labelled."""
    for known in enter(GROUP, KnownTasks)[0].values():
        if known.suite is not None:
            return known.suite(turns)
    raise InputError("the bundled tasks need agentdyno-bench: pip install agentdyno[bench]")


def task_parts(file: Path | None) -> Parts:
    """The parts of the bundled tasks, or of those in a file."""
    for known in enter(GROUP, KnownTasks)[0].values():
        if known.parts is not None:
            return known.parts(file)
    raise InputError(
        "--tasks with --kind completion needs agentdyno-bench: pip install agentdyno[bench]"
    )
