"""Which tasks: the bundled ones, or those of a folder in the published format."""

from importlib.resources import files
from pathlib import Path

from agentdyno_bench.toolfail.records import TaskSuite
from agentdyno_bench.toolfail.tasks.task_suites import (
    Turns,
    find_named_files,
    load_folder,
    read_suite,
)

NAME = "toolfail"


def load_suite(folder: Path | None = None, turns: Turns = "single") -> TaskSuite:
    """The suite; `multi` adds the tasks of several turns, where the folder has some."""
    if folder is not None:
        return load_folder(folder, turns)
    return read_suite(files(__package__), NAME, find_named_files(turns))
