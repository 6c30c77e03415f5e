"""Keeps received records on disk: files of JSON lines in the shape that OTLP exporters write.

Takes encoded records with the keys that tie them to others, returns when they are synced. All
records of a trace (or, without one, of a session) go into one file, since a trace is read as a
whole from one file. New traces go into the newest file, until it is full or old; so a file grows
only while its traces do, and what is measured again is little.
"""

import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Raw, Struct

from agentdyno.engines.locking import hold
from agentdyno.ledger.disk import sync_folder
from agentdyno.ledger.file_names import refuse_link
from agentdyno.pipelines.receive.requests import (
    Origin,
    encode_line,
    encode_rejections,
    find_keys,
)

FULL_BYTES = 4 * 2**20
"""A file of this size takes no new traces."""
FULL_SECONDS = 3600.0
"""Neither does one that was begun this long ago."""
LARGEST_BYTES = 256 * 2**20
"""Beyond this a trace is continued in another file, where it is another trajectory."""
REMEMBERED = 200_000
"""Traces and sessions whose file is known; one that goes on after so many others is new."""
REMEMBERED_RECORDS = 200_000
"""Records that are recognised when a sender that had no answer sends them again."""
LINE_RECORDS = 100
"""Records in one line at most."""
_NAME = re.compile(r"\d{8}T\d{6}Z-(\d{6,})\.jsonl")


class Entry(Struct, eq=False):
    """A record ready to be written."""

    origin: Origin | None
    """Its resource and scope; None where it only names a record that was rejected."""
    data: bytes
    keys: list[str]
    """What it has in common with other records of its file."""


