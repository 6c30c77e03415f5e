"""Reads Inspect AI logs, sample by sample."""

from collections.abc import Iterator
from typing import IO

from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.inspect_ai.archive import Archive
from agentdyno.intake.formats.inspect_ai.pieces import (
    decoded,
    locator,
    read_sample,
    sample_members,
)
from agentdyno.intake.formats.inspect_ai.sample import FORMAT_NAME, trajectories_of
from agentdyno.intake.formats.inspect_ai.wire import HEADER, SAMPLE, SPEC, Sample, Spec
from agentdyno.intake.source import Source
from agentdyno.intake.streams import bad
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable

_HEADERS = ("header.json", "_journal/start.json")


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields, for each sample, the agent's trajectory and those of its sub-agents."""
    with source.path.open("rb") as file:
        if file.read(2) == b"PK":
            yield from _read_archive(source, file)
            return
    yield from _read_document(source)


def _read_document(source: Source) -> Iterator[Trajectory | BadRecord]:
    """A `.json` log: one document with a list of samples."""
    document = open_document(source, "samples")
    spec = Spec()
    try:
        spec = decoded(document.fields.get("eval", b"null"), SPEC)
    except UnreadableError as problem:
        yield bad(source, FORMAT_NAME, "eval", problem)
    empty = True
    for record in document.records:
        empty = False
        try:
            if record.problem:
                raise record.problem
            sample = decoded(record.data, SAMPLE)
            yield from _trajectories(source, sample, spec, record.locator)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
    if empty:
        yield bad(source, FORMAT_NAME, "samples", UnreadableError("a list of samples", "none"))


def _read_archive(source: Source, file: IO[bytes]) -> Iterator[Trajectory | BadRecord]:
    """An `.eval` log: a zip with a header and one member per sample."""
    archive = Archive(source, file)
    if archive.problem:
        yield bad(source, FORMAT_NAME, "file", archive.problem)
    spec = Spec()
    try:
        spec = _header(archive)
    except UnreadableError as problem:
        yield bad(source, FORMAT_NAME, _HEADERS[0], problem)
    samples = sample_members(archive)
    for name, members in samples.items():
        try:
            sample = read_sample(archive, name, members)
            yield from _trajectories(source, sample, spec, locator(name))
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, printable(members[0]), problem)
    if not samples:
        yield bad(source, FORMAT_NAME, "file", UnreadableError("samples in the archive", "none"))


def _header(archive: Archive) -> Spec:
    """The evaluation's specification; an unfinished log has it only at its beginning."""
    for name in _HEADERS:
        if name in archive.members:
            spec: Spec = decoded(archive.read(name), HEADER).eval
            return spec
    raise UnreadableError(" or ".join(_HEADERS), "neither")


def _trajectories(source: Source, sample: Sample, spec: Spec, name: str) -> Iterator[Trajectory]:
    # Sub-agents are `~1`, `~2`: doubling what a sample's name has keeps all ids apart.
    trajectory_id = source.id_of(name.replace("~", "~~"))
    try:
        yield from trajectories_of(sample, spec, trajectory_id, source.name)
    except RecursionError:
        raise UnreadableError("JSON of ordinary depth", "nesting too deep to read") from None
