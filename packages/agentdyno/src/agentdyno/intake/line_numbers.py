"""The number of the line that a piece of a file begins with.

Takes a file and a byte, returns a line's number. Ids of trajectories hold it, so every piece needs
it; whoever has read the piece before knows it already, and nobody counts a stretch twice in one
process. A file that has changed since is counted anew.
"""

from pathlib import Path
from typing import ClassVar

CHUNK = 1 << 20


class _Counted:
    """Line numbers of the file that was read last."""

    file: tuple[Path, int, int] | None = None
    """Its path, its size and when it was written."""
    lines: ClassVar[dict[int, int]] = {}
    """Byte -> the number of the first line that starts at or after it."""


def line_at(path: Path, start: int) -> int:
    """The number of the first line that starts at or after a byte."""
    if start == 0:
        return 1
    number_at = _load_known(path)
    nearest = max((byte for byte in number_at if byte <= start), default=None)
    if nearest is None:
        # The line that holds the byte before belongs to the piece before.
        number_at[start] = _newlines(path, 0, start - 1) + 2
    elif nearest < start:
        number_at[start] = number_at[nearest] + _newlines(path, nearest - 1, start - 1)
    return number_at[start]


def note_line(path: Path, start: int, number: int) -> None:
    """Note the line number at a byte, by a reader of the file up to it."""
    _load_known(path)[start] = number


def _load_known(path: Path) -> dict[int, int]:
    status = path.stat()
    file = path, status.st_size, status.st_mtime_ns
    if _Counted.file != file:
        _Counted.file = file
        _Counted.lines.clear()
    return _Counted.lines


def _newlines(path: Path, start: int, stop: int) -> int:
    with path.open("rb") as file:
        file.seek(start)
        sizes = (min(CHUNK, stop - at) for at in range(start, stop, CHUNK))
        return sum(file.read(size).count(b"\n") for size in sizes)
