"""Reads records out of large files without holding the file, and decodes them.

Nothing here knows a trace format. A record that is too large, cut off or no JSON is yielded as an
error beside the others, never raised past its edge.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from agentdyno.intake.invalid_text import replace_invalid_text
from agentdyno.intake.line_numbers import line_at, note_line
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable

CHUNK = 1 << 20
Fields = dict[str, Any]
Read = TypeVar("Read")
OBJECT: "msgspec.json.Decoder[Fields]" = msgspec.json.Decoder(Fields)
_BOM = b"\xef\xbb\xbf"


class Record(Struct, frozen=True):
    """The bytes of one record and where they were."""

    place: str
    """`line 41` or `simulations[3]`."""
    locator: str
    """The same, short, as it stands in a trajectory's id: `41` or `3`."""
    data: bytes
    """The record's JSON; empty when `problem` is set."""
    problem: UnreadableError | None = None
    """Why the bytes could not be taken; None when they could."""
    line: int | None = None
    """The number of the line; None for an element of a document."""

    def decode(self, decoder: "msgspec.json.Decoder[Any]" = OBJECT) -> Any:
        """Its value, an object unless said; raises why there is none."""
        if self.problem:
            raise self.problem
        return decode(self.data, decoder)


class LineReader(Protocol):
    """Makes trajectories of a file's lines."""

    def take(self, record: Record) -> None:
        """Adds a line; raises an `UnreadableError` for one that it cannot read."""

    def finished(self) -> Iterator[Trajectory]:
        """Trajectories that no later line can change, each once."""

    def results(self) -> Iterator[Trajectory]:
        """The others as they are now; more lines may follow."""


def lines(source: Source) -> Iterator[Record]:
    """The non-empty lines of a file or of a piece of it."""
    with source.path.open("rb", buffering=CHUNK) as file:
        _seek_line_start(file, source.start)
        number = (source.first_line or line_at(source.path, source.start)) - 1
        at = file.tell()
        while source.stop is None or at < source.stop:
            # One byte more than allowed tells a line that is too long from one that just fits.
            line = file.readline(source.max_record_bytes + 1)
            if not line:
                return
            number += 1
            at += len(line)
            if line == b"\n":
                continue
            if len(line) > source.max_record_bytes and not line.endswith(b"\n"):
                problem = _skip_long_line(file, len(line), source.max_record_bytes)
                at = file.tell()
                yield Record(f"line {number}", str(number), b"", problem, number)
            elif stripped := _trim(line):
                yield from _on_one_line(number, stripped)
        note_line(source.path, source.stop, number + 1)


def printed_objects(source: Source) -> Iterator[Record]:
    """Objects that are printed over many lines each, one after the other."""
    printed_lines: list[bytes] = []
    size = number = 0
    with source.path.open("rb", buffering=CHUNK) as file:
        while line := file.readline(source.max_record_bytes + 1):
            size += len(line)
            if size <= source.max_record_bytes:
                printed_lines.append(line)
            if line.rstrip() == b"}":
                problem = too_large(size, source.max_record_bytes)
                is_held = size <= source.max_record_bytes
                data = b"".join(printed_lines) if is_held else b""
                yield Record(f"[{number}]", str(number), data, None if is_held else problem)
                printed_lines, size, number = [], 0, number + 1
    if b"".join(printed_lines).strip():
        cut = UnreadableError("the end of the object", "the file ends early")
        yield Record(f"[{number}]", str(number), b"", cut)


class _Underway:
    """The line that is being read, and what `decode` found behind its first value.

    Two objects on one line come from writers that were cut off or ran side by side. Only decoding
    can tell them from braces in a text, so nothing is searched: who decodes leaves the rest here.
    """

    line: bytes = b""
    rest: bytes = b""


def _on_one_line(line: int, data: bytes) -> Iterator[Record]:
    _Underway.line, _Underway.rest = data, b""
    yield Record(f"line {line}", str(line), data, None, line)
    number = 1
    while _Underway.line is data and (more := _Underway.rest):
        number += 1
        data = _Underway.line = more
        _Underway.rest = b""
        yield Record(f"line {line}, object {number}", f"{line}.{number}", more, None, line)


def _split(data: bytes) -> tuple[bytes, bytes]:
    """The first value of a line that is under way, and what follows it, both as valid text."""
    is_underway = data is _Underway.line
    data = replace_invalid_text(data)
    if not is_underway:
        return data, b""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        match = _TRAILING.search(str(error))
        # msgspec counts the first byte that is too many, from 1.
        return (data[: int(match[1]) - 1], data[int(match[1]) - 1 :]) if match else (data, b"")
    return data, b""


_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")


def _trim(line: bytes) -> bytes:
    """The line without what JSON does not need; a copy only where there is something to remove."""
    return line if line[0] in b"{[" else line.strip().removeprefix(_BOM)


def _seek_line_start(file: IO[bytes], start: int) -> None:
    if start:
        file.seek(start - 1)
        while (piece := file.readline(CHUNK)) and not piece.endswith(b"\n"):
            pass


