"""Files without a name, for what one run of several processes holds and nobody else may see.

Takes a folder, returns a file that stands in none: only processes that it is sent to can open it,
and it is gone with them, whatever ends them. Knows nothing of what is in it.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


class AnonymousFile:
    """A file that is open here; sent to another process it is open there, too."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __reduce__(self) -> "tuple[Callable[..., AnonymousFile], tuple[Any, ...]]":
        from multiprocessing import reduction

        return _receive, (reduction.DupFd(self._descriptor),)

    def __del__(self) -> None:
        os.close(self._descriptor)

    @property
    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def append(self, data: bytes) -> int:
        """Writes at its end; returns where. One process at a time."""
        start = at = self.size
        unwritten = memoryview(data)
        while unwritten:
            written = os.pwrite(self._descriptor, unwritten, at)
            unwritten, at = unwritten[written:], at + written
        return start

    def read(self, start: int, size: int) -> bytes:
        """The bytes there; fewer where the file ends before."""
        return os.pread(self._descriptor, size, start)

    def clear(self) -> None:
        os.ftruncate(self._descriptor, 0)


def create_anonymous_file(folder: Path) -> AnonymousFile | None:
    """An empty one on the folder's disk; None where the system or the disk has none."""
    if not hasattr(os, "pwrite"):
        return None
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            return AnonymousFile(os.dup(file.fileno()))
    except OSError:
        return None


def _receive(handle: Any) -> AnonymousFile:
    return AnonymousFile(handle.detach())
