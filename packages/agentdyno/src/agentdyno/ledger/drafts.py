"""Volumes that are written aside and are not yet part of a ledger; in any process."""

from collections import Counter
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import polars as pl
from msgspec import Struct

from agentdyno.ledger.cleaning import clean_frame, clean_frames
from agentdyno.ledger.disk import digest, make_folder, plainly, write_synced
from agentdyno.ledger.file_names import find_ledger
from agentdyno.ledger.manifest import DerivedFile, Piece, Provenance, Seal, Volume
from agentdyno.records.ledger import SPARSE


class Draft(Struct):
    """A volume that was written aside and is not yet part of the ledger."""

    volume: str
    folder: str
    pieces: list[Piece]
    """The pieces that were read into it."""
    files: int = 0
    """How many files it has for each table."""
    rows: dict[str, int] = {}
    seals: dict[str, list[Seal]] = {}
    """The seals of its files, by table."""
    unread: dict[str, str] = {}
    """Inputs that could not be read after all, with the reason; they are in no piece."""
    secrets: dict[str, int] = {}
    """Secrets that were replaced in its texts, by kind."""
    keep_secrets: bool = False
    """Write texts as they came, secrets included."""
    derived: dict[str, DerivedFile] = {}
    """Files derived from its texts, by table."""

    def add(self, frames: dict[str, pl.DataFrame]) -> None:
        """Writes one file for each table that has rows or must have one, synced."""
        cleaned = frames if self.keep_secrets else self._clean(frames)
        for table, frame in cleaned.items():
            self.rows[table] = self.rows.get(table, 0) + len(frame)
            if len(frame) or table not in SPARSE:
                seals = self.seals.setdefault(table, [])
                seals.append(seal_frame(self.path(table, len(seals)), frame))
        self.files += 1

    def derive(self, table: str, frame: pl.DataFrame, versions: dict[str, int]) -> None:
        """Writes the rows of a derived table, synced; `versions` are of the rules that made
        them."""
        rows = frame if self.keep_secrets else clean_frame(frame, Counter())
        seal = seal_frame(self.path(table, 0), rows)
        name = f"{uuid4().hex[:16]}.parquet"
        self.derived[table] = DerivedFile(name, self.volume, len(rows), {}, seal, versions)

    def _clean(self, frames: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
        counts = Counter(self.secrets)
        cleaned = clean_frames(frames, counts)
        self.secrets = dict(counts)
        return cleaned

    def path(self, table: str, index: int) -> Path:
        return Path(self.folder) / f"{table}-{index}.parquet"

    def as_volume(self, provenance: Provenance) -> Volume:
        return Volume(self.pieces, self.files, self.rows, self.seals, provenance)


_fresh: dict[Seal, pl.DataFrame] = {}
FRESH, FRESH_ROWS = 16, 5_000
"""Files whose rows stay in memory, each of so many at most: whoever writes a small volume reads it
next."""


def find_fresh(seal: Seal | None) -> pl.DataFrame | None:
    """The rows of a file that this process wrote just now; None where it may be on disk alone."""
    return None if seal is None else _fresh.get(seal)


def start_draft(staging: Path, pieces: list[Piece], keep_secrets: bool = False) -> Draft:
    """A new volume to be written aside; may be called in any process."""
    volume = uuid4().hex[:16]
    folder = staging / volume
    with plainly(staging.parent.parent):
        make_folder(folder)
    return Draft(volume, str(folder), pieces, keep_secrets=keep_secrets)


def seal_frame(path: Path, frame: pl.DataFrame) -> Seal:
    """Writes a frame, synced; returns what the file is."""
    buffer = BytesIO()
    frame.write_parquet(buffer, compression_level=1)
    with buffer.getbuffer() as data:  # Let go, also when the disk refuses.
        with plainly(find_ledger(path)):
            write_synced(path, data)
        seal = Seal(len(data), len(frame), digest(data))
    if len(frame) <= FRESH_ROWS:
        _fresh[seal] = frame
        while len(_fresh) > FRESH:
            del _fresh[next(iter(_fresh))]
    return seal
