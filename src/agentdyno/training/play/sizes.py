"""The tasks of a dyno sheet whose games were played before: a folder of plays in, tasks out.

What a hurried GPU left out is not made up for by whoever measures, where it might take hours: an
agent has the levels that it played as many tasks of as any agent of the folder.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from agentdyno.benchmarks.sheet_plans import SheetTasks
from agentdyno.benchmarks.tps.tasks.values import Level
from agentdyno.training.play.plays import PLAYS, Journal, Play, read_asked


def tasks_played(folder: Path, agent: str, in_process: bool, unsafe_python: bool) -> SheetTasks:
    """The tasks that an agent played, as many of each kind as were asked for."""
    asked, there = read_asked(folder), _levels(folder)[1].get(agent, set())
    sizes: dict[Level, int] = {"easy": asked.easy, "hard": asked.hard}
    return SheetTasks(
        [(level, many) for level, many in sizes.items() if level in there],
        turns=asked.turns,
        in_process=in_process,
        toolfail=asked.toolfail if "toolfail" in there else 0,
        tir=asked.tir if asked.benchmark in there else 0,
        unsafe_python=unsafe_python,
    )


def levels_left_out(folder: Path, agents: Iterable[str]) -> dict[str, list[str]]:
    """For each agent what others played and it did not, or not all of; nothing where it did."""
    every, there = _levels(folder)
    missing = {agent: sorted(every - there.get(agent, set())) for agent in agents}
    return {agent: levels for agent, levels in missing.items() if levels}


def _levels(folder: Path) -> tuple[set[str], dict[str, set[str]]]:
    """Every level of a folder, and those that each agent has whole."""
    plays = Journal(folder).read(PLAYS, Play)
    counts = Counter((play.agent, play.level) for play in plays if play.attempt == 0)
    most: dict[str, int] = {}
    for (_, level), count in counts.items():
        most[level] = max(count, most.get(level, 0))
    whole: dict[str, set[str]] = {}
    for (agent, level), count in counts.items():
        if count == most[level]:
            whole.setdefault(agent, set()).add(level)
    return set(most), whole
