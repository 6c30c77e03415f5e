"""Gives seals to volumes that were written before there were any.

Takes a ledger's folder, returns how many volumes were sealed. A seal says what the bytes are from
now on; what happened to them before, nobody can tell.
"""

from pathlib import Path

import polars as pl
from msgspec import structs

from agentdyno.ledger.checks import current_files, find_derived_path, of_volume
from agentdyno.ledger.disk import digest_of, plainly
from agentdyno.ledger.locking import lock
from agentdyno.ledger.manifest import Manifest, Seal, Volume, load
from agentdyno.ledger.retiring import publish_without
from agentdyno.records.ledger import TABLES


def seal_older(folder: Path) -> int:
    """Seals every file that the manifest names and that has no seal."""
    with plainly(folder):
        held = lock(folder)
        try:
            manifest = load(folder)
            bare = [volume for volume, entry in manifest.volumes.items() if not entry.seals]
            for volume in bare:
                manifest.volumes[volume] = _seal_volume(folder, manifest, volume)
            _seal_derived(folder, manifest)
            publish_without(folder, manifest)
            return len(bare)
        finally:
            held.close()


def _seal_volume(folder: Path, manifest: Manifest, volume: str) -> Volume:
    seals = {
        table: [_seal(file.path) for file in files]
        for table in TABLES
        if (files := of_volume(folder, manifest, table, volume))
    }
    return structs.replace(manifest.volumes[volume], seals=seals)


def _seal_derived(folder: Path, manifest: Manifest) -> None:
    for table in manifest.derived:
        manifest.derived[table] = [
            structs.replace(
                entry, seal=entry.seal or _seal(find_derived_path(folder, table, entry.file))
            )
            for entry in current_files(manifest, table)
        ]


def _seal(path: Path) -> Seal:
    rows = pl.scan_parquet(path).select(pl.len()).collect().item()
    return Seal(path.stat().st_size, int(rows), digest_of(path))
