"""Sidecar files: files next to a trace that add to it. Whoever wrote the trace wrote them too: a
link may lead anywhere and a pipe would be waited for, so that neither is opened."""

from pathlib import Path
from typing import Any

import msgspec

from agentdyno.intake.texts import fields_of
from agentdyno.regular_files import LARGEST, read_regular


def read_sidecar_bytes(path: Path, limit: int = LARGEST) -> bytes | None:
    """The file's bytes; None where there is none, or none that may be opened."""
    try:
        return read_regular(path, limit, follow_link=False)
    except OSError:
        return None


def decode_sidecar(path: Path, limit: int = LARGEST) -> Any:
    """The value in the file; None where it cannot be read."""
    try:
        return msgspec.json.decode(read_sidecar_bytes(path, limit) or b"null")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def read_sidecar(path: Path, limit: int = LARGEST) -> dict[str, Any]:
    """The object in the file; empty where it cannot be read."""
    return fields_of(decode_sidecar(path, limit))
