"""Writes the bundled tasks of the planning world again.

    python tools/publish_planning_tasks.py         from the numbers of their drafts
    python tools/publish_planning_tasks.py hard    a level from new drafts, when its scenes change

The drafts that became tasks are kept by their numbers: another screen changes no bundled task, and
results stay comparable. `agentdyno world tasks --seed N` draws fresh ones for anybody.
"""

import sys

from msgspec import structs

from agentdyno_bench.tps.tasks.dataset import DATA, LEVELS, load_bundled, write_tasks
from agentdyno_bench.tps.tasks.pipeline import find_drafts, redraw
from agentdyno_bench.tps.tasks.screening import Screen
from agentdyno_bench.tps.tasks.values import Level, TaskSet

SEED = 1
"""Of what is published; results on other seeds are not results on the published tasks."""
WORLDS: dict[Level, int] = {"easy": 13, "hard": 11, "purpose": 11, "train": 7}
"""Tests have worlds that are in no training: their ids and figures cannot be known."""


def remake(level: Level) -> TaskSet:
    """The bundled tasks of a level, from the numbers of their drafts."""
    bundled = load_bundled(level)
    return structs.replace(bundled, tasks=redraw(level, bundled.draws, SEED, bundled.world_seed))


def draw_anew(level: Level) -> TaskSet:
    """As many tasks of a level as are bundled, from the first drafts that pass today's screen."""
    bundled = load_bundled(level)
    count, world = len(bundled.tasks), WORLDS[level]
    draws = list(find_drafts(level, count, Screen(world), SEED, world))
    return structs.replace(
        bundled, world_seed=world, draws=draws, tasks=redraw(level, draws, SEED, world)
    )


def publish() -> None:
    """Makes and writes every level."""
    for level in LEVELS:
        write_tasks(DATA / f"{level}.json.gz", remake(level))


if __name__ == "__main__":
    for name in [level for level in LEVELS if level in sys.argv[1:]]:
        write_tasks(DATA / f"{name}.json.gz", draw_anew(name))
    if not sys.argv[1:]:
        publish()
