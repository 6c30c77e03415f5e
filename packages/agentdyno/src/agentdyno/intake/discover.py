"""Finds the files to read under the paths that were given, and which format each one is."""

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.intake.format import Format, Source, choose_format
from agentdyno.intake.head import Head
from agentdyno.intake.opening import origin, unpacked
from agentdyno.intake.packing import SUFFIXES, inner_name, is_packed
from agentdyno.intake.unreadable_formats import known_format
from agentdyno.records import InputError

TRACE_SUFFIXES = {".json", ".jsonl", ".ndjson", ".eval", ".traj", ".log", ""}
SMALLEST_PIECE, LARGEST_PIECE = 4 * 2**20, 32 * 2**20
"""Large files of one trajectory per line are read in pieces, of bytes between these."""
PIECES = 128
"""A file is cut into about so many, where that makes no piece too small or too large. Only its size
decides: a file that is cut otherwise is another one to a ledger."""
LEDGER, HIDDEN = "a ledger, not a trace", "a hidden folder, read only when it is named"
LINK = "a link to a folder elsewhere, read only when it is named"


class Found(Struct, frozen=True):
    """A file that a format recognised."""

    path: Path
    """Where its bytes are."""
    name: str
    """Its name in ids: relative to the parent of the path that was given."""
    size: int
    """Bytes."""
    format: str
    """The format that reads it."""
    by_line: bool
    """Whether it can be read in pieces."""
    origin: str | None = None
    """The packed file it comes from and its place in there; None for a file of its own."""


class Unrecognised(Struct, frozen=True):
    """A file that was not read, or not to its end."""

    name: str
    """Its name."""
    reason: str
    """Why."""
    is_trace: bool = True
    """Whether it looks like a trace; False for what only lies beside some."""


def discover(
    paths: Sequence[Path], formats: dict[str, Format], forced: Format | None = None
) -> Iterator[Found | Unrecognised]:
    """Every file to read, in a stable order, and every file that is skipped."""
    seen: set[Path] = set()
    search = _Search(formats, forced)
    for root in paths:
        _expect_file_or_folder(root)
        for item in _files(root):
            if isinstance(item, Unrecognised):
                yield item
                continue
            path, name = item
            real = path.resolve()
            if real not in seen:
                seen.add(real)
                yield from search.recognise(path, name, explicit=root.is_file())


def _expect_file_or_folder(root: Path) -> None:
    """A pipe would be read once, and a ledger reads its traces again."""
    if str(root) == "-" or (root.exists() and not root.is_file() and not root.is_dir()):
        raise InputError(
            f"{root}: expected a file or a folder, found a pipe or a device. Write what comes "
            "out of it to a file, and measure that."
        )
    if not root.exists():
        raise InputError(f"{root}: no such file or folder.")


def _files(root: Path) -> Iterator[tuple[Path, str] | Unrecognised]:
    resolved = root.resolve()
    if resolved.is_file():
        yield resolved, _written(resolved.name)
        return
    walked = list(_walk(resolved))
    # A link beside the file that it leads to must not decide the file's name.
    for path, reason in sorted(walked, key=lambda each: each[0].is_symlink()):
        name = _written(path.relative_to(resolved.parent).as_posix())
        beside = reason in (LEDGER, HIDDEN)
        yield Unrecognised(name, reason, is_trace=not beside) if reason else (path, name)


