"""Elements of a JSON document, one at a time, without holding the document."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import (
    CHUNK,
    Record,
    bad,
    decode,
    lines,
    read_small,
    too_large,
    whole_file,
)
from agentdyno.records import BadRecord, UnreadableError, printable

MAX_STRING = 256 * 2**20
"""A string longer than this is a quote that was never closed."""
# Possessive, so that a string of many megabytes leaves no trail of states to go back to.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]', re.DOTALL)


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

    def decode_fields(self, source: Source, format: str) -> tuple[dict[str, Any], list[BadRecord]]:
        """The top-level values, and a bad record for each that cannot be read."""
        values, refused = dict[str, Any](), list[BadRecord]()
        for name, data in self.fields.items():
            try:
                values[name] = decode(data, _ANY)
            except UnreadableError as problem:
                refused.append(bad(source, format, printable(name), problem))
        return values, refused


_ANY = msgspec.json.Decoder[Any]()


def open_document(source: Source, key: str | None) -> Document:
    """Takes a document apart without decoding its records.

    `key` names the top-level list whose elements are wanted; None when the document is the list.
    A small, sound document is split by msgspec; a large or damaged one by a scan that holds one
    chunk, so that a 2 GB file is read in bounded memory and a broken element costs only itself.
    """
    data = read_small(source)
    if data is not None:
        try:
            return _split_small(data, key)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            pass
    parts = layout(source.path, key)
    fields = {
        name: read_span(source.path, span)
        for name, span in parts.fields.items()
        if name != key and span[1] - span[0] <= source.max_record_bytes
    }
    return Document(fields, elements(source, key, parts))


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
    """Offsets of the values of a large JSON document."""

    fields: dict[str, tuple[int, int]]
    """Byte span of each top-level value of an object; empty for a list."""
    elements: list[tuple[int, int]]
    """Byte spans of the elements of the chosen list."""
    complete: bool
    """True when the document's end was reached."""


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
    with path.open("rb") as file:
        file.seek(span[0])
        return file.read(span[1] - span[0])


def elements(source: Source, key: str | None, parts: Layout) -> Iterator[Record]:
    """The elements of the chosen list, one at a time."""
    with source.path.open("rb") as file:
        for index, (start, stop) in enumerate(parts.elements):
            location = f"{key or ''}[{index}]"
            if stop - start > source.max_record_bytes:
                problem = too_large(stop - start, source.max_record_bytes)
                yield Record(location, str(index), b"", problem)
                continue
            file.seek(start)
            yield Record(location, str(index), file.read(stop - start))
    if not parts.complete:
        cut = UnreadableError("the end of the document", "the file ends early")
        location = f"after {key or ''}[{len(parts.elements) - 1}]"
        yield Record(location, str(len(parts.elements)), b"", cut)


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
    unread, base = b"", 0
    while chunk := file.read(CHUNK * 8):
        data = unread + chunk
        end = 0
        for match in _TOKEN.finditer(data):
            # A string that the chunk's edge cut shows as an opening quote without a token.
            if data.find(b'"', end, match.start()) >= 0:
                break
            yield base + match.start(), match.group()
            end = match.end()
        cut = data.find(b'"', end)
        keep = cut if cut >= 0 else len(data)
        unread, base = data[keep:], base + keep
        if len(unread) > MAX_STRING:
            return
