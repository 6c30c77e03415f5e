"""Writes the bundled tasks of the planning world again: `python tools/publish_planning_tasks.py`.

The drafts that became tasks are kept by their numbers: another screen changes no bundled task, and
results stay comparable. `pipeline.make_tasks` draws and screens new ones. Tasks with a purpose have
a world of their own, so that nothing in it has an id that occurs in training.
"""

from msgspec import structs

from agentdyno_bench.tps.tasks.dataset import DATA, LEVELS, load_bundled, write_tasks
from agentdyno_bench.tps.tasks.pipeline import redraw
from agentdyno_bench.tps.tasks.values import Level, TaskSet

SEED = 1


def remake(level: Level) -> TaskSet:
    """The bundled tasks of a level, from the numbers of their drafts."""
    bundled = load_bundled(level)
    return structs.replace(bundled, tasks=redraw(level, bundled.draws, SEED, bundled.world_seed))


def publish() -> None:
    """Makes and writes every level."""
    for level in LEVELS:
        write_tasks(DATA / f"{level}.json.gz", remake(level))


if __name__ == "__main__":
    publish()
