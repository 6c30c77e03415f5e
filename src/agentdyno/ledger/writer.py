"""Writes a ledger so that it can be killed at any moment.

A volume's files are first written aside, then moved into the tables' folders, and count only from
the moment the manifest names them. What an earlier process left unnamed is removed on opening.
"""

import shutil
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from uuid import uuid4

import polars as pl
from msgspec import Struct

from agentdyno import __version__
from agentdyno.ledger.manifest import (
    NAME,
    Fingerprint,
    InputEntry,
    Manifest,
    Piece,
    Volume,
    load,
    save,
)
from agentdyno.ledger.reader import volume_files
from agentdyno.records import InputError
from agentdyno.records.ledger import TABLES

ASIDE = ".aside"


class Draft(Struct):
    """A volume that was written aside and is not yet part of the ledger."""

    volume: str
    """Its id."""
    folder: str
    """Where its files are."""
    pieces: list[Piece]
    """What was read into it."""
    files: int = 0
    """How many files it has for each table."""
    rows: dict[str, int] = {}
    """Rows by table."""

    def add(self, frames: dict[str, pl.DataFrame]) -> None:
        """Writes one file for each table."""
        for table, frame in frames.items():
            frame.write_parquet(Path(self.folder) / f"{table}-{self.files}.parquet")
            self.rows[table] = self.rows.get(table, 0) + len(frame)
        self.files += 1


def start_draft(aside: Path, pieces: list[Piece]) -> Draft:
    """A new volume to be written aside; may be called in any process."""
    volume = uuid4().hex[:16]
    folder = aside / volume
    folder.mkdir(parents=True)
    return Draft(volume, str(folder), pieces, rows={})


class LedgerWriter:
    """The only process that changes a ledger; use as a context manager."""

    def __init__(self, folder: Path, options: dict[str, Any]) -> None:
        self.folder = folder
        _refuse_foreign_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(folder)
        known = (folder / NAME).exists()
        self.manifest: Manifest = load(folder) if known else Manifest(options=options)
        self.started_over = known and self.manifest.options != options
        self._clean(options)
        self.aside = folder / ASIDE / uuid4().hex[:8]
        self.aside.mkdir(parents=True)

    def __enter__(self) -> "LedgerWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.folder / ASIDE, ignore_errors=True)
        self._lock.close()

    def _clean(self, options: dict[str, Any]) -> None:
        """Other options make every number another: a ledger never mixes two sets of them."""
        if self.manifest.options != options:
            self.manifest = Manifest(options=options)
        self.manifest.software = __version__
        save(self.folder, self.manifest)
        shutil.rmtree(self.folder / ASIDE, ignore_errors=True)
        for table in TABLES:
            (self.folder / table).mkdir(exist_ok=True)
            self._remove_unnamed(table)

    def _remove_unnamed(self, table: str) -> None:
        named = {
            path.name
            for volume in self.manifest.volumes
            for path in volume_files(self.folder, table, volume, self.manifest)
        }
        for path in (self.folder / table).glob("*.parquet"):
            if path.name not in named:
                path.unlink()

    def expect(self, name: str, entry: InputEntry) -> None:
        """Notes an input that is about to be read; forgets it first if it changed."""
        known = self.manifest.inputs.get(name)
        if known is not None and known != entry:
            self.forget(name)
        self.manifest.inputs[name] = entry

    def commit(self, draft: Draft) -> None:
        """Makes a draft part of the ledger."""
        self._move_in(draft)
        self.manifest.volumes[draft.volume] = Volume(draft.pieces, draft.files, draft.rows)
        save(self.folder, self.manifest)

    def _move_in(self, draft: Draft) -> None:
        # Trajectories come last: whoever looks in between finds no trajectory without its turns.
        for table in reversed(TABLES):
            for index in range(draft.files):
                source = Path(draft.folder) / f"{table}-{index}.parquet"
                source.replace(self.folder / table / f"{draft.volume}-{index}.parquet")

    def forget(self, name: str) -> None:
        """Takes an input's rows out; volumes it shares with others are written anew without it."""
        self.manifest.inputs.pop(name, None)
        for volume, entry in list(self.manifest.volumes.items()):
            if any(piece.name == name for piece in entry.pieces):
                self._drop_from(volume, name)

    def _drop_from(self, volume: str, name: str) -> None:
        entry = self.manifest.volumes[volume]
        old = {t: volume_files(self.folder, t, volume, self.manifest) for t in TABLES}
        kept = [piece for piece in entry.pieces if piece.name != name]
        draft = start_draft(self.folder / ASIDE, kept)
        if kept:
            draft.add(_without(old, name))
            self._move_in(draft)
            self.manifest.volumes[draft.volume] = Volume(kept, draft.files, draft.rows)
        del self.manifest.volumes[volume]
        save(self.folder, self.manifest)
        for path in (path for paths in old.values() for path in paths):
            path.unlink(missing_ok=True)


def _without(files: dict[str, list[Path]], name: str) -> dict[str, pl.DataFrame]:
    """The rows of a volume that do not come from the input of that name."""
    frames = {table: pl.read_parquet(paths) for table, paths in files.items()}
    gone = frames["trajectories"].filter(pl.col("source") == name)["trajectory_id"]
    kept = {}
    for table, frame in frames.items():
        if "source" in frame.columns:
            kept[table] = frame.filter(pl.col("source") != name)
        else:
            kept[table] = frame.filter(~pl.col("trajectory_id").is_in(gone.implode()))
    return kept


def _refuse_foreign_folder(folder: Path) -> None:
    if folder.is_file():
        raise InputError(f"{folder}: expected a folder for the ledger, found a file.")
    if folder.is_dir() and not (folder / NAME).exists():
        found = next((p.name for p in folder.iterdir() if not p.name.startswith(".")), None)
        if found is not None and found not in TABLES:
            raise InputError(
                f"{folder}: expected a ledger or an empty folder, found {found!r}. "
                "Choose another folder with --out."
            )


def _lock(folder: Path) -> IO[bytes]:
    """Two writers would delete each other's work."""
    file = (folder / ".lock").open("ab")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # No such locks on this system.
    except OSError:
        file.close()
        raise InputError(f"{folder}: another process is writing this ledger right now.") from None
    return file


__all__ = ["Draft", "Fingerprint", "InputEntry", "LedgerWriter", "Piece", "start_draft"]
