"""Files that lie beside a trace and say more of it. Whoever wrote the trace wrote them too: a link
may lead anywhere and a pipe would be waited for, so that neither is opened."""

import os
import stat
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.intake.texts import fields_of

LARGEST = 64 * 2**20
"""Bytes of a file that is read, unless a reader says otherwise."""


def read_bytes_beside(path: Path, limit: int = LARGEST) -> bytes | None:
    """The file's bytes; None where there is none, or none that may be opened."""
    flags = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    try:
        if path.is_symlink():
            return None
        handle = os.open(path, os.O_RDONLY | sum(flags))
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
                return None
            with open(handle, "rb", closefd=False) as file:
                return file.read(status.st_size)
        finally:
            os.close(handle)
    except OSError:
        return None


def decode_beside(path: Path, limit: int = LARGEST) -> Any:
    """The value in the file; None where it cannot be read."""
    try:
        return msgspec.json.decode(read_bytes_beside(path, limit) or b"null")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def read_beside(path: Path, limit: int = LARGEST) -> dict[str, Any]:
    """The object in the file; empty where it cannot be read."""
    return fields_of(decode_beside(path, limit))
