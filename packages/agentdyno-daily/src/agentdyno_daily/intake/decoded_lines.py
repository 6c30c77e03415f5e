"""A file's lines, decoded at once: for scans, which hold a few fields of each.

Takes a file and a decoder for a line, returns what it made of them, in order. A last line that is
still being written is left out. Knows no format.
"""

from operator import sub
from os import fstat
from typing import Generic, TypeVar

import msgspec

from agentdyno.intake.source import Source

LARGEST = 256 * 2**20
"""A larger file is not held in memory."""
KEPT = 32 * 2**20
"""Files up to this size are read into the same memory, one after the other."""

T = TypeVar("T")


class ReaderNeeded(Exception):
    """Something in the file that only the format's reader understands."""


class DecodedLines(Generic[T]):
    """The lines of a file. They may refer to its bytes, which stay until the next one is read."""

    def __init__(self, source: Source, decoder: "msgspec.json.Decoder[T]") -> None:
        with source.path.open("rb", buffering=0) as file:
            size = fstat(file.fileno()).st_size
            if source.start or not 0 < size <= LARGEST:
                raise ReaderNeeded
            self._data = _memory(size)
            size = file.readinto(memoryview(self._data)[:size]) or 0
        try:
            self.values = decoder.decode_lines(memoryview(self._data)[:size])
        except msgspec.DecodeError:
            size = self._data.rfind(b"\n", 0, size) + 1
            self.values = decoder.decode_lines(memoryview(self._data)[:size])
        self._ends, longest = _find_ends(self._data, size), source.max_record_bytes
        # An object over several lines is damage; one that is too long is not read.
        if len(self.values) != len(self._ends) or (
            size > longest < max(map(sub, self._ends, [0, *self._ends]))
        ):
            raise ReaderNeeded

    def bytes_of(self, index: int) -> bytes:
        """A line's bytes in the file."""
        return bytes(self._data[self._ends[index - 1] if index else 0 : self._ends[index]])


_kept = bytearray()


def _memory(size: int) -> bytearray:
    """Memory for so many bytes: fresh memory for every file would take longer than to read it."""
    global _kept
    if size > KEPT:
        return bytearray(size)
    if size > len(_kept):
        _kept = bytearray(min(size * 2, KEPT))
    return _kept


def _find_ends(data: bytearray, size: int) -> list[int]:
    ends, find, end = [], data.find, 0
    while end := find(b"\n", end, size) + 1:
        ends.append(end)
    return ends if ends and ends[-1] == size else [*ends, size]
