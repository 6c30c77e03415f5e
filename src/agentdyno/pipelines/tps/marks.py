"""What a run's logs say about each sample: completion, calls on the graph, selection, judge."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.format import Source
from agentdyno.intake.formats.inspect_ai.archive import Archive
from agentdyno.intake.formats.inspect_ai.pieces import sample_members
from agentdyno.records import UnreadableError
from agentdyno.records.scheduling import GraphNode, ScheduledCall

BENCHMARK = "tps_"
"""How the tasks of this benchmark begin."""


class Marks(Struct, frozen=True):
    """A sample's marks, as its scorer wrote them."""

    level: str
    """easy, hard or train."""
    subtasks: int
    """How many the task has."""
    completed: list[str]
    """Those that are done, by program."""
    graph: list[GraphNode]
    """The task's graph."""
    placed: list[ScheduledCall]
    """The executed calls, on the graph."""
    needed_tools: list[list[str]]
    """For each subtask the tools that can serve it."""
    serving_tools: list[str]
    """All tools that can serve something."""
    selection: str
    """self, none or rule."""
    scheduling: str
    """parallel or sequential."""
    selected: list[str] | None = None
    """Tools that the agent got."""
    stopped: str | None = None
    """Why the agent stopped."""
    wall_seconds: float | None = None
    """From selection to answer, real time."""
    judged_completion: float | None = None
    """Completion by the judge."""
    judged_subtasks: int | None = None
    """Parts that the judge found in the task."""
    judged_selection: float | None = None
    """The judge's points for the selection."""


class MarkedSample(Struct, frozen=True):
    """One sample of one setting."""

    benchmark: str
    """The task set."""
    model: str
    """The agent's model."""
    variant: str | None
    """Selection and scheduling."""
    task_id: str
    """The task."""
    completion: float
    """Share of the subtasks that are done, by program."""
    marks: Marks
    """Everything else."""


class _Score(Struct):
    value: Any = None
    metadata: dict[str, Any] | None = None


class _Sample(Struct):
    id: str | int
    scores: dict[str, _Score] | None = None


class _Spec(Struct):
    task: str
    model: str
    metadata: dict[str, Any] | None = None


class _Header(Struct):
    eval: _Spec


def read_marks(folder: Path) -> list[MarkedSample]:
    """Every marked sample in the logs under a folder; samples that failed have none."""
    return [m for log in sorted(folder.rglob("*.eval")) for m in _marked(log)]


def _marked(log: Path) -> Iterator[MarkedSample]:
    with log.open("rb") as file:
        archive = Archive(Source(log, log.name), file)
        name = "header.json" if "header.json" in archive.members else "_journal/start.json"
        spec = msgspec.json.decode(archive.read(name), type=_Header).eval
        if not spec.task.startswith(BENCHMARK):
            return
        for members in sample_members(archive).values():
            try:
                sample = msgspec.json.decode(archive.read(members[0]), type=_Sample)
            except (msgspec.DecodeError, UnreadableError):
                continue
            yield from _of(sample, spec)


def _of(sample: _Sample, spec: _Spec) -> Iterator[MarkedSample]:
    for score in (sample.scores or {}).values():
        if score.metadata and "placed" in score.metadata:
            yield MarkedSample(
                benchmark=spec.task,
                model=spec.model,
                variant=(spec.metadata or {}).get("variant"),
                task_id=str(sample.id),
                completion=float(score.value),
                marks=msgspec.convert(score.metadata, Marks),
            )
