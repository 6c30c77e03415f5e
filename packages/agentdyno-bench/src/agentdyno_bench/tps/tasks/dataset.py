"""The bundled tasks, and task files of one's own."""

import gzip
from functools import cache
from pathlib import Path

import msgspec

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.values import CompoundTask, Level, TaskSet

DATA = Path(__file__).parent / "data"
LEVELS: tuple[Level, ...] = ("easy", "hard", "purpose", "train")


@cache
def load_bundled(level: Level) -> TaskSet:
    """The bundled tasks of a level: 100 easy, 100 hard, 120 with a purpose, 597 for training."""
    return read_tasks(DATA / f"{level}.json.gz")


def task_by_id(task_id: str) -> CompoundTask:
    """A bundled task."""
    level = task_id.partition("-")[0]
    for task in load_bundled(level).tasks if level in LEVELS else ():
        if task.task_id == task_id:
            return task
    raise InputError(f"expected the id of a bundled task such as hard-001, found {task_id!r}.")


def read_tasks(path: Path) -> TaskSet:
    """A task file, compressed or not."""
    try:
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        return msgspec.json.decode(content, type=TaskSet)
    except (OSError, gzip.BadGzipFile, EOFError, msgspec.DecodeError) as error:
        raise InputError(f"{path}: expected a file of tasks, found {error}") from None


def write_tasks(path: Path, tasks: TaskSet) -> None:
    """Writes a task file; the same tasks give the same bytes."""
    content = msgspec.json.encode(tasks)
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    else:
        content = msgspec.json.format(content, indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
