"""Files of lines that grow: what was read of them is not read again.

Takes a file and a reader that is fed its lines, returns what the reader made of all of them. The
reader stays in memory with the byte up to which it was fed; it goes on from there as long as the
file's beginning, and what stands before that byte, are what they were. A file whose last line is
not finished, or that was changed otherwise, is read from its beginning.
"""

from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct, structs

from agentdyno.intake.documents import open_document
from agentdyno.intake.format import Format
from agentdyno.intake.source import Source
from agentdyno.intake.streams import LineReader, lines, or_no_response, take_record
from agentdyno.records import BadRecord, Trajectory

EDGE_BYTES = 64 * 1024
"""Of a file's beginning, and before the byte where it is gone on from, that are compared."""
MOST_BYTES = 64 * 2**20
"""Files whose readers are kept are together no larger than this."""

Item = Trajectory | BadRecord


def read_lines(source: Source, format: str, reader: LineReader) -> Iterator[Item]:
    """A file from its beginning, or a piece of one; a list holds what others have on lines."""
    return or_no_response(source, format, _read(source, format, reader))


def _read(source: Source, format: str, reader: LineReader) -> Iterator[Item]:
    yield from _feed(source, format, reader)
    yield from reader.results()


def _begins_list(source: Source) -> bool:
    with source.path.open("rb") as file:
        return not source.start and file.read(64).lstrip()[:1] == b"["


def _feed(source: Source, format: str, reader: LineReader) -> Iterator[Item]:
    is_list = _begins_list(source)
    for record in open_document(source, None).records if is_list else lines(source):
        yield from take_record(source, format, record, reader.take)
        yield from reader.finished()


class _Growing(Struct):
    """A file that was read to a byte."""

    source: Source
    """The file, up to that byte."""
    reader: LineReader
    items: list[Item]
    """Bad records, and trajectories that are finished."""
    edges: str
    """A digest of its beginning and of what stands before the byte."""
    line: int
    """The number of the next line."""


class GrowingFiles:
    """The readers of files that may grow."""

    def __init__(self) -> None:
        self._known: dict[str, _Growing] = {}

    def read(self, source: Source, format: Format) -> Iterator[Item]:
        """Read the file with its format; only the new lines, where that is possible."""
        if format.follow is None or source.start or not _can_grow(source):
            return format.read(source)
        growing = self._known.pop(source.name, None)
        if growing is None or not _goes_on(growing, source):
            growing = _Growing(source, format.follow(source), [], "", 1)
            part = structs.replace(source, first_line=1)
        else:
            part = structs.replace(source, start=growing.source.stop or 0, first_line=growing.line)
        growing.items += _feed(part, format.name, growing.reader)
        if not any(isinstance(item, Trajectory) for item in growing.items):
            self._keep(growing, source, part)
        every = [*growing.items, *growing.reader.results()]
        return or_no_response(source, format.name, iter(every))

    def _keep(self, growing: _Growing, source: Source, part: Source) -> None:
        growing.line = (part.first_line or 1) + _count_lines(part)
        growing.source, growing.edges = source, _digest_edges(source)
        self._known[source.name] = growing
        while sum(file.source.stop or 0 for file in self._known.values()) > MOST_BYTES:
            del self._known[next(iter(self._known))]


def _can_grow(source: Source) -> bool:
    """True when it holds lines, and its last is finished."""
    if _begins_list(source):
        return False
    with source.path.open("rb") as file:
        file.seek((source.stop or 1) - 1)
        return file.read(1) == b"\n"


def _goes_on(growing: _Growing, source: Source) -> bool:
    before = growing.source
    same = (before.path, before.max_record_bytes) == (source.path, source.max_record_bytes)
    return (
        same
        and (before.stop or 0) <= (source.stop or 0)
        and (growing.edges == _digest_edges(before))
    )


def _digest_edges(source: Source) -> str:
    stop, hasher = source.stop or 0, blake2b(digest_size=16)
    with source.path.open("rb") as file:
        hasher.update(file.read(min(EDGE_BYTES, stop)))
        file.seek(max(stop - EDGE_BYTES, 0))
        hasher.update(file.read(min(EDGE_BYTES, stop)))
    return hasher.hexdigest()


def _count_lines(part: Source) -> int:
    many = 0
    with part.path.open("rb") as file:
        file.seek(part.start)
        remaining = (part.stop or 0) - part.start
        while remaining > 0 and (chunk := file.read(min(remaining, 1 << 20))):
            many += chunk.count(b"\n")
            remaining -= len(chunk)
    return many
