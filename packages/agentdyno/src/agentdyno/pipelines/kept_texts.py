"""Trajectories with their texts, from the costs of a run to what the same run derives from them.

Takes trajectories as a format read them, returns them as they were: to write them down and to load
them takes a tenth of the time of reading the trace again. The ledger keeps no texts, so they stand
in files without a name, which are gone with the run. Whatever is not in them is read again.
"""

import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from agentdyno.engines.anonymous_files import AnonymousFile, create_anonymous_file
from agentdyno.intake.source import Source
from agentdyno.ledger.manifest import Piece
from agentdyno.records import Trajectory

MOST_FILES = 64
"""Jobs whose texts are held, each of up to 64 MB of traces; later ones are read again."""
_FOOTER = 8
"""Bytes at the end that say how long the index before them is."""

Index = dict[str, dict[int, list[tuple[int, int]]]]
"""By the file's name and the byte at which a piece begins: start and size of each trajectory."""


class KeptTexts:
    """What a run has read, by the pieces of files."""

    def __init__(self) -> None:
        self._files: dict[Piece, AnonymousFile] = {}
        self._created = 0

    def create(self, folder: Path, pieces: Sequence[Piece]) -> AnonymousFile | None:
        """A file for the trajectories of these pieces; None where there are enough."""
        file = create_anonymous_file(folder) if self._created < MOST_FILES else None
        if file is not None:
            self._created += 1
            self._files |= dict.fromkeys(pieces, file)
        return file

    def find(self, pieces: Sequence[Piece]) -> AnonymousFile | None:
        """The file that has the trajectories of all these pieces."""
        files = [self._files.get(piece) for piece in pieces]
        return files[0] if files and all(file is files[0] for file in files) else None


class TextKeeper:
    """Writes the trajectories of a job. A disk that refuses them costs only the second reading."""

    def __init__(self, file: AnonymousFile | None) -> None:
        self._file = file
        self._index: Index = {}
        if file is not None:
            file.clear()

    def take(self, source: Source, trajectory: Trajectory) -> None:
        """Writes one, before anybody changes or empties it."""
        if self._file is None:
            return
        data = pickle.dumps(trajectory, pickle.HIGHEST_PROTOCOL)
        try:
            location = self._file.append(data), len(data)
        except OSError:
            self._file.clear()
            self._file = None
            return
        self._index.setdefault(source.name, {}).setdefault(source.start, []).append(location)

    def finish(self) -> None:
        """Writes where each stands; without that the file counts as empty."""
        if self._file is not None:
            data = msgspec.msgpack.encode(self._index)
            self._file.append(data + len(data).to_bytes(_FOOTER))


class KeptVolume:
    """The trajectories that were kept of a volume."""

    def __init__(self, file: AnonymousFile, index: Index) -> None:
        self._file, self._index = file, index

    def read(self, piece: Piece) -> Iterator[Trajectory]:
        """Those of a piece, in order; those of pieces that were read in one go, with the first."""
        for start, size in self._index.get(piece.name, {}).get(piece.start, ()):
            # From this run's own hands: no other process can have written there.
            yield pickle.loads(self._file.read(start, size))


def open_kept_volume(file: AnonymousFile | None) -> KeptVolume | None:
    """What was kept in the file; None where that is not all."""
    if file is None or (size := file.size) < _FOOTER:
        return None
    length = int.from_bytes(file.read(size - _FOOTER, _FOOTER))
    data = file.read(size - _FOOTER - length, length)
    return KeptVolume(file, msgspec.msgpack.decode(data, type=Index))
