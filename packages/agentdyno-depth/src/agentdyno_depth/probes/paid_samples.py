"""Responses of a server in a file, from the moment they arrive until a run has finished.

Takes a request and its response, and returns the response when the same request is made again, so
that a run that was interrupted pays for no sample twice. Lines that cannot be read (a kill tears
the last one) are left out: their samples are requested again. Knows nothing of HTTP.
"""

from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

S = TypeVar("S")


class _Line(Struct, frozen=True):
    """One response."""

    request: str
    """A fingerprint of everything that was sent, and of which sample it is."""
    response: Any


class PaidSamples(Generic[S]):
    """Responses by request; in memory alone without a path. Threads may share it."""

    def __init__(self, path: Path | None, kind: type[S]) -> None:
        self._path, self._kind, self._lock = path, kind, Lock()
        self._found = _read(path, kind) if path is not None and path.is_file() else {}

    def find(self, request: Any) -> S | None:
        """The response to this request; None when it is not there."""
        return self._found.get(_fingerprint(request))

    def add(self, request: Any, response: S) -> None:
        """One more response, on disk when this returns."""
        if self._path is None:
            return
        line = _Line(_fingerprint(request), response)
        with self._lock, self._path.open("ab") as file:
            # A line feed first: the line before may be torn.
            file.write(b"\n" + msgspec.json.encode(line) + b"\n")

    def remove(self) -> None:
        """The run has finished: nothing is to be requested again."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _fingerprint(request: Any) -> str:
    encoded = msgspec.json.encode(request, order="sorted")
    return blake2b(encoded, digest_size=16).hexdigest()


def _read(path: Path, kind: type[S]) -> dict[str, S]:
    found: dict[str, S] = {}
    for written in path.read_bytes().split(b"\n"):
        try:
            line = msgspec.json.decode(written, type=_Line)
            found[line.request] = msgspec.convert(line.response, type=kind)
        except msgspec.MsgspecError:
            continue
    return found
