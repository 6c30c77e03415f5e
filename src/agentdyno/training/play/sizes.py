"""The tasks of a dyno sheet whose games were played before: a folder of plays in, tasks out.

What a hurried GPU left out is not made up for by whoever measures, where it might take hours.
"""

from collections.abc import Iterable
from pathlib import Path

from agentdyno.benchmarks.sheet_plans import SheetTasks
from agentdyno.benchmarks.tps.tasks.values import Level
from agentdyno.training.play.plays import PLAYS, Journal, Play, read_asked


def tasks_played(
    folder: Path, agents: Iterable[str], in_process: bool, unsafe_python: bool
) -> SheetTasks:
    """The tasks that these agents played, as many of each kind as were asked for."""
    asked, names = read_asked(folder), set(agents)
    plays = Journal(folder).read(PLAYS, Play)
    there = {play.level for play in plays if play.attempt == 0 and play.agent in names}
    sizes: dict[Level, int] = {"easy": asked.easy, "hard": asked.hard}
    return SheetTasks(
        [(level, many) for level, many in sizes.items() if level in there],
        turns=asked.turns,
        in_process=in_process,
        toolfail=asked.toolfail if "toolfail" in there else 0,
        tir=asked.tir if asked.benchmark in there else 0,
        unsafe_python=unsafe_python,
    )
