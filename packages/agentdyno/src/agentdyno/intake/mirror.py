"""Traces in object storage, as files on this disk that hold as much of them as planning needs.

Takes URLs, returns paths under a temporary folder. Each file there is as long as the one it stands
for and has its first and last bytes, which is enough to tell its format and to know it again; what
a job reads is fetched by whoever does the job. Packed files, databases, and those whose first line
is longer than the beginning, are fetched whole.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from agentdyno.engines.storage import (
    Stored,
    fetch,
    files_under,
    read_stretch,
    url_of,
    write_stretches,
)
from agentdyno.intake.head import HEAD_BYTES, MAGIC
from agentdyno.intake.packed import is_packed

TAIL_BYTES = 256 * 1024
AT_ONCE = 16
"""Files that are looked at side by side: a look is mostly waiting."""
NEIGHBOURS = 64
"""Files beside a document that a format may ask for, unless they are more."""
NEIGHBOUR_BYTES = 4 * 2**20


class Mirror:
    """Local files that stand for files in the storage."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self.stored: dict[Path, Stored] = {}
        """By the path of the file that stands for it."""
        self.paths: list[Path] = []
        """What to read: the paths that were given, or here what stands for them."""

    @cached_property
    def urls(self) -> frozenset[str]:
        return frozenset(file.url for file in self.stored.values())

    @cached_property
    def _folders(self) -> dict[Path, list[Path]]:
        folders: dict[Path, list[Path]] = {}
        for path in self.stored:
            folders.setdefault(path.parent, []).append(path)
        return folders

    def __bool__(self) -> bool:
        return bool(self.stored)

    def add(self, url: str) -> Path:
        """Lists what is under the URL; returns the path that stands for it."""
        root = url.rstrip("/")
        base = self._folder / str(len(list(self._folder.iterdir()))) / root.rpartition("/")[2]
        base.parent.mkdir()
        files = {base / _inside(file.url, root): file for file in files_under(root)}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(_lay_out, files.keys(), files.values()))
        self.stored |= files
        return base

    def place(self, written: str) -> str:
        """A path as the ledger is to write it: the URL, where it stands for one."""
        path, inside, inner = written.partition("!/")
        stands_for = self.stored.get(Path(path))
        return written if stands_for is None else f"{stands_for.url}{inside}{inner}"

    def needed(self, path: Path) -> dict[str, Stored]:
        """Files to fetch before reading this one, by their paths in the mirror: the file, and
        small ones in its folder and the one above, which some formats look at."""
        beside = [p for f in (path.parent, path.parent.parent) for p in self._folders.get(f, [])]
        small = [p for p in beside if self.stored[p].size <= NEIGHBOUR_BYTES]
        expected = [path, *small] if len(beside) <= NEIGHBOURS else [path]
        return {self.relative(p): self.stored[p] for p in dict.fromkeys(expected)}

    def relative(self, path: Path) -> str:
        """A path in the mirror, wherever a mirror stands."""
        return path.relative_to(self._folder).as_posix()


@contextmanager
def mirror_paths(paths: Sequence[Path]) -> Iterator[Mirror]:
    """The paths with those in object storage mirrored, for as long as it is needed."""
    folder = Path(tempfile.mkdtemp(prefix="agentdyno-"))
    mirror = Mirror(folder)
    try:
        mirror.paths = [mirror.add(url) if (url := url_of(path)) else path for path in paths]
        yield mirror
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _inside(url: str, root: str) -> str:
    return url[len(root) :].lstrip("/")


def _lay_out(target: Path, stored: Stored) -> None:
    head = read_stretch(stored.url, 0, min(HEAD_BYTES, stored.size)) if stored.size else b""
    is_binary = is_packed(head) or head.startswith(MAGIC)
    if stored.size > len(head) and (is_binary or b"\n" not in head.strip()):
        fetch(stored.url, target)
    else:
        tail = max(stored.size - TAIL_BYTES, len(head))
        tail_bytes = read_stretch(stored.url, tail, stored.size) if tail < stored.size else b""
        write_stretches(target, stored.size, [(0, head), (tail, tail_bytes)])
    # Files are known again by their times; one that the storage does not tell is always the same.
    os.utime(target, (stored.modified or 0, stored.modified or 0))
