"""Adds tables to a ledger after it was measured: patterns, verdicts, depth.

Each addition is one Parquet file that counts from the moment the manifest names it. A file that
speaks of a volume goes with the volume, so a changed input never leaves stale rows behind.
"""

from pathlib import Path
from uuid import uuid4

import polars as pl

from agentdyno.ledger.manifest import DerivedFile, Manifest, load, save
from agentdyno.ledger.reader import derived_files
from agentdyno.ledger.writer import lock


def add_derived(
    folder: Path,
    table: str,
    frame: pl.DataFrame,
    volume: str | None = None,
    missing: dict[str, str] | None = None,
) -> None:
    """Adds rows to a derived table in one step; `missing` are inputs they could not speak of."""
    held = lock(folder)
    try:
        manifest = load(folder)
        (folder / table).mkdir(exist_ok=True)
        name = f"{uuid4().hex[:16]}.parquet"
        aside = folder / table / f".{name}"
        frame.write_parquet(aside)
        aside.replace(folder / table / name)
        entry = DerivedFile(name, volume, len(frame), missing or {})
        manifest.derived.setdefault(table, []).append(entry)
        _forget_stale(folder, table, manifest)
        save(folder, manifest)
    finally:
        held.close()


def _forget_stale(folder: Path, table: str, manifest: Manifest) -> None:
    """Files that no longer count, or never did because a process was killed, are removed."""
    kept = {path.name for path in derived_files(folder, table, manifest)}
    manifest.derived[table] = [e for e in manifest.derived[table] if e.file in kept]
    for path in (folder / table).iterdir():
        if path.name.endswith(".parquet") and path.name.lstrip(".") not in kept:
            path.unlink(missing_ok=True)


def covered(manifest: Manifest, table: str) -> set[str]:
    """The volumes that the derived table already speaks of."""
    entries = manifest.derived.get(table, [])
    return {e.volume for e in entries if e.volume is not None and e.volume in manifest.volumes}
