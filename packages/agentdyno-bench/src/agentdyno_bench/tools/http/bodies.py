"""Decompresses a body while it comes, never holding more than the limit.

A compressed body may unfold to a thousand times its size; here it unfolds only up to what is still
wanted.
"""

import zlib
from typing import Protocol

from agentdyno.records import printable
from agentdyno_bench.tools.http.guard import RefusedError


class Unfolding(Protocol):
    """One encoding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """What the data unfold to, at most `room` bytes; what is beyond is lost."""

    def has_ended(self) -> bool:
        """Whether the encoding came to its end; False when the body was broken off."""


class Plain:
    """No encoding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """The data."""
        return data[:room]

    def has_ended(self) -> bool:
        """Always: nothing says where it should end."""
        return True


class Deflated:
    """gzip (one member or several), zlib, or bare deflate, as servers send it by that name."""

    def __init__(self) -> None:
        self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._begun = False

    def feed(self, data: bytes, room: int) -> bytes:
        """The data unpacked."""
        decoded = bytearray()
        while data and len(decoded) < room:
            decoded += self._step(data, room - len(decoded))
            data = self._unpack.unused_data
            if self._unpack.eof and data.lstrip(b"\0"):
                self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)  # Another member follows.
            elif self._unpack.eof:
                break
        return bytes(decoded)

    def has_ended(self) -> bool:
        """Whether the last member came to its end."""
        return self._unpack.eof or not self._begun

    def _step(self, data: bytes, room: int) -> bytes:
        try:
            decoded = self._unpack.decompress(data, room)
        except zlib.error:
            if self._begun:
                raise RefusedError("the page's compression is damaged") from None
            decoded = self._bare(data, room)
        self._begun = True
        return decoded

    def _bare(self, data: bytes, room: int) -> bytes:
        self._unpack = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            return self._unpack.decompress(data, room)
        except zlib.error:
            raise RefusedError("the page's compression is damaged") from None


def open_decoder(encoding: str) -> Unfolding:
    """How to undo a Content-Encoding."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return Plain()
    if name in ("gzip", "x-gzip", "deflate"):
        return Deflated()
    raise RefusedError(f"the page is encoded as {printable(name, 40)}, which was not asked for")
