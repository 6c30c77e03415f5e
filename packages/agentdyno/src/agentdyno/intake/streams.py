"""Reads records out of large files without holding the file: lines, and elements of a document.

Nothing here knows a trace format. A record that is too large, cut off or no JSON is yielded as an
error beside the others, never raised past its edge.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from agentdyno.intake.format import Source
from agentdyno.intake.head import Head
from agentdyno.intake.invalid_text import replace_invalid_text
from agentdyno.intake.line_numbers import line_at, note_line
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable

CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"
MAX_STRING = 256 * 2**20
"""A string longer than this is a quote that was never closed."""
# Possessive, so that a string of many megabytes leaves no trail of states to go back to.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]', re.DOTALL)


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

    @property
    def line(self) -> int | None:
        """The number of the line; None for an element of a document."""
        number = self.locator.partition(".")[0]  # `7.2` is the second object on line 7.
        return int(number) if self.place.startswith("line ") else None


def lines(source: Source) -> Iterator[Record]:
    """The non-empty lines of a file or of a piece of it."""
    with source.path.open("rb", buffering=CHUNK) as file:
        _seek_line_start(file, source.start)
        number = (source.first_line or line_at(source.path, source.start)) - 1
        while source.stop is None or file.tell() < source.stop:
            # One byte more than allowed tells a line that is too long from one that just fits.
            line = file.readline(source.max_record_bytes + 1)
            if not line:
                return
            number += 1
            if line == b"\n":
                continue
            place, locator = f"line {number}", str(number)
            if len(line) > source.max_record_bytes and not line.endswith(b"\n"):
                problem = _skip_long_line(file, len(line), source.max_record_bytes)
                yield Record(place, locator, b"", problem)
            elif stripped := _trim(line):
                yield from _on_one_line(place, locator, stripped)
        note_line(source.path, source.stop, number + 1)


def printed_objects(source: Source) -> Iterator[Record]:
    """Objects that are printed over many lines each, one after the other."""
    held: list[bytes] = []
    size = number = 0
    with source.path.open("rb", buffering=CHUNK) as file:
        while line := file.readline(source.max_record_bytes + 1):
            size += len(line)
            if size <= source.max_record_bytes:
                held.append(line)
            if line.rstrip() == b"}":
                problem = too_large(size, source.max_record_bytes)
                is_held = size <= source.max_record_bytes
                data = b"".join(held) if is_held else b""
                yield Record(f"[{number}]", str(number), data, None if is_held else problem)
                held, size, number = [], 0, number + 1
    if b"".join(held).strip():
        cut = UnreadableError("the end of the object", "the file ends early")
        yield Record(f"[{number}]", str(number), b"", cut)


class _Underway:
    """The line that is being read, and what `decode` found behind its first value.

    Two objects on one line come from writers that were cut off or ran side by side. Only decoding
    can tell them from braces in a text, so nothing is searched: who decodes leaves the rest here.
    """

    line: bytes = b""
    rest: bytes = b""


def _on_one_line(place: str, locator: str, data: bytes) -> Iterator[Record]:
    _Underway.line, _Underway.rest = data, b""
    yield Record(place, locator, data)
    number = 1
    while _Underway.line is data and (rest := _Underway.rest):
        number += 1
        data = _Underway.line = rest
        _Underway.rest = b""
        yield Record(f"{place}, object {number}", f"{locator}.{number}", rest)


def _split(data: bytes) -> tuple[bytes, bytes]:
    """The first value of a line that is under way, and what follows it, both as valid text."""
    is_underway = data is _Underway.line
    data = replace_invalid_text(data)
    if not is_underway:
        return data, b""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        found = _TRAILING.search(str(error))
        # msgspec counts the first byte that is too many, from 1.
        return (data[: int(found[1]) - 1], data[int(found[1]) - 1 :]) if found else (data, b"")
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
    data = _read_whole(source)
    if data is None:
        size = source.path.stat().st_size
        return Record("file", "0", b"", too_large(size, source.max_record_bytes))
    return Record("file", "0", data.strip())


def _read_whole(source: "Source") -> bytes | None:
    """The file as large as it is now, should it grow meanwhile; None when it is over the limit."""
    with source.path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return None if size > source.max_record_bytes else file.read(size).removeprefix(_BOM)


def too_deep() -> UnreadableError:
    """The problem of a record nested beyond reading."""
    return UnreadableError("JSON of ordinary depth", "nesting too deep to read")


def decode(data: bytes, decoder: "msgspec.json.Decoder[Any]") -> Any:
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


def bad(source: Source, format: str, place: str, problem: UnreadableError) -> BadRecord:
    """A problem as a row."""
    where = problem.place or place
    return BadRecord(source.name, where, problem.expected, problem.found, format)


def no_response(source: Source, format: str) -> BadRecord:
    """A file in which no model answers, as a row."""
    return bad(source, format, "file", UnreadableError("at least one response of a model", "none"))


def take_lines(source: Source, format: str, take: Callable[[Record], None]) -> Iterator[BadRecord]:
    """Hands every line to a session that is being read; yields those that it cannot take."""
    for record in lines(source):
        try:
            if record.problem:
                raise record.problem
            take(record)
        except UnreadableError as problem:
            yield bad(source, format, record.place, problem)
        except RecursionError:
            yield bad(source, format, record.place, too_deep())


def or_no_response(
    source: Source, format: str, items: Iterator[Trajectory | BadRecord]
) -> Iterator[Trajectory | BadRecord]:
    """What was read of a file; a bad record where that is nothing, or where it cannot be read."""
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


def any_records(source: Source, *keys: str) -> Iterator[Record]:
    """Records wherever a file has them: its lines, its list, a list under one of these keys of its
    only object, or that object."""
    head = Head(source.path)
    if head.is_lines:
        return lines(source)
    if head.is_list:
        return open_document(source, None).records
    if key := next((key for key in keys if key in head.keys), None):
        return open_document(source, key).records
    return iter([whole_file(source)])


class Document(Struct, frozen=True):
    """A JSON document taken apart: its top-level values as bytes, and the records of one list."""

    fields: dict[str, bytes]
    """Top-level values by key, the list itself left out; empty when the document is the list."""
    records: Iterator[Record]
    """The elements of the list, one at a time."""


def open_document(source: Source, key: str | None) -> Document:
    """Takes a document apart without decoding its records.

    `key` names the top-level list whose elements are wanted; None when the document is the list.
    A small, sound document is split by msgspec; a large or damaged one by a scan that holds one
    chunk, so that a 2 GB file is read in bounded memory and a broken element costs only itself.
    """
    data = _read_whole(source)
    if data is not None:
        try:
            return _split_small(data, key)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            pass
    found = layout(source.path, key)
    fields = {
        name: read_span(source.path, span)
        for name, span in found.fields.items()
        if name != key and span[1] - span[0] <= source.max_record_bytes
    }
    return Document(fields, elements(source, key, found))


def _split_small(data: bytes, key: str | None) -> Document:
    if key is None:
        fields: dict[str, msgspec.Raw] = {}
        listed = msgspec.Raw(data)
    else:
        fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        listed = fields.pop(key, msgspec.Raw(b"[]"))
    parts = msgspec.json.decode(listed, type=list[msgspec.Raw] | None) or []
    records = (Record(f"{key or ''}[{i}]", str(i), bytes(p)) for i, p in enumerate(parts))
    return Document({name: bytes(value) for name, value in fields.items()}, records)


class Layout(Struct, frozen=True):
    """Where the values of a large JSON document are."""

    fields: dict[str, tuple[int, int]]
    """Byte span of each top-level value of an object; empty for a list."""
    elements: list[tuple[int, int]]
    """Byte spans of the elements of the chosen list."""
    complete: bool
    """Whether the document's end was reached."""


