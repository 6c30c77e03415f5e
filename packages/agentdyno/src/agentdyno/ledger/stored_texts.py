"""What traces said, kept beside a ledger whose owner asked for it: agents delete old sessions.

Takes trajectories of a piece of a trace, returns them again. A file is named after what its piece
was and what read it, so that it belongs to every volume that holds the piece, and to none that was
read otherwise. The tables rest on none of this: whoever removes the folder loses texts alone.
"""

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from agentdyno.ledger.disk import (
    PRIVATE_FOLDER,
    add_digest,
    digest,
    make_private,
    plainly,
    strip_digest,
    write_synced,
)
from agentdyno.ledger.file_names import TEXTS, refuse_link
from agentdyno.ledger.manifest import Manifest, Piece
from agentdyno.records import InputError, Trajectory
from agentdyno.records.rows import Rows

LEVEL = 3
"""Of zstd: a tenth of the trace, in a tenth of the time of reading it."""
MOST_BYTES = 2**30
"""Limit of an unpacked file; a piece of a trace is a small part of that."""


def text_key(manifest: Manifest, volume: str, piece: Piece) -> str | None:
    """The name of a piece's file; None where the ledger no longer knows the trace."""
    entry, making = manifest.inputs.get(piece.name), manifest.volumes[volume].making
    if entry is None:
        return None
    trace = entry.format, entry.fingerprint.size, entry.fingerprint.edges
    inputs = (piece, trace, making.reading, making.versions)
    return digest(msgspec.json.encode(inputs, order="sorted"))


class StoredTexts:
    """The texts that a ledger's folder holds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / TEXTS

    @cached_property
    def keys(self) -> set[str]:
        if not refuse_link(self._folder).is_dir():
            return set()
        return {path.name for path in self._folder.iterdir() if not path.name.startswith(".")}

    def read(self, key: str) -> list[Trajectory]:
        path = refuse_link(self._folder / key)
        try:
            data = strip_digest(path.read_bytes())
            if data is None:
                raise ValueError("other bytes than were written")
            size = zstandard.get_frame_parameters(data).content_size
            if not 0 <= size <= MOST_BYTES:
                raise ValueError("more bytes than a trace has")
            return _DECODER.decode(zstandard.decompress(data))
        except (OSError, ValueError, zstandard.ZstdError, msgspec.MsgspecError) as error:
            raise InputError(
                f"{path}: expected texts that AgentDyno kept, found a damaged file ({error}). "
                "Remove it: the trace is read again if it still exists."
            ) from None

    def write(self, key: str, trajectories: Sequence[Trajectory]) -> None:
        """Keeps the trajectories of a piece, which hold no secrets any more."""
        data = zstandard.compress(_ENCODER.encode(trajectories), LEVEL)
        staging = self._folder / f".{key}.new"
        with plainly(self._folder.parent):
            self._make_folder()
            write_synced(staging, add_digest(data))
            staging.replace(refuse_link(self._folder / key))
        self.keys.add(key)

    def _make_folder(self) -> None:
        """Whoever reads conversations is their owner: the whole ledger is private with them."""
        if not refuse_link(self._folder).is_dir():
            self._folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
            make_private(self._folder.parent)

    def drop_others(self, keys: Collection[str]) -> None:
        """Removes what no volume has any more."""
        for key in self.keys - set(keys):
            (self._folder / key).unlink(missing_ok=True)
        self.keys.intersection_update(keys)


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, Rows):
        return list(value)
    raise TypeError(type(value).__name__)


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_as_list)
_DECODER = msgspec.msgpack.Decoder(list[Trajectory])
