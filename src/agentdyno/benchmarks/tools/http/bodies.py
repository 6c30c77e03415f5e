"""Decompresses a body while it comes, never holding more than the limit.

A compressed body may unfold to a thousand times its size; here it unfolds only up to what is still
wanted.
"""

import zlib
from typing import Protocol

from agentdyno.benchmarks.tools.http.guard import RefusedError
from agentdyno.records import printable


class Unfolding(Protocol):
    """One encoding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """What the data unfold to, at most `room` bytes; what is beyond is lost."""


class Plain:
    """No encoding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """The data."""
        return data[:room]


class Deflated:
    """gzip or zlib."""

    def __init__(self) -> None:
        self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)

    def feed(self, data: bytes, room: int) -> bytes:
        """The data unpacked."""
        try:
            return self._unpack.decompress(data, room) if room > 0 else b""
        except zlib.error:
            raise RefusedError("the page's compression is damaged") from None


def unfolding(encoding: str) -> Unfolding:
    """How to undo a Content-Encoding."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return Plain()
    if name in ("gzip", "x-gzip", "deflate"):
        return Deflated()
    raise RefusedError(f"the page is encoded as {printable(name, 40)}, which was not asked for")
