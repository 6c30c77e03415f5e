"""Which tasks: the bundled ones, or those of a folder in the published format."""

from importlib.resources import files
from pathlib import Path
from typing import Literal

from agentdyno.intake.task_suites import FILES, read_suite
from agentdyno.records.failures import TaskSuite

Turns = Literal["single", "multi"]

NAME = "toolfail"


def load_suite(
    folder: Path | None = None, turns: Turns = "single", tools_needed: bool = True
) -> TaskSuite:
    """The suite; `multi` adds the tasks of several turns, where the folder has some. Who only
    labels answers can do without the tools; then a file of tasks will do in place of a folder."""
    wanted = FILES if turns == "multi" else FILES[:1]
    if folder is not None and folder.is_file() and not tools_needed:
        return read_suite(folder.parent, folder.stem, (folder.name,), tools_needed)
    if folder is not None:
        return read_suite(folder, folder.resolve().name, wanted, tools_needed)
    return read_suite(files(__package__).joinpath("tasks"), NAME, wanted)
