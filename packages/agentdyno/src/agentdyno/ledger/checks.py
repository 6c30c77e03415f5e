"""Whether the files that a manifest names are still what was written.

Takes a ledger's folder and manifest, returns the damage: which file, what is wrong, what it held.
A file is looked at once per process, as long as its size and its times stay as they were. Mends
nothing.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.disk import digest_of
from agentdyno.ledger.file_names import table_file
from agentdyno.ledger.manifest import DerivedFile, Manifest, Seal
from agentdyno.records import InputError
from agentdyno.records.ledger import DERIVED, FORMER_TABLES, SPARSE, TABLES

READERS = 4
"""Threads; hashing leaves Python's lock."""
LITTLE = 4 * 2**20
"""Bytes that are hashed sooner than threads are started."""


class Named(Struct, frozen=True):
    """A file that the manifest names."""

    table: str
    """The table it belongs to."""
    path: Path
    volume: str | None
    """The volume it belongs to or speaks of."""
    seal: Seal | None
    """Its size and digest when it was written; None when it is older than seals."""


class Damage(Struct, frozen=True):
    """A file that is not what was written."""

    file: Named
    problem: str


def find_named_files(folder: Path, manifest: Manifest, table: str) -> list[Named]:
    """The files of one table, in the manifest's order."""
    if table in DERIVED:
        return [_check_derived(folder, table, entry) for entry in current_files(manifest, table)]
    return [
        file for volume in manifest.volumes for file in of_volume(folder, manifest, table, volume)
    ]


def of_volume(folder: Path, manifest: Manifest, table: str, volume: str) -> list[Named]:
    """The files of one volume in one table that `measure` wrote."""
    entry = manifest.volumes[volume]
    # A table that came later than the volume has no files for it.
    seals: Sequence[Seal | None] = entry.seals.get(table, [])
    if not entry.seals and table in entry.rows and (table not in SPARSE or entry.rows[table]):
        seals = [None] * entry.files
    return [
        Named(table, table_file(folder, table, f"{volume}-{index}.parquet"), volume, seal)
        for index, seal in enumerate(seals)
    ]


def current_files(manifest: Manifest, table: str) -> list[DerivedFile]:
    """Files of a derived table that still speak of something in the ledger."""
    return [
        entry
        for entry in manifest.derived.get(table, [])
        if entry.volume is None or entry.volume in manifest.volumes
    ]


def _check_derived(folder: Path, table: str, entry: DerivedFile) -> Named:
    return Named(table, find_derived_path(folder, table, entry.file), entry.volume, entry.seal)


def find_derived_path(folder: Path, table: str, file: str) -> Path:
    """Path of a derived table's file; an older ledger has it under the table's former name."""
    path, former = table_file(folder, table, file), FORMER_TABLES.get(table)
    return table_file(folder, former, file) if former and not path.exists() else path


def all_files(folder: Path, manifest: Manifest) -> list[Named]:
    """Every file that the manifest names."""
    return [
        file for table in (*TABLES, *DERIVED) for file in find_named_files(folder, manifest, table)
    ]


def find_damaged(files: Iterable[Named]) -> list[Damage]:
    """Those of the files that are not what was written."""
    listed = list(files)
    if sum(map(_count_unchecked, listed)) < LITTLE:
        problems = [_problem(file) for file in listed]
    else:
        with ThreadPoolExecutor(READERS) as pool:
            problems = list(pool.map(_problem, listed))
    return [Damage(f, p) for f, p in zip(listed, problems, strict=True) if p is not None]


_Look = tuple[str, int, int, int, str]
_sound: set[_Look] = set()
"""Files that were found to be what was written, by path, size, time, number and digest."""


def _count_unchecked(file: Named) -> int:
    """Bytes that nobody has looked at yet."""
    try:
        if file.seal is not None and _look(file, file.seal) in _sound:
            return 0
    except OSError:
        return 0
    return LITTLE if file.seal is None else file.seal.bytes


def _look(file: Named, seal: Seal) -> _Look:
    stat = os.stat(file.path)
    return (str(file.path), stat.st_size, stat.st_mtime_ns, stat.st_ino, seal.digest)


def _problem(file: Named) -> str | None:
    try:
        if file.seal is None:
            return _unreadable(file.path)
        look = _look(file, file.seal)
        if look in _sound:
            return None
        if look[1] != file.seal.bytes:
            return f"expected {file.seal.bytes:,} bytes, found {look[1]:,}"
        if digest_of(file.path) != file.seal.digest:
            return "expected the bytes that were written, found others"
        _sound.add(look)
        return None
    except FileNotFoundError:
        return "expected the file, found none"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"


def _unreadable(path: Path) -> str | None:
    """All that can be said of a file without a seal: whether it is Parquet to its end."""
    try:
        pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        return f"expected Parquet, found: {str(error).splitlines()[0]}"
    return None


def refuse_damage(folder: Path, manifest: Manifest, files: Iterable[Named]) -> None:
    """Raises when any of the files is damaged: no figure is made of them."""
    if damage := find_damaged(files):
        raise InputError(damage_in_words(folder, manifest, damage))


def damage_in_words(folder: Path, manifest: Manifest, damage: list[Damage]) -> str:
    """The damage in one line: the first file, what it held, how many more, what to do."""
    first = damage[0]
    more = f" {len(damage) - 1} more files are damaged." if len(damage) > 1 else ""
    return (
        f"{first.file.path}: {first.problem}. It holds {_content(manifest, first.file)}.{more} "
        f"Measure its traces again: agentdyno measure TRACES --out {folder}; where they are gone, "
        "into a new folder."
    )


def _content(manifest: Manifest, file: Named) -> str:
    rows = "an unknown number of" if file.seal is None else f"{file.seal.rows:,}"
    names = list(sources_of(manifest, file.volume))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{rows} rows of {file.table}" + (f" from {', '.join(names[:3])}{more}" if names else "")


def sources_of(manifest: Manifest, volume: str | None) -> Iterator[str]:
    """The names of the inputs in a volume, each once."""
    entry = manifest.volumes.get(volume or "")
    yield from dict.fromkeys(piece.name for piece in entry.pieces) if entry else ()
