"""Adds tables to a ledger after it was measured: patterns, verdicts, depth.

Each addition is one Parquet file that counts from the moment the manifest names it. A file that
speaks of a volume goes with the volume; when a volume is written or read anew without its inputs
having changed, what was said of it is carried over.
"""

import re
from collections import Counter
from pathlib import Path
from uuid import uuid4

import polars as pl

from agentdyno.ledger.checks import in_force
from agentdyno.ledger.cleaning import clean_frame
from agentdyno.ledger.disk import plainly, sync_folder
from agentdyno.ledger.drafts import seal_frame
from agentdyno.ledger.locking import lock
from agentdyno.ledger.manifest import DerivedFile, Manifest, keeps_secrets, load, save
from agentdyno.ledger.reader import Ledger

MADE_AGAIN = frozenset({"patterns", "scheduling", "dependencies", "planning", "placements"})
"""Made from the traces and their costs by whoever asks next; the others were paid for."""
OURS = re.compile(r"[0-9a-f]{16}(?:-\d+)?\.parquet")
"""How a ledger names its files; others are left alone."""


def add_derived(
    folder: Path,
    table: str,
    frame: pl.DataFrame,
    volume: str | None = None,
    missing: dict[str, str] | None = None,
) -> None:
    """Adds rows to a derived table in one step; `missing` are inputs they could not speak of."""
    with plainly(folder):
        held = lock(folder)
        try:
            manifest = load(folder)
            held_volume = manifest.volumes.get(volume or "")
            if held_volume is None or not keeps_secrets(held_volume.making):
                frame = clean_frame(frame, Counter())
            entry = write_derived(folder, table, frame, volume, missing)
            sync_folder(folder / table)
            manifest.derived.setdefault(table, []).append(entry)
            stale = _forget_stale(manifest, table)
            save(folder, manifest)
            _remove(folder, table, stale, manifest)
        finally:
            held.close()


def write_derived(
    folder: Path,
    table: str,
    frame: pl.DataFrame,
    volume: str | None,
    missing: dict[str, str] | None = None,
) -> DerivedFile:
    """Writes a file that no manifest names yet; the folder is the caller's to sync."""
    if not (folder / table).is_dir():
        (folder / table).mkdir()
        sync_folder(folder)
    name = f"{uuid4().hex[:16]}.parquet"
    aside = folder / table / f".{name}"
    seal = seal_frame(aside, frame)
    aside.replace(folder / table / name)
    return DerivedFile(name, volume, len(frame), missing or {}, seal)


def carry_over(
    ledger: Ledger, volume: str, homes: pl.DataFrame, rewritten: str | None
) -> dict[str, list[DerivedFile]]:
    """What was said of a volume, written anew for the volumes its trajectories live in now.

    `homes` has a `trajectory_id` and its new `volume` in each row. `rewritten` is the one that was
    copied row by row; the others were read anew, and there tables that anybody can make again are
    left to be made again.
    """
    carried: dict[str, list[DerivedFile]] = {}
    for table, entries in ledger.manifest.derived.items():
        own = [entry for entry in entries if entry.volume == volume]
        if not own:
            continue
        rows = ledger.scan_derived(table, volume).collect()
        missing = {name: why for entry in own for name, why in entry.missing.items()}
        for home, theirs in _by_home(rows, homes).items():
            if home == rewritten or (len(theirs) and table not in MADE_AGAIN):
                entry = write_derived(ledger.folder, table, theirs, home, missing)
                carried.setdefault(table, []).append(entry)
    return carried


def _by_home(rows: pl.DataFrame, homes: pl.DataFrame) -> dict[str, pl.DataFrame]:
    placed = rows.join(homes.rename({"volume": "_home"}), on="trajectory_id", maintain_order="left")
    return {
        home: placed.filter(pl.col("_home") == home).drop("_home")
        for home in homes["volume"].unique(maintain_order=True)
    }


def _forget_stale(manifest: Manifest, table: str) -> list[str]:
    """Takes out files that speak of nothing in the ledger any more; returns their names."""
    kept = in_force(manifest, table)
    stale = [e.file for e in manifest.derived[table] if e not in kept]
    manifest.derived[table] = kept
    return stale


def _remove(folder: Path, table: str, stale: list[str], manifest: Manifest) -> None:
    """…and files of ours that a killed process wrote and never named."""
    named = {entry.file for entry in manifest.derived[table]}
    for path in (folder / table).iterdir():
        name = path.name.lstrip(".")
        if name in stale or (OURS.fullmatch(name) and name not in named):
            path.unlink(missing_ok=True)


def covered(manifest: Manifest, table: str) -> set[str]:
    """The volumes that the derived table already speaks of."""
    return {e.volume for e in in_force(manifest, table) if e.volume is not None}