def layout(path: Path, key: str | None) -> Layout:
    """Scans a document once, holding one chunk, and notes where its pieces are.

    `key` names the top-level list whose elements are wanted; None when the document is the list.
    """
    scan = _Scan(key)
    with path.open("rb") as file:
        for offset, token in _tokens(file):
            scan.see(offset, token)
    return Layout(scan.fields, scan.elements, scan.depth == 0 and scan.seen)


def read_span(path: Path, span: tuple[int, int]) -> bytes:
    """The bytes of one piece."""
    with path.open("rb") as file:
        file.seek(span[0])
        return file.read(span[1] - span[0])


def elements(source: Source, key: str | None, found: Layout) -> Iterator[Record]:
    """The elements of the chosen list, one at a time."""
    with source.path.open("rb") as file:
        for index, (start, stop) in enumerate(found.elements):
            place = f"{key or ''}[{index}]"
            if stop - start > source.max_record_bytes:
                problem = too_large(stop - start, source.max_record_bytes)
                yield Record(place, str(index), b"", problem)
                continue
            file.seek(start)
            yield Record(place, str(index), file.read(stop - start))
    if not found.complete:
        cut = UnreadableError("the end of the document", "the file ends early")
        place = f"after {key or ''}[{len(found.elements) - 1}]"
        yield Record(place, str(len(found.elements)), b"", cut)