def _skip_long_line(file: IO[bytes], size: int, limit: int) -> UnreadableError:
    while piece := file.readline(CHUNK):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return too_large(size, limit)


def too_large(size: int, limit: int) -> UnreadableError:
    """The problem of a record over the limit."""
    return UnreadableError(f"a record of at most {limit / 2**20:.0f} MB", f"{size / 2**20:.0f} MB")


def whole_file(source: "Source") -> Record:
    """A file that is one record."""
    data = read_small(source)
    if data is None:
        size = source.path.stat().st_size
        return Record("file", "0", b"", too_large(size, source.max_record_bytes))
    return Record("file", "0", data.strip())


def read_small(source: "Source") -> bytes | None:
    """The file as large as it is now, should it grow meanwhile; None when it is over the limit."""
    with source.path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return None if size > source.max_record_bytes else file.read(size).removeprefix(_BOM)


def too_deep() -> UnreadableError:
    """The problem of a record nested beyond reading."""
    return UnreadableError("JSON of ordinary depth", "nesting too deep to read")


def decode(data: bytes, decoder: "msgspec.json.Decoder[Any]" = OBJECT) -> Any:
    """Decodes one record; what does not fit becomes an `UnreadableError` with the place in it."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        data, _Underway.rest = _split(data)
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise _mismatch(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableError("JSON", f"{printable(str(error))} in {_excerpt(data)}") from None
    except RecursionError:
        raise too_deep() from None


def _mismatch(error: msgspec.ValidationError) -> UnreadableError:
    """msgspec says "Expected `int`, got `str` - at `$.usage.x`"; we say it in our order."""
    missing = re.fullmatch(r"Object missing required field `(.+?)`(?: - at `(.+)`)?", str(error))
    if missing:
        where = f" at {printable(missing[2])}" if missing[2] else ""
        return UnreadableError(f"a field {printable(missing[1])}{where}", "none")
    match = re.fullmatch(r"Expected `(.+?)`, got `(.+?)`(?: - at `(.+)`)?", str(error))
    if not match:
        return UnreadableError("a valid record", printable(str(error)))
    where = f" at {printable(match[3])}" if match[3] else ""
    return UnreadableError(f"{match[1]}{where}", match[2])


_DISPLAYED = 400
"""Bytes that are looked at: a key that 60 would cut is whole in them."""


def _excerpt(data: bytes) -> str:
    return repr(printable(data[:_DISPLAYED].decode("utf-8", "replace"), 60))


def bad(source: Source, format: str, location: str, problem: UnreadableError) -> BadRecord:
    """A problem as a row."""
    where = problem.place or location
    return BadRecord(source.name, where, problem.expected, problem.found, format)


def no_response(source: Source, format: str) -> BadRecord:
    """A file in which no model answers, as a row."""
    return bad(source, format, "file", UnreadableError(_RESPONSE, "none"))


def is_empty(record: BadRecord) -> bool:
    """True when it only says that the file is empty: the file is sound."""
    return (record.place, record.expected, record.found) == ("file", _RESPONSE, "none")


_RESPONSE = "at least one response of a model"


def take_records(
    source: Source, format: str, records: Iterable[Record], take: Callable[[Record], None]
) -> Iterator[BadRecord]:
    """Hands every record to what is being read; yields those that it cannot take."""
    for record in records:
        yield from take_record(source, format, record, take)


def read_each(
    source: Source,
    format: str,
    records: Iterable[Record],
    read: Callable[[Source, Record], Iterator[Read]],
) -> Iterator[Read | BadRecord]:
    """Apply `read` to every record; a bad record costs only itself."""
    for record in records:
        try:
            if record.problem:
                raise record.problem
            yield from read(source, record)
        except UnreadableError as problem:
            yield bad(source, format, record.place, problem)
        except RecursionError:
            yield bad(source, format, record.place, too_deep())


def take_record(
    source: Source, format: str, record: Record, take: Callable[[Record], None]
) -> Iterator[BadRecord]:
    """Hands over one record; a bad one where it cannot be taken."""
    try:
        if record.problem:
            raise record.problem
        take(record)
    except UnreadableError as problem:
        yield bad(source, format, record.place, problem)
    except RecursionError:
        yield bad(source, format, record.place, too_deep())


def read_document(
    source: Source,
    format: str,
    read: Callable[[Source, Fields], Iterator[Trajectory | BadRecord]],
) -> Iterator[Trajectory | BadRecord]:
    """Apply `read` to a file that is one object; a bad record where nothing comes of it."""

    def items() -> Iterator[Trajectory | BadRecord]:
        yield from read(source, whole_file(source).decode())

    try:
        yield from or_no_response(source, format, items())
    except RecursionError:
        yield bad(source, format, "file", too_deep())


def or_no_response(
    source: Source, format: str, items: Iterator[Trajectory | BadRecord]
) -> Iterator[Trajectory | BadRecord]:
    """The items of a file; a bad record where there are none, or where it cannot be read."""
    is_empty = True
    try:
        for item in items:
            is_empty = False
            yield item
    except UnreadableError as problem:
        yield bad(source, format, "file", problem)
        return
    if is_empty:
        yield no_response(source, format)