def _written(name: str) -> str:
    """Names on disk need not be valid text; ids must."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _walk(root: Path) -> Iterator[tuple[Path, str]]:
    """Every file under the folder; with a reason where it, or a folder of them, is skipped."""
    denied: list[OSError] = []
    for folder, folders, files in os.walk(root, onerror=denied.append):
        here = Path(folder)
        if "manifest.json" in files and (here / "trajectories").is_dir():
            folders[:] = []
            yield here, LEDGER
            continue
        hidden = [f for f in folders if f.startswith(".") or f == "__pycache__"]
        yield from ((here / name, HIDDEN) for name in sorted(hidden))
        folders[:] = sorted(set(folders) - set(hidden))
        yield from ((here / name, LINK) for name in folders if _leads_out(here / name, root))
        yield from ((here / file, "") for file in sorted(files))
    yield from ((Path(error.filename), error.strerror or "cannot be read") for error in denied)


def _leads_out(folder: Path, root: Path) -> bool:
    """Whether it is a link to a folder that is not walked already. None is followed: they loop."""
    return folder.is_symlink() and not folder.resolve().is_relative_to(root)


class _Search:
    """Asks the formats what a file is."""

    def __init__(self, formats: dict[str, Format], forced: Format | None) -> None:
        self._formats, self._forced = formats, forced

    def recognise(
        self, path: Path, name: str, explicit: bool, inside: bool = False
    ) -> Iterator[Found | Unrecognised]:
        """What the file is; a packed one is opened, unless it stands `inside` another."""
        if reason := _no_trace(path, explicit):
            yield Unrecognised(name, reason, is_trace=False)
            return
        try:
            if path.exists() and not path.is_file():
                yield Unrecognised(name, "a pipe or a device", is_trace=False)
                return  # A pipe would wait for a writer for ever.
            head = Head(path)
        except OSError as error:
            yield Unrecognised(name, error.strerror or "cannot be opened")
            return
        yield from self._look(path, name, head, inside)

    def _look(
        self, path: Path, name: str, head: Head, inside: bool
    ) -> Iterator[Found | Unrecognised]:
        if not head.data.strip():
            yield Unrecognised(name, "the file is empty")
            return
        if head.data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            yield Unrecognised(name, "UTF-16 text; traces are UTF-8, convert it with iconv")
            return
        packed = is_packed(head.data)
        format = self._chosen(head, packed)
        if format is not None:
            yield Found(path, name, head.size, format.name, format.by_line(head))
        elif packed and inside:
            yield Unrecognised(name, "an archive inside an archive, which is not opened")
        elif packed:
            yield from self._inside(path, name)
        elif called := known_format(head):
            yield Unrecognised(name, f"looks like {called}, a known format that is not read yet")
        else:
            yield Unrecognised(name, "no format recognises it")

    def _chosen(self, head: Head, packed: bool) -> Format | None:
        """A zip may be a log itself; of other packed files only the contents are looked at."""
        if not packed:
            return self._forced or choose_format(head, self._formats)
        return choose_format(head, self._formats) if head.is_zip else None

    def _inside(self, packed: Path, name: str) -> Iterator[Found | Unrecognised]:
        """What a packed file holds; one compressed file keeps its name, others get the archive's
        before theirs."""
        contents = unpacked(packed)
        for left in contents.left:
            yield Unrecognised(f"{name}/{left.name}" if left.name else name, left.reason)
        files = [path for path, reason in _walk(contents.folder) if not reason]
        alone = [path.name for path in files] == [inner_name(packed.name)]
        for path in files:
            if alone and contents.left and not path.stat().st_size:
                continue  # It ends before its first byte, which has been said.
            relative = _written(path.relative_to(contents.folder).as_posix())
            called = name if alone else f"{name}/{relative}"
            for item in self.recognise(path, called, explicit=alone, inside=True):
                yield self._from_inside(item, packed, contents.folder)

    def _from_inside(
        self, item: Found | Unrecognised, packed: Path, folder: Path
    ) -> Found | Unrecognised:
        if isinstance(item, Unrecognised):
            return item
        return structs.replace(item, origin=_written(origin(item.path, packed, folder)))


def _no_trace(path: Path, explicit: bool) -> str | None:
    """Why a file is not even looked at."""
    if path.name.startswith("."):
        return "a hidden file"
    suffix = path.suffix.lower()
    if explicit or suffix in TRACE_SUFFIXES:
        return None
    if suffix in SUFFIXES and _ends_like_a_trace(inner_name(path.name), suffix):
        return None
    return f"its ending {suffix} is not one that traces have"


def _ends_like_a_trace(inner: str, suffix: str) -> bool:
    ending = Path(inner).suffix.lower()
    return ending in TRACE_SUFFIXES or ending == ".tar" or suffix in (".zip", ".tar")


def pieces_of(found: Found, piece_bytes: int | None = None) -> list[Source]:
    """The file as one source, or as several that can be read side by side."""
    if piece_bytes is None:
        piece_bytes = max(SMALLEST_PIECE, min(LARGEST_PIECE, found.size // PIECES))
    if not found.by_line or found.size <= piece_bytes:
        return [Source(found.path, found.name, 0, found.size)]
    edges = [*range(0, found.size, piece_bytes), found.size]
    return [Source(found.path, found.name, start, stop) for start, stop in pairwise(edges)]
