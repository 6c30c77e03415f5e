"""Which tasks: the bundled ones, or those of a folder in the published format."""

from importlib.resources import files
from pathlib import Path

from msgspec import structs

from agentdyno_bench.toolfail.records import TaskSuite
from agentdyno_bench.toolfail.tasks.published import read_field_names
from agentdyno_bench.toolfail.tasks.task_suites import (
    Turns,
    find_named_files,
    load_folder,
    read_suite,
)

NAME = "toolfail"


def load_suite(
    folder: Path | None = None,
    turns: Turns = "single",
    published: Path | None = None,
    tools_needed: bool = True,
) -> TaskSuite:
    """The suite; `multi` adds the tasks of several turns, where the folder has some. `published` is
    the published repository, of which the rule takes its list of field names."""
    if folder is not None:
        suite = load_folder(folder, turns, tools_needed)
    else:
        suite = read_suite(files(__package__), NAME, find_named_files(turns))
    if published is None:
        return suite
    return structs.replace(suite, field_names=read_field_names(published))
