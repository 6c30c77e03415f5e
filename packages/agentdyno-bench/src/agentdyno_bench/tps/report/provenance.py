"""What a figure was measured on: task set with its digest and world, versions, command, losses."""

import shlex
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

from agentdyno.records import printable
from agentdyno.reports.topic import Topic, table_of
from agentdyno_bench.shared.running.options import TaskRun
from agentdyno_bench.tps.outcomes.marking import MARKS_VERSION
from agentdyno_bench.tps.tasks.dataset import load_bundled, read_tasks
from agentdyno_bench.tps.tasks.fresh import hash_tasks
from agentdyno_bench.tps.tasks.values import Level

_SECRET = ("-M", "-J", "--model-argument", "--judge-argument")
"""Options whose values may hold keys."""
BUNDLED = (
    "The bundled tasks come with their answers. For a figure to be published, --seed N draws a set "
    "as hard whose answers nobody has."
)


class UsedTasks(Struct, frozen=True):
    """A task set of a run."""

    level: str
    tasks: int
    digest: str
    world_seed: int
    origin: str
    """`bundled`, or the file's own word."""


class Provenance(Struct, frozen=True):
    """What a run was."""

    sets: list[UsedTasks]
    samples: int
    lost: int
    """Samples that ended with an error and are in no figure."""
    version: str
    marks_version: int
    command: str


def describe_run(
    files: dict[Level, Path | None], runs: Sequence[TaskRun], words: Sequence[str]
) -> Provenance:
    """The provenance of a run; `words` are those of its command."""
    return Provenance(
        sets=[_describe_set(level, path) for level, path in files.items()],
        samples=sum(run.samples for run in runs),
        lost=sum(len(run.failed) for run in runs),
        version=version("agentdyno-bench"),
        marks_version=MARKS_VERSION,
        command=shlex.join(["agentdyno", *_hide_keys(words)]),
    )


def _describe_set(level: Level, path: Path | None) -> UsedTasks:
    used = load_bundled(level) if path is None else read_tasks(path)
    origin = "bundled" if path is None else printable(used.made_by, 60)
    return UsedTasks(level, len(used.tasks), hash_tasks(used), used.world_seed, origin)


def _hide_keys(words: Sequence[str]) -> list[str]:
    """A command's words without the values of arguments for a model's provider."""
    hidden, before = list[str](), ""
    for word in words:
        name, equals, _ = word.partition("=")
        is_secret = equals and (before in _SECRET or name in _SECRET)
        hidden.append(f"{name}=…" if is_secret else word)
        before = word
    return hidden


def render_provenance(run: Provenance) -> Topic:
    """The provenance as a topic of a page."""
    notes = [f"Command: {run.command}"]
    if any(used.origin == "bundled" for used in run.sets):
        notes.append(BUNDLED)
    return Topic(
        anchor="provenance",
        title="What was this measured on?",
        lead=f"{run.samples - run.lost} of {run.samples} samples are in the figures, {run.lost} "
        f"were lost; agentdyno-bench {run.version}, marks version {run.marks_version}.",
        notes=notes,
        charts=[],
        tables=[
            table_of(
                "Task sets",
                run.sets,
                {"level": "level", "tasks:count": "tasks", "digest": "digest",
                 "world seed": lambda used: str(used.world_seed), "origin": "origin"},
                folded=False,
            )
        ],
    )  # fmt: skip
