"""Training tasks: tasks of the training scenes, each with its tools and its world.

Bundled training tasks, tasks made for other worlds by the same pipeline, and synthetic dialogues;
scenes, chains and closings of the tests are in none, so nothing of theirs is learnt. Equal settings
give equal tasks. They can be written to a file once and read on the machine that trains.
In a share of the conversations the tools have other names, so that an agent reads the names on
offer instead of remembering them.
"""

import gzip
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_bench.tps.outcomes.submission import SUBMIT
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.pipeline import make_tasks
from agentdyno_bench.tps.tasks.screening import find_answered_pairs, find_calls
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from agentdyno_depth.engines.chat import ChatMessage
from agentdyno_train.options import TrainSettings
from agentdyno_train.plans import Conversation, conversation
from agentdyno_train.synthetic_dialogues import read_test_calls, read_test_pairs
from agentdyno_train.synthetic_tasks import make_synthetic_dialogues, make_synthetic_tasks
from agentdyno_train.tool_offers import offer

FIRST_WORLD, SYNTHETIC_WORLD = 1001, 2001
VERBS = ("get", "fetch", "do", "run", "query", "request", "use")
_LISTED = re.compile(r"^(\w+)(?=\()", re.MULTILINE)
_CALLED = re.compile(r'(?<=^\{"name": ")(\w+)(?=")', re.MULTILINE)


class TrainingTask(Struct, frozen=True):
    """One task as it is put to the agent."""

    task: CompoundTask
    """The task with its goals and its reference plan."""
    world_seed: int
    tools: list[str]

    @property
    def key(self) -> str:
        """Unique within a training."""
        return f"{self.world_seed}/{self.task.task_id}"


def make_training_tasks(settings: TrainSettings) -> list[TrainingTask]:
    """Every task of a training, in a fixed order."""
    tasks = [
        TrainingTask(task, world, tools)
        for world, task in _tasks(settings)
        if len(task.subtasks) <= settings.most_steps
        and _belongs_to_stage(task, settings)
        and (tools := offer(task, _rng(settings, world, task), settings.most_tools)) is not None
    ]
    tasks += _make_synthetic(settings) if settings.stage == "grpo" else []
    if not tasks:
        raise InputError(
            "expected tasks to train on, found none: most_tools or most_steps is too small, or "
            "bundled tasks, worlds and synthetic dialogues are all left out."
        )
    random.Random(settings.seed).shuffle(tasks)
    return tasks


def _make_synthetic(settings: TrainSettings) -> list[TrainingTask]:
    """Synthetic tasks for reinforcement, in worlds that no warm-up has seen."""
    worlds = range(SYNTHETIC_WORLD, SYNTHETIC_WORLD + max(1, settings.worlds))
    count = settings.synthetic_dialogues
    dialogues = make_synthetic_tasks(count, settings.seed, worlds, settings.most_tools)
    return [
        TrainingTask(dialogue.task, dialogue.world, dialogue.tools)
        for dialogue in dialogues
        if len(dialogue.task.subtasks) <= settings.most_steps
    ]


def _tasks(settings: TrainSettings) -> Iterator[tuple[int, CompoundTask]]:
    if settings.bundled:
        for task in load_bundled("train").tasks:
            yield DEFAULT_SEED, task
    pairs = read_test_pairs()
    for world in range(FIRST_WORLD, FIRST_WORLD + settings.worlds):
        for task in make_tasks({"train": settings.per_world}, seed=world, world_seed=world):
            if pairs & find_answered_pairs(task) or find_calls(task, world) & read_test_calls():
                continue
            yield world, task


def _belongs_to_stage(task: CompoundTask, settings: TrainSettings) -> bool:
    """A warm-up leaves scenes out that stand apart; reinforcement has tasks with one of them."""
    if not settings.apart:
        return True
    return (settings.stage == "grpo") == bool(
        select_held_out_scenes(settings.apart) & set(task.scenes)
    )


@cache
def select_held_out_scenes(share: float) -> frozenset[str]:
    """The training scenes that stand apart: always the same for a share."""
    scenes = sorted({scene for task in load_bundled("train").tasks for scene in task.scenes})
    return frozenset(random.Random("apart").sample(scenes, round(share * len(scenes))))


def _rng(settings: TrainSettings, world: int, task: CompoundTask) -> random.Random:
    return random.Random(f"{settings.seed}-{world}-{task.task_id}")


def conversations(
    training_tasks: Sequence[TrainingTask], settings: TrainSettings
) -> list[Conversation]:
    """The reference plan of every task as a conversation, a few with a slip; then synthetic
    ones."""
    talks = []
    for training_task in training_tasks:
        rng = random.Random(f"slip-{settings.seed}-{training_task.key}")
        slip = rng if rng.random() < settings.slips else None
        talk = conversation(training_task.task, training_task.tools, training_task.world_seed, slip)
        talks += [] if talk is None else [talk]
    worlds = range(FIRST_WORLD, FIRST_WORLD + max(1, settings.worlds))
    talks += make_synthetic_dialogues(settings.synthetic_dialogues, settings.seed, worlds)
    return [_alias_some(talk, settings) for talk in talks]


def _alias_some(talk: Conversation, settings: TrainSettings) -> Conversation:
    rng = random.Random(f"alias-{settings.seed}-{talk.world_seed}-{talk.task_id}")
    return rename_tools(talk, rng) if rng.random() < settings.aliases else talk


def write_training_tasks(path: Path, training_tasks: Sequence[TrainingTask]) -> None:
    """Tasks as a compressed file, a JSON object a line; the same tasks give the same bytes."""
    lines = b"\n".join(msgspec.json.encode(training_task) for training_task in training_tasks)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(lines, mtime=0))


def read_training_tasks(path: Path) -> list[TrainingTask]:
    """The tasks of a file."""
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines()
        return [msgspec.json.decode(line, type=TrainingTask) for line in lines if line]
    except (OSError, EOFError, msgspec.DecodeError) as error:
        raise InputError(f"{path}: expected a file of training tasks, found {error}.") from None


def rename_tools(talk: Conversation, rng: random.Random) -> Conversation:
    """The conversation with other names, chosen anew for each."""
    listed = _LISTED.findall(talk.messages[0].text)
    names = dict.fromkeys(name for name in listed if name != SUBMIT)
    used: set[str] = set()
    for name in names:
        names[name] = _unique(_alias(name, rng), used)
    return msgspec.structs.replace(
        talk, messages=[_rename_in(message, names) for message in talk.messages]
    )


def _rename_in(message: ChatMessage, names: dict[str, str | None]) -> ChatMessage:
    pattern = {"system": _LISTED, "assistant": _CALLED}.get(message.role)
    if pattern is None:
        return message
    text = pattern.sub(lambda found: names.get(found[1]) or found[1], message.text)
    return msgspec.structs.replace(message, text=text)


def _alias(name: str, rng: random.Random) -> str:
    server, _, tool = name.partition("_")
    words = tool.split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    number = rng.randint(2, 9)
    return rng.choice(
        (tool, f"{tool}_{server}", f"{rng.choice(VERBS)}_{tool}", camel, f"{server}{number}_{tool}",
         "_".join(reversed(words)), f"{rng.choice(VERBS)}{camel[:1].upper()}{camel[1:]}")
    )  # fmt: skip


def _unique(name: str, used: set[str]) -> str:
    while name in used:
        name += "_"
    used.add(name)
    return name
