"""Adds tables to a ledger after it was measured: patterns, verdicts, depth.

Each addition is one Parquet file that counts from the moment the manifest names it. A file that
speaks of a volume goes with the volume; when a volume is written or read anew without its inputs
having changed, what was said of it is carried over.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from uuid import uuid4

import polars as pl
from msgspec import Struct, structs

from agentdyno.ledger.checks import current_files, find_derived_path
from agentdyno.ledger.cleaning import clean_frame
from agentdyno.ledger.disk import make_folder, plainly, sync_folder
from agentdyno.ledger.drafts import seal_frame
from agentdyno.ledger.file_names import STORE, refuse_link
from agentdyno.ledger.locking import lock
from agentdyno.ledger.manifest import DerivedFile, Manifest, keeps_secrets, load
from agentdyno.ledger.moving import place
from agentdyno.ledger.reader import Ledger, missing_in
from agentdyno.ledger.retiring import publish_without
from agentdyno.records.ledger import REBUILT
from agentdyno.records.stages import Versions


def add_derived(
    folder: Path,
    table: str,
    frame: pl.DataFrame,
    volume: str | None = None,
    missing: dict[str, str] | None = None,
    versions: Versions | None = None,
) -> None:
    """Adds rows to a derived table in one step; `missing` are inputs they could not speak of, and
    `versions` those of the rules that made them."""
    rows = Rows(frame, volume, missing or {}, dict(versions or {}))
    _change(folder, {table: [rows]}, lambda entry: False)


def replace_derived(folder: Path, volume: str, rows: "Mapping[str, Sequence[Rows]]") -> None:
    """Puts rows in the place of all that these tables say of a volume, in one step."""
    _change(folder, rows, lambda entry: entry.volume == volume)


def replace_table(folder: Path, table: str, frame: pl.DataFrame) -> None:
    """Puts rows that speak of no volume in the place of all that the table has, unless they are
    the same."""
    cleaned = clean_frame(frame, Counter())
    ledger = Ledger(folder)
    if not ledger.has(table) or not ledger.read(table).equals(cleaned):
        _change(folder, {table: [Rows(cleaned, None, {})]}, lambda entry: True)


class Rows(Struct, frozen=True):
    frame: pl.DataFrame
    """In the table's shape."""
    volume: str | None
    """The volume that they speak of; None: they stay."""
    missing: dict[str, str]
    """Inputs of the volume that they could not speak of, with the reason."""
    versions: dict[str, int] = {}
    """The rules that made them, each with its version."""


def _change(
    folder: Path, added: "Mapping[str, Sequence[Rows]]", goes: Callable[[DerivedFile], bool]
) -> None:
    with plainly(folder):
        lock_file = lock(folder)
        try:
            manifest = load(folder)
            stale = []
            for table, rows in added.items():
                current = [entry for entry in current_files(manifest, table) if not goes(entry)]
                new = [
                    write_derived(folder, table, _clean(new_rows, manifest)) for new_rows in rows
                ]
                if new:
                    sync_folder(folder / STORE / table)
                stale += [
                    find_derived_path(folder, table, entry.file)
                    for entry in manifest.derived.get(table, [])
                    if entry not in current
                ]
                manifest.derived[table] = current + new
            publish_without(folder, manifest, stale)
        finally:
            lock_file.close()


def _clean(rows: Rows, manifest: Manifest) -> Rows:
    volume = manifest.volumes.get(rows.volume or "")
    if volume is not None and keeps_secrets(volume.making):
        return rows
    return structs.replace(rows, frame=clean_frame(rows.frame, Counter()))


def write_derived(folder: Path, table: str, rows: Rows) -> DerivedFile:
    """Writes a file that no manifest names yet; the folder is the caller's to sync."""
    name = f"{uuid4().hex[:16]}.parquet"
    store = refuse_link(folder / STORE / table)
    if not store.is_dir():
        make_folder(store)
        sync_folder(store.parent)
        sync_folder(folder)
    seal = seal_frame(store / f".{name}", rows.frame)
    place(store / f".{name}", folder, table, name)
    return DerivedFile(name, rows.volume, len(rows.frame), rows.missing, seal, rows.versions)


def carry_over(
    ledger: Ledger, volume: str, find_homes: Callable[[], pl.DataFrame], rewritten: str | None
) -> dict[str, list[DerivedFile]]:
    """Derived rows of a volume, written anew for the volumes its trajectories live in now.

    `find_homes` says where: a `trajectory_id` and its new `volume` in each row. `rewritten` is the
    one that was copied row by row; the others were read anew, and there tables that anybody can
    make again are left to be made again.
    """
    carried: dict[str, list[DerivedFile]] = {}
    listed = ledger.manifest.derived.items()
    entries_of_table = {table: [e for e in files if e.volume == volume] for table, files in listed}
    homes = find_homes() if any(entries_of_table.values()) else None
    for table, entries in entries_of_table.items():
        if homes is None or not entries:
            continue
        rows = ledger.scan_derived(table, volume).collect()
        missing = missing_in(entries)
        rules = {rule for entry in entries for rule in entry.versions}
        # The lowest: rows of several versions in one file count as the oldest among them.
        versions = {rule: min(entry.versions.get(rule, 0) for entry in entries) for rule in rules}
        for home, moved in _by_home(rows, homes).items():
            if home == rewritten or (len(moved) and table not in REBUILT):
                rows_here = Rows(moved, home, missing, versions)
                entry = write_derived(ledger.folder, table, rows_here)
                carried.setdefault(table, []).append(entry)
    return carried


def _by_home(rows: pl.DataFrame, homes: pl.DataFrame) -> dict[str, pl.DataFrame]:
    placed = rows.join(homes.rename({"volume": "_home"}), on="trajectory_id", maintain_order="left")
    return {
        home: placed.filter(pl.col("_home") == home).drop("_home")
        for home in homes["volume"].unique(maintain_order=True)
    }
