"""What is trained on: tasks of the training scenes, each with its tools and its world.

Bundled training tasks, tasks made for other worlds by the same pipeline, and drills; scenes, chains
and closings of the tests are in none, so nothing of theirs is learnt. Equal settings give equal
lessons. Lessons can be written to a file once and read on the machine that trains.
"""

import gzip
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.dataset import bundled
from agentdyno_bench.tps.tasks.pipeline import make_tasks
from agentdyno_bench.tps.tasks.screening import answered_pairs
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from agentdyno_train.aliases import aliased
from agentdyno_train.drill_tasks import drill_tasks
from agentdyno_train.drills import drill_conversations, held_pairs
from agentdyno_train.offering import offer
from agentdyno_train.options import TrainSettings
from agentdyno_train.plans import Conversation, conversation

FIRST_WORLD, DRILLED_WORLD = 1001, 2001


class Lesson(Struct, frozen=True):
    """One task as it is put to the agent."""

    task: CompoundTask
    """The task."""
    world_seed: int
    """Its world."""
    tools: list[str]
    """Tools on offer."""

    @property
    def key(self) -> str:
        """Unique within a training."""
        return f"{self.world_seed}/{self.task.task_id}"


def make_lessons(settings: TrainSettings) -> list[Lesson]:
    """Every lesson of a training, in a fixed order."""
    found = [
        Lesson(task, world, tools)
        for world, task in _tasks(settings)
        if len(task.subtasks) <= settings.most_steps
        and _is_wanted(task, settings)
        and (tools := offer(task, _rng(settings, world, task), settings.most_tools)) is not None
    ]
    found += _drilled(settings) if settings.stage == "grpo" else []
    if not found:
        raise InputError(
            "expected lessons to train on, found none: most_tools or most_steps is too small, or "
            "bundled tasks, worlds and drills are all left out."
        )
    random.Random(settings.seed).shuffle(found)
    return found


def _drilled(settings: TrainSettings) -> list[Lesson]:
    """Drills that reinforcement learns from, in worlds that no warm-up has seen."""
    worlds = range(DRILLED_WORLD, DRILLED_WORLD + max(1, settings.worlds))
    made = drill_tasks(settings.drills, settings.seed, worlds, settings.most_tools)
    return [
        Lesson(one.task, one.world, one.tools)
        for one in made
        if len(one.task.subtasks) <= settings.most_steps
    ]


def _tasks(settings: TrainSettings) -> Iterator[tuple[int, CompoundTask]]:
    if settings.bundled:
        for task in bundled("train").tasks:
            yield DEFAULT_SEED, task
    held = held_pairs()
    for world in range(FIRST_WORLD, FIRST_WORLD + settings.worlds):
        for task in make_tasks({"train": settings.per_world}, seed=world, world_seed=world):
            if not held & answered_pairs(task):
                yield world, task


def _is_wanted(task: CompoundTask, settings: TrainSettings) -> bool:
    """A warm-up leaves scenes out that stand apart; reinforcement has tasks with one of them."""
    if not settings.apart:
        return True
    return (settings.stage == "grpo") == bool(apart(settings.apart) & set(task.scenes))


@cache
def apart(share: float) -> frozenset[str]:
    """The training scenes that stand apart: always the same for a share."""
    scenes = sorted({scene for task in bundled("train").tasks for scene in task.scenes})
    return frozenset(random.Random("apart").sample(scenes, round(share * len(scenes))))


def _rng(settings: TrainSettings, world: int, task: CompoundTask) -> random.Random:
    return random.Random(f"{settings.seed}-{world}-{task.task_id}")


def conversations(lessons: Sequence[Lesson], settings: TrainSettings) -> list[Conversation]:
    """The reference plan of every lesson as a conversation, a few with a slip; then drills."""
    found = []
    for lesson in lessons:
        rng = random.Random(f"slip-{settings.seed}-{lesson.key}")
        slip = rng if rng.random() < settings.slips else None
        made = conversation(lesson.task, lesson.tools, lesson.world_seed, slip)
        found += [] if made is None else [made]
    worlds = range(FIRST_WORLD, FIRST_WORLD + max(1, settings.worlds))
    found += drill_conversations(settings.drills, settings.seed, worlds)
    return [_named(talk, settings) for talk in found]


def _named(talk: Conversation, settings: TrainSettings) -> Conversation:
    rng = random.Random(f"alias-{settings.seed}-{talk.world_seed}-{talk.task_id}")
    return aliased(talk, rng) if rng.random() < settings.aliases else talk


def write_lessons(path: Path, lessons: Sequence[Lesson]) -> None:
    """Lessons as a compressed file, a JSON object a line; the same lessons give the same bytes."""
    lines = b"\n".join(msgspec.json.encode(lesson) for lesson in lessons)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(lines, mtime=0))


def read_lessons(path: Path) -> list[Lesson]:
    """Lessons of a file."""
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines()
        return [msgspec.json.decode(line, type=Lesson) for line in lines if line]
    except (OSError, EOFError, msgspec.DecodeError) as error:
        raise InputError(f"{path}: expected a file of lessons, found {error}.") from None
