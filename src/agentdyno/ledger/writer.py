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
from msgspec import Struct, structs

from agentdyno.ledger.manifest import (
    NAME,
    Fingerprint,
    InputEntry,
    Manifest,
    Piece,
    Volume,
    load,
    new_manifest,
    save,
)
from agentdyno.ledger.reader import empty_table, volume_files
from agentdyno.records import InputError
from agentdyno.records.ledger import HELD, SPARSE, TABLES
from agentdyno.version import __version__

ASIDE = ".aside"
EMPTY = "empty.parquet"
"""A file without rows in every table's folder, so that `*.parquet` opens also before the first
volume is there."""


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
            if len(frame) or table not in SPARSE:
                frame.write_parquet(
                    Path(self.folder) / f"{table}-{self.files}.parquet", compression_level=1
                )
            self.rows[table] = self.rows.get(table, 0) + len(frame)
        self.files += 1

    def has(self, table: str) -> bool:
        """Whether there are files for the table."""
        return table not in SPARSE or bool(self.rows.get(table))


class Expected(Struct, frozen=True):
    """An input as it is now."""

    entry: InputEntry
    """Where it is and what it looks like."""
    pieces: list[Piece]
    """What it is cut into."""


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
        self._lock = lock(folder)
        try:
            self._open(folder, options)
        except BaseException:
            self._lock.close()
            raise

    def _open(self, folder: Path, options: dict[str, Any]) -> None:
        known = (folder / NAME).exists()
        self.manifest: Manifest = load(folder) if known else new_manifest(options)
        # Another version may compute other numbers; a ledger never mixes two.
        other = self.manifest.options != options or self.manifest.software != __version__
        self.started_over = known and other
        shutil.rmtree(folder / ASIDE, ignore_errors=True)
        self.aside = folder / ASIDE / uuid4().hex[:8]
        self.aside.mkdir(parents=True)
        self._make_tables()
        self._clean(options)

    def __enter__(self) -> "LedgerWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            shutil.rmtree(self.folder / ASIDE, ignore_errors=True)
        finally:
            self._lock.close()

    def _make_tables(self) -> None:
        for table in TABLES:
            (self.folder / table).mkdir(exist_ok=True)
            empty, path = empty_table(table), self.folder / table / EMPTY
            # An older ledger's lacks the columns that came since.
            if not path.exists() or pl.read_parquet_schema(path) != empty.schema:
                empty.write_parquet(self.aside / EMPTY)
                (self.aside / EMPTY).replace(path)

    def _clean(self, options: dict[str, Any]) -> None:
        """Other options make every number another: a ledger never mixes two sets of them."""
        if self.started_over:
            self.manifest = new_manifest(options, self.manifest.derived)
        self.manifest.software = __version__
        save(self.folder, self.manifest)
        for table in TABLES:
            self._remove_unnamed(table)

    def _remove_unnamed(self, table: str) -> None:
        named = {EMPTY} | {
            path.name
            for volume in self.manifest.volumes
            for path in volume_files(self.folder, table, volume, self.manifest)
        }
        for path in (self.folder / table).glob("*.parquet"):
            if path.name not in named:
                path.unlink()

    def expect(self, inputs: dict[str, Expected]) -> set[Piece]:
        """Notes inputs that are to be in the ledger; returns the pieces it lacks.

        The rows of an input that changed, or that was cut into other pieces, are forgotten first.
        """
        done = self.manifest.done()
        self.forget({name for name, now in inputs.items() if self._is_stale(name, now, done)})
        self.manifest.inputs |= {name: now.entry for name, now in inputs.items()}
        done = self.manifest.done()
        return {p for name, now in inputs.items() for p in set(now.pieces) - done.get(name, set())}

    def _is_stale(self, name: str, now: Expected, done: dict[str, set[Piece]]) -> bool:
        held = done.get(name, set())
        known = self.manifest.inputs.get(name)
        same = known is not None and known.is_same(now.entry)
        return not held.issubset(now.pieces) or (bool(held) and not same)

    def commit(self, draft: Draft) -> None:
        """Makes a draft part of the ledger."""
        self._move_in(draft)
        self.manifest.volumes[draft.volume] = Volume(draft.pieces, draft.files, draft.rows)
        save(self.folder, self.manifest)

    def _move_in(self, draft: Draft) -> None:
        # Trajectories come last: whoever looks in between finds no trajectory without its turns.
        for table in reversed(TABLES):
            for index in range(draft.files if draft.has(table) else 0):
                source = Path(draft.folder) / f"{table}-{index}.parquet"
                source.replace(self.folder / table / f"{draft.volume}-{index}.parquet")

    def forget(self, names: set[str]) -> None:
        """Takes the rows of inputs out; volumes they share with others are written anew."""
        if not names:
            return
        volumes = self.manifest.volumes
        touched = [v for v, e in volumes.items() if any(p.name in names for p in e.pieces)]
        old = [
            path
            for volume in touched
            for table in TABLES
            for path in volume_files(self.folder, table, volume, self.manifest)
        ]
        for volume in touched:
            self._write_without(volume, names)
        for name in names:
            self.manifest.inputs.pop(name, None)
        # Saved once: a kill in between must not leave half of an older version behind.
        save(self.folder, self.manifest)
        for path in old:
            path.unlink(missing_ok=True)

    def rewrite(self, volumes: dict[str, dict[str, pl.DataFrame]]) -> None:
        """Puts other rows of the same pieces in the place of volumes, all of them in one step."""
        old = [
            path
            for volume in volumes
            for table in TABLES
            for path in volume_files(self.folder, table, volume, self.manifest)
        ]
        for volume, frames in volumes.items():
            entry = self.manifest.volumes.pop(volume)
            draft = start_draft(self.aside, entry.pieces)
            draft.add(frames)
            self._move_in(draft)
            self.manifest.volumes[draft.volume] = Volume(entry.pieces, draft.files, draft.rows)
            for table, files in self.manifest.derived.items():
                self.manifest.derived[table] = [
                    structs.replace(f, volume=draft.volume) if f.volume == volume else f
                    for f in files
                ]
        save(self.folder, self.manifest)
        for path in old:
            path.unlink(missing_ok=True)

    def _write_without(self, volume: str, names: set[str]) -> None:
        old = {t: volume_files(self.folder, t, volume, self.manifest) for t in TABLES}
        entry = self.manifest.volumes.pop(volume)
        kept = [piece for piece in entry.pieces if piece.name not in names]
        if kept:
            draft = start_draft(self.aside, kept)
            draft.add(_without(old, names))
            self._move_in(draft)
            self.manifest.volumes[draft.volume] = Volume(kept, draft.files, draft.rows)


