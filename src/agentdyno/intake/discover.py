"""Finds the files to read under the paths that were given, and which format each one is."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.intake.format import Format, Source, choose_format
from agentdyno.intake.head import Head
from agentdyno.records import InputError

TRACE_SUFFIXES = {".json", ".jsonl", ".ndjson", ".eval", ".traj", ".log", ""}
PIECE_BYTES = 32 * 2**20
"""Large files of one trajectory per line are read in pieces of this size."""


class Found(Struct, frozen=True):
    """A file that a format recognised."""

    path: Path
    """Where it is."""
    name: str
    """Its name in ids: relative to the parent of the path that was given."""
    size: int
    """Bytes."""
    format: str
    """The format that reads it."""
    by_line: bool
    """Whether it can be read in pieces."""


class Unrecognised(Struct, frozen=True):
    """A file that looks like a trace and that no format recognised."""

    name: str
    """Its name."""
    reason: str
    """Why it was not read."""


def discover(
    paths: Sequence[Path], formats: dict[str, Format], forced: Format | None = None
) -> Iterator[Found | Unrecognised]:
    """Every file to read, in a stable order."""
    seen: set[Path] = set()
    for root in paths:
        if not root.exists():
            raise InputError(f"{root}: no such file or folder.")
        for path, name in _files(root):
            real = path.resolve()
            if real not in seen:
                seen.add(real)
                yield from _recognise(path, name, formats, forced, explicit=root.is_file())


def _files(root: Path) -> Iterator[tuple[Path, str]]:
    resolved = root.resolve()
    if resolved.is_file():
        yield resolved, _written(resolved.name)
        return
    # A link beside the file that it leads to must not decide the file's name.
    for path in sorted(_walk(resolved), key=Path.is_symlink):
        yield path, _written(path.relative_to(resolved.parent).as_posix())


def _written(name: str) -> str:
    """Names on disk need not be valid text; ids must."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__")
        if "manifest.json" in files and (Path(folder) / "trajectories").is_dir():
            folders[:] = []  # A ledger of ours is not a trace.
            continue
        yield from (Path(folder) / file for file in sorted(files))


def _recognise(
    path: Path, name: str, formats: dict[str, Format], forced: Format | None, explicit: bool
) -> Iterator[Found | Unrecognised]:
    if path.name.startswith(".") or (path.suffix.lower() not in TRACE_SUFFIXES and not explicit):
        return
    try:
        if path.exists() and not path.is_file():
            return  # A pipe would wait for a writer for ever.
        head = Head(path)
    except OSError as error:
        yield Unrecognised(name, error.strerror or "cannot be opened")
        return
    if not head.data.strip():
        yield Unrecognised(name, "the file is empty")
        return
    format = forced or choose_format(head, formats)
    if format is None:
        yield Unrecognised(name, "no format recognises it")
    else:
        yield Found(path, name, head.size, format.name, format.by_line(head))


def pieces_of(found: Found, piece_bytes: int = PIECE_BYTES) -> list[Source]:
    """The file as one source, or as several that can be read side by side."""
    if not found.by_line or found.size <= piece_bytes:
        return [Source(found.path, found.name, 0, found.size)]
    edges = [*range(0, found.size, piece_bytes), found.size]
    starts = line_numbers(found.path, edges[:-1])
    return [
        Source(found.path, found.name, start, stop, first_line=line)
        for start, stop, line in zip(edges[:-1], edges[1:], starts, strict=True)
    ]


def line_numbers(path: Path, offsets: Iterable[int]) -> list[int]:
    """For each offset, the number of the first line that starts at or after it."""
    numbers, newlines, position = [], 0, 0
    with path.open("rb") as file:
        for offset in offsets:
            while position < offset - 1:
                chunk = file.read(min(1 << 20, offset - 1 - position))
                if not chunk:
                    break
                newlines += chunk.count(b"\n")
                position += len(chunk)
            # The line that holds the byte before the offset is read by the piece before.
            numbers.append(1 if offset == 0 else newlines + 2)
    return numbers
