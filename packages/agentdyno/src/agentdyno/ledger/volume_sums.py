"""What studies worked out of single volumes, kept beside the ledger so that nobody does it again.

Takes a ledger's folder, returns frames by name. A volume never changes, so its sums hold as long as
what they rest on (its files, the options, this version) is the same. Nothing rests on them: a file
that is missing, damaged or of something else is worked out again from the rows.
"""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import msgspec
import polars as pl
from msgspec import Struct

from agentdyno.ledger.disk import add_digest, make_folder, strip_digest, write_file
from agentdyno.ledger.file_names import SUMS, refuse_link
from agentdyno.records import InputError

Sums = dict[str, pl.DataFrame]
"""Frames by name."""


class _Kept(Struct, frozen=True, array_like=True):
    rests_on: str
    frames: dict[str, memoryview]


class VolumeSums:
    """The sums of one volume, or of a piece of it."""

    def __init__(self, folder: Path, volume: str, piece: int = 0) -> None:
        self._path = folder / SUMS / (f"{volume}-{piece}" if piece else volume)
        self._kept = _read(self._path)
        self._has_new = False

    def find(self, name: str, rests_on: str) -> Sums | None:
        """The sums stored under the name, if they rest on the same."""
        stored = self._kept.get(name)
        if stored is None or stored.rests_on != rests_on:
            return None
        try:
            return {key: pl.read_ipc_stream(BytesIO(data)) for key, data in stored.frames.items()}
        except pl.exceptions.PolarsError:
            return None

    def add(self, name: str, rests_on: str, sums: Sums) -> None:
        """Keeps sums until `save`."""
        self._kept[name] = _Kept(rests_on, {key: _write(frame) for key, frame in sums.items()})
        self._has_new = True

    def save(self) -> None:
        """Writes what is new. A ledger that can only be read has no sums, and needs none."""
        if not self._has_new:
            return
        self._has_new = False
        data = msgspec.msgpack.encode(self._kept)
        staging = self._path.with_name(f".{self._path.name}.new")
        try:
            make_folder(refuse_link(self._path.parent))
            write_file(refuse_link(staging), add_digest(data))
            staging.replace(self._path)
        except (OSError, InputError):
            return


def drop_sums(folder: Path, volumes: Iterable[str]) -> None:
    """Removes the sums of volumes that are gone."""
    for volume in volumes:
        for path in refuse_link(folder / SUMS).glob(f"{volume}*"):
            path.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, _Kept]:
    try:
        refuse_link(path.parent)
        data = strip_digest(refuse_link(path).read_bytes())
        return {} if data is None else msgspec.msgpack.decode(data, type=dict[str, _Kept])
    except (OSError, InputError, msgspec.MsgspecError):
        return {}


def _write(frame: pl.DataFrame) -> memoryview:
    data = BytesIO()
    frame.write_ipc_stream(data)
    return data.getbuffer()