class Segments:
    """The files of one folder, and what is in the newest of them. One process writes them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock: IO[bytes] = refuse_link(folder / ".lock").open("ab")
        hold(self._lock, f"{folder}: another process is receiving into this folder right now.")
        self._places: OrderedDict[str, Path] = OrderedDict()
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._sizes: dict[Path, int] = {}
        self._current: Path | None = None
        self._begun = 0.0
        self._changing = threading.Lock()
        self._recall()

    def close(self) -> None:
        """Lets another process receive into the folder."""
        self._lock.close()

    def append(self, entries: list[Entry]) -> int:
        """Writes and syncs the records; how many of them were there already."""
        with self._changing:
            return len(entries) - self._append_new(entries)

    def _append_new(self, entries: list[Entry]) -> int:
        new: dict[bytes, Entry] = {}
        for entry in entries:
            if (mark := _digest(entry.data)) not in self._seen:
                new.setdefault(mark, entry)
        by_file: dict[Path, list[Entry]] = {}
        for entry in new.values():
            by_file.setdefault(self._choose(entry), []).append(entry)
        self._write({path: b"".join(_lines(some)) for path, some in by_file.items()})
        for mark in new:
            self._seen[mark] = None
        _trim(self._seen, REMEMBERED_RECORDS)
        return len(new)

    def remove_older(self, days: float, is_measured: Callable[[Path], bool]) -> None:
        """Removes the measured files whose last record is older than so many days."""
        oldest = time.time() - days * 86_400
        with self._changing:
            for path in self.list_files():
                is_old = path != self._current and path.stat().st_mtime < oldest
                if is_old and is_measured(path):
                    path.unlink()
                    # A trace that goes on is begun anew; the number is not given again.
                    self._sizes[path] = LARGEST_BYTES

    def list_files(self) -> list[Path]:
        """The files, the oldest first."""
        return list_segments(self.folder)

    def _choose(self, entry: Entry) -> Path:
        positions = (self._places.get(key) for key in entry.keys)
        path = next((p for p in positions if p and self._sizes[p] < LARGEST_BYTES), None)
        path = path or self._take_current()
        # Counted when planned, so that one large commit fills several files.
        self._sizes[path] += len(entry.data)
        for key in entry.keys:
            self._places.setdefault(key, path)
            self._places.move_to_end(key)
        _trim(self._places, REMEMBERED)
        return path

    def _take_current(self) -> Path:
        path = self._current
        is_old = time.monotonic() - self._begun > FULL_SECONDS
        if path is None or is_old or self._sizes[path] >= FULL_BYTES:
            numbers = (int(match[1]) for p in self._sizes if (match := _NAME.fullmatch(p.name)))
            stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
            path = self.folder / f"{stamp}-{max(numbers, default=0) + 1:06}.jsonl"
            self._current, self._begun, self._sizes[path] = path, time.monotonic(), 0
        return path

    def _write(self, lines: dict[Path, bytes]) -> None:
        """All of it, or, where the disk refuses, nothing."""
        before: dict[Path, int | None] = {}
        try:
            for path, data in lines.items():
                before[path] = path.stat().st_size if path.exists() else None
                _append_synced(path, data)
                self._sizes[path] = (before[path] or 0) + len(data)
            if None in before.values():
                sync_folder(self.folder)
        except OSError:
            for path, size in before.items():
                _cut_back(path, size or 0)
                self._sizes[path] = size or 0
            raise

    def _recall(self) -> None:
        """What the files hold, the newest last; a line that was cut off was never acknowledged."""
        files = self.list_files()
        for path in files:
            _cut_last_line(path)
            self._sizes[path] = path.stat().st_size
        recent, room = [], REMEMBERED_RECORDS * 1000
        for path in reversed(files):
            recent.append(path)
            room -= self._sizes[path]
            if room < 0:
                break
        for path in reversed(recent):
            for data in _read_records(path):
                self._seen[_digest(data)] = None
                for key in find_keys(msgspec.json.decode(data)):
                    self._places[key] = path
        _trim(self._seen, REMEMBERED_RECORDS)
        _trim(self._places, REMEMBERED)


def list_segments(folder: Path) -> list[Path]:
    """The files of received records, the oldest first."""
    segments = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
    return sorted((path for path in segments if not path.is_symlink()), key=lambda path: path.name)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=12).digest()


def _trim(entries: "OrderedDict[Any, Any]", most: int) -> None:
    while len(entries) > most:
        entries.popitem(last=False)


def _lines(entries: list[Entry]) -> Iterator[bytes]:
    """Records of one resource and scope share a line, in which these are written once."""
    groups: dict[int, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(id(entry.origin), []).append(entry)
    for group in groups.values():
        origin = group[0].origin
        for at in range(0, len(group), LINE_RECORDS):
            some = [entry.data for entry in group[at : at + LINE_RECORDS]]
            yield encode_rejections(some) if origin is None else encode_line(origin, some)


def _append_synced(path: Path, data: bytes) -> None:
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK, 0o600)
    try:
        remaining = memoryview(data)
        while remaining:
            remaining = remaining[os.write(opened, remaining) :]
        os.fsync(opened)
    finally:
        os.close(opened)


_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def _cut_back(path: Path, size: int) -> None:
    try:
        os.truncate(path, size)
    except OSError:
        return  # A line that was cut off is one bad record, and no answer promised it.


def _cut_last_line(path: Path) -> None:
    """Removes what stands behind the last line break."""
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        for step in count(1):
            start = max(0, end - step * 65_536)
            file.seek(start)
            at = file.read(end - start).rfind(b"\n")
            if at >= 0 or start == 0:
                break
        if start + at + 1 < end:
            file.truncate(start + at + 1)


class _Level(Struct, rename="camel"):
    """Any level of a line of a segment."""

    resource_spans: "list[_Level]" = []
    resource_logs: "list[_Level]" = []
    scope_spans: "list[_Level]" = []
    scope_logs: "list[_Level]" = []
    spans: list[Raw] = []
    log_records: list[Raw] = []
    rejected_records: list[Raw] = []


_LEVEL = msgspec.json.Decoder(_Level)


def _read_records(path: Path) -> Iterator[bytes]:
    """The records of a file as they were written; lines that are none of ours are passed over."""
    with path.open("rb") as file:
        for line in file:
            try:
                waiting = [_LEVEL.decode(line)]
            except (ValueError, RecursionError):
                continue
            while waiting:
                level = waiting.pop()
                yield from map(bytes, [*level.spans, *level.log_records, *level.rejected_records])
                waiting += level.resource_spans + level.resource_logs
                waiting += level.scope_spans + level.scope_logs