class _Scan:
    """Follows brackets; strings come as one token, so their content cannot mislead it."""

    def __init__(self, key: str | None) -> None:
        self.key = key
        self.fields: dict[str, tuple[int, int]] = {}
        self.elements: list[tuple[int, int]] = []
        self.depth = 0
        self.seen = False
        self._field = ""
        self._previous = b""
        self._value_start = 0
        self._element_start: int | None = None
        self._list_depth = 1 if key is None else 2
        self._in_list = False

    def see(self, offset: int, token: bytes) -> None:
        if token in b"{[":
            self._open(offset, token)
        elif token in b"}]":
            self._close(offset)
        elif token == b",":
            self._comma(offset)
        elif token == b":" and self.depth == 1:
            self._field = self._previous[1:-1].decode("utf-8", "replace")
            self._value_start = offset + 1
        self._previous = token

    def _open(self, offset: int, token: bytes) -> None:
        self.depth += 1
        self.seen = True
        if self.depth == self._list_depth and token == b"[" and self._field == (self.key or ""):
            self._in_list = True
            self._element_start = offset + 1

    def _close(self, offset: int) -> None:
        if self._in_list and self.depth == self._list_depth:
            if self._previous not in b"[":
                self._end_element(offset)
            self._in_list = False
        if self.depth == 1 and self._field:
            self.fields[self._field] = (self._value_start, offset)
        self.depth -= 1

    def _comma(self, offset: int) -> None:
        if self._in_list and self.depth == self._list_depth:
            self._end_element(offset)
        elif self.depth == 1 and self._field:
            self.fields[self._field] = (self._value_start, offset)

    def _end_element(self, offset: int) -> None:
        if self._element_start is not None:
            self.elements.append((self._element_start, offset))
        self._element_start = offset + 1


def _tokens(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """JSON's brackets, commas, colons and strings with their offsets, across chunk edges."""
    rest, base = b"", 0
    while chunk := file.read(CHUNK * 8):
        data = rest + chunk
        end = 0
        for match in _TOKEN.finditer(data):
            # A string that the chunk's edge cut shows as an opening quote without a token.
            if data.find(b'"', end, match.start()) >= 0:
                break
            yield base + match.start(), match.group()
            end = match.end()
        cut = data.find(b'"', end)
        keep = cut if cut >= 0 else len(data)
        rest, base = data[keep:], base + keep
        if len(rest) > MAX_STRING:
            return
