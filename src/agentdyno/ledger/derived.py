"""Adds tables to a ledger after it was measured: patterns, verdicts, depth.

Each addition is one Parquet file that counts from the moment the manifest names it. A file that
speaks of a volume goes with the volume, so a changed input never leaves stale rows behind.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

import polars as pl
from msgspec import Struct

from agentdyno.ledger.manifest import DerivedFile, Manifest, load, save
from agentdyno.ledger.writer import lock


def add_derived(
    folder: Path,
    table: str,
    frame: pl.DataFrame,
    volume: str | None = None,
    missing: dict[str, str] | None = None,
) -> None:
    """Adds rows to a derived table in one step; `missing` are inputs they could not speak of."""
    _change(folder, table, [Rows(frame, volume, missing or {})], lambda entry: False)


def replace_derived(folder: Path, table: str, volume: str, rows: "Sequence[Rows]") -> None:
    """Puts rows in the place of all that the table says of a volume, in one step."""
    _change(folder, table, rows, lambda entry: entry.volume == volume)


class Rows(Struct, frozen=True):
    """Rows that become one file."""

    frame: pl.DataFrame
    """In the table's shape."""
    volume: str | None
    """The volume that they speak of; None: they stay."""
    missing: dict[str, str]
    """Inputs of the volume that they could not speak of, with the reason."""
    versions: dict[str, int] = {}
    """What made them, each with the version of its rule."""


def _change(
    folder: Path, table: str, added: "Sequence[Rows]", goes: Callable[[DerivedFile], bool]
) -> None:
    held = lock(folder)
    try:
        manifest = load(folder)
        kept = [entry for entry in _in_force(manifest, table) if not goes(entry)]
        manifest.derived[table] = kept + [write_derived(folder, table, rows) for rows in added]
        # Saved first: whoever kills us in between must not find a file gone that is named.
        save(folder, manifest)
        _remove_unnamed(folder, table, manifest)
    finally:
        held.close()


def write_derived(folder: Path, table: str, rows: Rows) -> DerivedFile:
    """Writes a file that no manifest names yet."""
    (folder / table).mkdir(exist_ok=True)
    name = f"{uuid4().hex[:16]}.parquet"
    aside = folder / table / f".{name}"
    rows.frame.write_parquet(aside)
    aside.replace(folder / table / name)
    return DerivedFile(name, rows.volume, len(rows.frame), rows.missing, rows.versions)


def _remove_unnamed(folder: Path, table: str, manifest: Manifest) -> None:
    """Files that no longer count, or never did because a process was killed."""
    named = {entry.file for entry in manifest.derived[table]}
    for path in (folder / table).glob("*.parquet"):
        if path.name.lstrip(".") not in named:
            path.unlink(missing_ok=True)


def covered(manifest: Manifest, table: str) -> set[str]:
    """The volumes that the derived table already speaks of."""
    return {entry.volume for entry in _in_force(manifest, table) if entry.volume is not None}


def _in_force(manifest: Manifest, table: str) -> list[DerivedFile]:
    """Files that speak of something that is in the ledger."""
    entries = manifest.derived.get(table, [])
    return [e for e in entries if e.volume is None or e.volume in manifest.volumes]