def _without(files: dict[str, list[Path]], names: set[str]) -> dict[str, pl.DataFrame]:
    """The rows of a volume that do not come from the inputs of these names."""
    frames = {table: pl.read_parquet(paths) for table, paths in files.items() if paths}
    theirs = pl.col("source").is_in(list(names))
    listed = [frames[t] for t in ("trajectories", HELD + "trajectories") if t in frames]
    gone = pl.concat([f.filter(theirs)["trajectory_id"] for f in listed])
    kept = {}
    for table, frame in frames.items():
        if "source" in frame.columns:
            kept[table] = frame.filter(~theirs)
        else:
            kept[table] = frame.filter(~pl.col("trajectory_id").is_in(gone.implode()))
    return kept


def _refuse_foreign_folder(folder: Path) -> None:
    if folder.is_file():
        raise InputError(f"{folder}: expected a folder for the ledger, found a file.")
    if (folder / NAME).exists():
        load(folder)
    elif folder.is_dir():
        # The manifest comes before the first volume, so files beside it are somebody else's.
        found = next((p.name for p in folder.iterdir() if not _may_be_ours(p)), None)
        if found is not None:
            raise InputError(
                f"{folder}: expected a ledger or an empty folder, found {found!r}. "
                "Choose another folder with --out."
            )


def _may_be_ours(path: Path) -> bool:
    if path.name in TABLES and path.is_dir():
        return all(inside.name == EMPTY for inside in path.iterdir())
    return path.name.startswith(".")


def lock(folder: Path) -> IO[bytes]:
    """Two writers would delete each other's work."""
    file = (folder / ".lock").open("ab")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(f"{folder}: another process is writing this ledger right now.") from None
    except (ImportError, OSError):
        pass  # No such locks on this system, or on this kind of disk.
    return file


__all__ = ["Draft", "Expected", "Fingerprint", "InputEntry", "LedgerWriter", "Piece", "start_draft"]
