"""Writes the bundled tasks of the planning world again: `python tools/publish_planning_tasks.py`.

The same sources give the same files.
"""

from agentdyno_bench.tps.tasks.dataset import DATA, LEVELS, write_tasks
from agentdyno_bench.tps.tasks.pipeline import make_tasks
from agentdyno_bench.tps.tasks.values import Level, TaskSet
from agentdyno_bench.tps.world.directory import DEFAULT_SEED

SEED = 1
COUNTS: dict[Level, int] = {"easy": 100, "hard": 100, "train": 640}


def publish() -> None:
    """Makes and writes every level."""
    tasks = make_tasks(COUNTS, SEED, DEFAULT_SEED)
    for level in LEVELS:
        mine = [task for task in tasks if task.level == level]
        write_tasks(DATA / f"{level}.json.gz", TaskSet(DEFAULT_SEED, f"pipeline {SEED}", mine))


if __name__ == "__main__":
    publish()
