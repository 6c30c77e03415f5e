"""The beginning of a file, enough to tell its format without reading the rest."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from agentdyno.intake.invalid_text import replace_invalid_text

MAGIC = b"SQLite format 3\0"
"""How every SQLite file begins."""
HEAD_BYTES = 256 * 1024
FEW_BYTES, FEW_RECORDS = 48 * 1024, 16
"""Bytes to read where so many records are there, each on a line of its own: to decode more of a
thousand sessions takes longer than to tell what they are."""

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\]:,]', re.DOTALL)


class Head:
    """A file's name, size and first bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = path.stat().st_size
        self.data = _read_beginning(path).removeprefix(b"\xef\xbb\xbf")
        self.is_sqlite = self.data.startswith(MAGIC)
        if self.is_sqlite:
            self.data = MAGIC  # Its pages hold pieces of JSON, which say nothing of the file.

    @cached_property
    def tables(self) -> Mapping[str, frozenset[str]]:
        """The tables of an SQLite file with their columns; none for any other file."""
        if not self.is_sqlite:
            return {}
        from agentdyno.intake.databases import read_tables

        return read_tables(self.path)

    @property
    def is_zip(self) -> bool:
        return self.data.startswith(b"PK\x03\x04")

    @cached_property
    def first(self) -> Any:
        """The first line (or the whole file) decoded; None when it is not whole or no JSON."""
        if self.is_zip:
            return None
        for candidate in (self._first_line, self.data if self._is_whole else b""):
            try:
                return _decode(candidate)
            except (msgspec.DecodeError, RecursionError):
                continue
        return None

    @property
    def _first_line(self) -> bytes:
        data = self.data.lstrip()
        end = data.find(b"\n")
        return data if end < 0 else data[:end]

    @cached_property
    def lines(self) -> list[Any]:
        """The whole lines of the beginning that are records, up to 50 of them.

        A document over many lines has lines that are JSON too: the last `"name"` of a list, an
        object that fits its line. Those are indented, or no objects.
        """
        decoded: list[Any] = []
        for line in [] if self.is_zip else self.data.split(b"\n", 50)[:50]:
            if line[:1] in (b"{", b"["):
                decoded += [value for value in _values(line) if value]
        return decoded

    @property
    def is_printed(self) -> bool:
        """True for objects one after the other, each printed over many lines."""
        return self.data.startswith(b"{\n") and b"\n}\n{\n" in self.data

    @cached_property
    def is_lines(self) -> bool:
        """True when the file holds more than one record, each on its line.

        Reads on when the first line is longer than the beginning. Lines of a document that is
        printed over many may be JSON too, but its first is not.
        """
        if self.first and (not self.lines or self.first != self.lines[0]):
            return False
        if self.lines or b"\n" not in self.data.strip():
            return len(self.lines) > 1 or self._goes_on_after_first_line()
        return False

    @property
    def _is_whole(self) -> bool:
        """True when the beginning is all there is; a byte order mark was taken off it."""
        return self.size <= len(self.data) + 3

    def _goes_on_after_first_line(self) -> bool:
        if self._is_whole:
            return bool(self.data.lstrip().partition(b"\n")[2].strip())
        begun = ended = False
        with self.path.open("rb") as file:
            while piece := file.readline(HEAD_BYTES):
                if ended and piece.strip():
                    return True
                begun = begun or bool(piece.strip())
                ended = ended or (begun and piece.endswith(b"\n"))
        return False

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the first object: the document itself, the first of a list, the first line.

        An archive has none, though a member that is stored as it is can be seen in its bytes.
        """
        if self.is_zip:
            return frozenset()
        if isinstance(self.first, dict):
            return frozenset(self.first)
        return frozenset(_first_object_keys(self.data))

    @property
    def is_list(self) -> bool:
        return self.data.lstrip()[:1] == b"["


Record = TypeVar("Record")


def keep_sound(records: Sequence[Record], is_sound: Callable[[Record], object]) -> list[Record]:
    """Those that a format may have written, where all but one are: an odd line hides no session."""
    sound = [record for record in records if is_sound(record)]
    return sound if len(records) - len(sound) <= 1 else []


def _read_beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(FEW_BYTES)
        first, *more_lines = data.split(b"\n", FEW_RECORDS)
        are_records = first.startswith(b"{") and first.rstrip().endswith(b"}")
        if are_records and len(more_lines) == FEW_RECORDS:
            return data
        return data + file.read(HEAD_BYTES - len(data))


def _decode(data: bytes) -> Any:
    """A value, with the replacement character for what is not text in it."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode(replace_invalid_text(data))


def _values(line: bytes) -> Iterator[Any]:
    """The values of a line, several where several stand on it; none where it is no JSON."""
    while line:
        try:
            yield _decode(line)
            return
        except (msgspec.DecodeError, RecursionError) as error:
            behind = re.search(r"trailing characters \(byte (\d+)\)", str(error))
            if behind is None or not line.startswith(b"{"):
                return
        line = replace_invalid_text(line)  # In which msgspec counted.
        # The first byte that is too many, from 1.
        first, line = line[: int(behind[1]) - 1], line[int(behind[1]) - 1 :]
        yield msgspec.json.decode(first)


def _first_object_keys(data: bytes) -> list[str]:
    """Works on a cut-off beginning too, so a 2 GB document can be recognised from 256 KB."""
    keys: list[str] = []
    depth, base, previous = 0, None, b""
    for match in _TOKEN.finditer(data):
        token = match.group()
        if token in b"{[":
            depth += 1
            if token == b"{" and base is None:
                base = depth
        elif token in b"}]":
            depth -= 1
            if base is not None and depth < base:
                break
        elif token == b":" and depth == base and previous[:1] == b'"':
            keys.append(previous[1:-1].decode("utf-8", "replace"))
        previous = token
    return keys
