"""What a log of our own tasks says about each sample: completion, calls on the graph, judge.

Enters a log and the name that a ledger gives it; leaves the marks by trajectory. Logs of anything
else have none, and a sample that does not hold what our scorer writes is passed over.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.format import Source
from agentdyno.intake.formats.inspect_ai.archive import Archive
from agentdyno.intake.formats.inspect_ai.pieces import locator, sample_members
from agentdyno.metrics.scheduling.graph import in_order
from agentdyno.records import UnreadableError
from agentdyno.records.scheduling import GraphNode, ScheduledCall

BENCHMARK = "tps_"
"""How the tasks of this benchmark begin."""


class Marks(Struct, frozen=True):
    """A sample's marks, as its scorer wrote them."""

    level: str
    """easy, hard or train."""
    subtasks: int
    """How many wishes the task has."""
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
    harms: list[dict[str, Any]] = []
    """Changes that nobody wished for; a task with any is not solved."""
    ceiling: float | None = None
    """Share of the wishes that the setting lets any agent grant; None in older logs."""
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

    trajectory_id: str
    """The agent's trajectory in the ledger."""
    completion: float
    """Share of the subtasks that are done, by program."""
    marks: Marks
    """Everything else."""


class _Score(Struct):
    value: Any = None
    metadata: dict[str, Any] | None = None


class _Sample(Struct):
    scores: dict[str, _Score] | None = None


class _Spec(Struct):
    task: str = ""


class _Header(Struct):
    eval: _Spec


_HEADERS = ("header.json", "_journal/start.json")


def read_marks(path: Path, name: str) -> list[MarkedSample]:
    """The marked samples of a log; none when it is of another benchmark or its samples failed.

    `name` is what the ledger calls the log: the trajectories' ids begin with it.
    """
    source = Source(path, name)
    with path.open("rb") as file:
        archive = Archive(source, file)
        if not _is_ours(archive):
            return []
        samples = sample_members(archive)
        return [
            marked
            for place, members in samples.items()
            for marked in _of(source, archive, place, members[0])
        ]


def trajectory_id(source: Source, place: str) -> str:
    """How intake calls the trajectory of the sample at this place of its archive."""
    return source.id_of(locator(place).replace("~", "~~"))


def _is_ours(archive: Archive) -> bool:
    for name in _HEADERS:
        if name in archive.members:
            try:
                header = msgspec.json.decode(archive.read(name), type=_Header)
            except (msgspec.MsgspecError, UnreadableError):
                return False
            return header.eval.task.startswith(BENCHMARK)
    return False


def _of(source: Source, archive: Archive, place: str, member: str) -> Iterator[MarkedSample]:
    try:
        sample = msgspec.json.decode(archive.read(member), type=_Sample)
        scores = [s for s in (sample.scores or {}).values() if "placed" in (s.metadata or {})]
        for score in scores:
            marks = msgspec.convert(score.metadata, Marks)
            in_order(marks.graph)  # A graph that runs in circles is none of ours.
            # The score pays for harm as well; completion is what was granted.
            done = len(marks.completed) / marks.subtasks if marks.subtasks else float(score.value)
            yield MarkedSample(trajectory_id(source, place), done, marks)
    except (msgspec.MsgspecError, UnreadableError, ValueError, TypeError, RecursionError):
        return
