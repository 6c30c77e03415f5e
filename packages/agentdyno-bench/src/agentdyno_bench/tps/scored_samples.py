"""Reads our own tasks' scores from a log: completion, calls on the graph, judge.

Takes a log and the name that a ledger gives it, returns the scores by trajectory. Logs of anything
else have none, and a sample that does not hold what our scorer writes is skipped.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.inspect_ai.archive import Archive
from agentdyno.intake.formats.inspect_ai.pieces import locator, sample_members
from agentdyno.intake.source import Source
from agentdyno.measures.planning import in_order
from agentdyno.records import UnreadableError
from agentdyno_bench.tps.studies.scored import PlanScore, ScoredSample

BENCHMARK = "tps_"
"""How the tasks of this benchmark begin."""


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


def read_scored_samples(path: Path, name: str) -> list[ScoredSample]:
    """The marked samples of a log; none when it is of another benchmark or its samples failed.

    `name` is what the ledger calls the log: the trajectories' ids begin with it.
    """
    source = Source(path, name)
    with path.open("rb") as file:
        if file.read(2) != b"PK":
            return list(_read_document(source))
        archive = Archive(source, file)
        if not _is_ours(archive):
            return []
        samples = sample_members(archive)
        return [
            marked
            for sample_path, members in samples.items()
            for marked in _of(trajectory_id(source, sample_path), partial(archive.read, members[0]))
        ]


def _read_document(source: Source) -> Iterator[ScoredSample]:
    """A log as one document, with a list of samples."""
    document = open_document(source, "samples")
    try:
        spec = msgspec.json.decode(document.fields.get("eval", b"null"), type=_Spec)
    except (msgspec.MsgspecError, UnreadableError):
        return
    if spec.task.startswith(BENCHMARK):
        for record in document.records:
            if not record.problem:
                data = bytes(record.data)
                yield from _of(
                    source.id_of(record.locator.replace("~", "~~")), partial(bytes, data)
                )


def trajectory_id(source: Source, sample_path: str) -> str:
    """How intake calls the trajectory of the sample at this place of its archive."""
    return source.id_of(locator(sample_path).replace("~", "~~"))


def _is_ours(archive: Archive) -> bool:
    for name in _HEADERS:
        if name in archive.members:
            try:
                header = msgspec.json.decode(archive.read(name), type=_Header)
            except (msgspec.MsgspecError, UnreadableError):
                return False
            return header.eval.task.startswith(BENCHMARK)
    return False


def _of(trajectory: str, read: Callable[[], bytes]) -> Iterator[ScoredSample]:
    try:
        sample = msgspec.json.decode(read(), type=_Sample)
        scores = [s for s in (sample.scores or {}).values() if "placed" in (s.metadata or {})]
        for score in scores:
            marks = msgspec.convert(score.metadata, PlanScore)
            in_order(marks.graph)  # A graph that runs in circles is none of ours.
            # The score pays for harm as well; completion is what was granted.
            scored = float(score.value)  # A score that is no number is nobody's.
            completion = len(marks.completed) / marks.subtasks if marks.subtasks else scored
            yield ScoredSample(trajectory, completion, marks)
    except (msgspec.MsgspecError, UnreadableError, ValueError, TypeError, RecursionError):
        return
