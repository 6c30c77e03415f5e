"""Reads the members of a zip archive, also of one that is damaged or hostile.

Python's `zipfile` knows where the members are but cannot decompress zstd and trusts declared
sizes; so members are decompressed here, in pieces, up to a limit. When the directory at the
archive's end is missing, the headers in front of the members are followed instead.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, cast

import zstandard
from msgspec import Struct

from agentdyno.intake.source import Source
from agentdyno.intake.streams import too_large
from agentdyno.records import UnreadableError

STORED, DEFLATED, ZSTD = 0, 8, 93
_ENCRYPTED, _STREAMED = 1, 8
_ELSEWHERE = 0xFFFFFFFF
_PIECE = 1 << 20
_LOCAL = struct.Struct("<4s5H3L2H")
_SIGNATURE = b"PK\x03\x04"
_DIRECTORY = (b"PK\x01\x02", b"PK\x05\x06")
_BROKEN = (
    zipfile.BadZipFile,
    struct.error,
    OSError,
    ValueError,
    EOFError,
    OverflowError,
    NotImplementedError,
)


class Member(Struct, frozen=True, gc=False):
    """Position of a member's bytes and their packing."""

    name: str
    """Its path in the archive."""
    method: int
    """How it is compressed, in zip's numbers."""
    flags: int
    """Zip's general purpose flags."""
    crc: int
    """Checksum of the unpacked bytes."""
    size: int
    """Packed size in bytes."""
    at: int
    """Where its local header begins in the file."""


class Archive:
    """An open archive: the last member of each name, and what is wrong with the archive itself."""

    def __init__(self, source: Source, file: IO[bytes]) -> None:
        self.members: dict[str, Member] = {}
        self.problem: UnreadableError | None = None
        self._file = file
        self._limit = source.max_record_bytes
        try:
            members = list(_list(file))
        except _BROKEN:
            members, lost = _salvage(file)
            self.problem = UnreadableError(
                "a zip archive with its directory at the end",
                f"none; by their own headers {len(members)} members found whole and {lost} not",
            )
        for member in members:
            # Logs that were recovered or edited hold a name twice; the last is the valid one.
            self.members[member.name] = member

    def read(self, name: str) -> bytes:
        member = self.members[name]
        try:
            data = b"".join(self._unpack(member))
        except (*_BROKEN, zlib.error, zstandard.ZstdError) as error:
            raise UnreadableError("a sound zip member", type(error).__name__) from None
        if zlib.crc32(data) != member.crc:
            raise UnreadableError("a sound zip member", "a wrong checksum")
        return data

    def _unpack(self, member: Member) -> Iterator[bytes]:
        if member.flags & _ENCRYPTED:
            raise UnreadableError("a zip member in the clear", "an encrypted one")
        self._file.seek(member.at)
        header = _LOCAL.unpack(self._file.read(_LOCAL.size))
        self._file.seek(header[9] + header[10], 1)
        packed = _Window(self._file, member.size)
        total = 0
        for piece in _pieces(packed, member.method, self._limit):
            total += len(piece)
            # Declared sizes lie; what counts is what comes out.
            if total > self._limit:
                raise too_large(total, self._limit)
            yield piece
        if packed.left:
            raise UnreadableError("the end of the zip member", "the file ends early")


class _Window:
    """The packed bytes of one member, as a file that ends with it."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self.left = size

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(self.left if size < 0 else min(size, self.left))
        self.left -= len(data)
        return data


def _pieces(packed: _Window, method: int, limit: int) -> Iterator[bytes]:
    if method == STORED:
        while piece := packed.read(_PIECE):
            yield piece
    elif method == DEFLATED:
        yield from _inflate(packed, limit)
    elif method == ZSTD:
        # Large members are written as several frames in a row.
        reader = zstandard.ZstdDecompressor().stream_reader(
            cast(IO[bytes], packed), read_across_frames=True
        )
        while piece := reader.read(_PIECE):
            yield piece
    else:
        raise UnreadableError("a zip member that is stored, deflated or zstd", f"method {method}")


def _inflate(packed: _Window, limit: int) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-15)
    while piece := packed.read(_PIECE):
        yield unpacker.decompress(piece, limit + 1)
        if unpacker.unconsumed_tail:
            raise too_large(limit + 1, limit)
    if not unpacker.eof:
        raise UnreadableError("the end of the zip member", "it ends early")


def _list(file: IO[bytes]) -> Iterator[Member]:
    """The members as the archive's directory has them."""
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            yield Member(
                info.filename,
                info.compress_type,
                info.flag_bits,
                info.CRC,
                info.compress_size,
                info.header_offset,
            )


def _salvage(file: IO[bytes]) -> tuple[list[Member], int]:
    """The members that can be reached from header to header, and how many are cut off."""
    members: list[Member] = []
    lost = 0
    end = file.seek(0, 2)
    at: int | None = 0
    while at is not None and at + _LOCAL.size <= end:
        file.seek(at)
        fields = _LOCAL.unpack(file.read(_LOCAL.size))
        if fields[0] != _SIGNATURE:
            at = None if fields[0] in _DIRECTORY else _next_header(file, at + 1)
            continue
        name = file.read(fields[9]).decode("utf-8", "replace")
        after = at + _LOCAL.size + fields[9] + fields[10] + fields[7]
        # Sizes of streamed and of very large members stand behind them, so they are not known.
        if fields[2] & _STREAMED or fields[7] == _ELSEWHERE or after > end:
            lost += 1
            at = _next_header(file, at + 4)
            continue
        members.append(Member(name, fields[3], fields[2], fields[6], fields[7], at))
        at = after
    return members, lost


def _next_header(file: IO[bytes], start: int) -> int | None:
    file.seek(start)
    tail = b""
    while piece := file.read(_PIECE):
        offset = (tail + piece).find(_SIGNATURE)
        if offset >= 0:
            return start - len(tail) + offset
        start += len(piece)
        tail = (tail + piece)[-3:]
    return None
