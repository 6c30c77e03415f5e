"""Opens a ledger for reading: only what its manifest names."""

from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.ledger.manifest import Manifest, load
from agentdyno.records import InputError
from agentdyno.records.ledger import DERIVED, SPARSE, TABLES
from agentdyno.records.schema import schema_of


class Ledger:
    """A ledger on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: Manifest = load(folder)

    @property
    def name(self) -> str:
        """Where it is."""
        return str(self.folder)

    @property
    def options(self) -> dict[str, Any]:
        """What it was measured with."""
        return self.manifest.options

    def has(self, table: str) -> bool:
        """Whether somebody added the derived table."""
        return bool(self.manifest.derived.get(table))

    def missing(self, table: str) -> dict[str, str]:
        """Inputs that no file of a derived table could speak of, with the reason."""
        found: dict[str, str] = {}
        by_volume: dict[str | None, list[dict[str, str]]] = {}
        for entry in self.manifest.derived.get(table, []):
            by_volume.setdefault(entry.volume, []).append(entry.missing)
        for first, *others in by_volume.values():
            found |= {n: why for n, why in first.items() if all(n in other for other in others)}
        return found

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily."""
        files = self._files(table)
        if not files:
            return empty_table(table).lazy()
        # A ledger that is older than a column has nulls there.
        return pl.scan_parquet(files, schema=empty_table(table).schema, missing_columns="insert")

    def _files(self, table: str) -> list[Path]:
        if table in DERIVED:
            return derived_files(self.folder, table, self.manifest)
        return [
            file
            for volume in self.manifest.volumes
            for file in volume_files(self.folder, table, volume, self.manifest)
        ]

    def read(self, table: str) -> pl.DataFrame:
        """A table, whole."""
        try:
            return self.scan(table).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(
                f"{self.folder / table}: expected the Parquet files that the manifest names, "
                f"found: {error}. Measure the traces again into a new ledger."
            ) from None


def volume_files(folder: Path, table: str, volume: str, manifest: Manifest) -> list[Path]:
    """The files of one volume in one table's folder; there may be none."""
    entry = manifest.volumes[volume]
    count = entry.files if table not in SPARSE or entry.rows.get(table) else 0
    return [folder / table / f"{volume}-{index}.parquet" for index in range(count)]


def derived_files(folder: Path, table: str, manifest: Manifest) -> list[Path]:
    """The files of a derived table that still speak of something in the ledger."""
    return [
        folder / table / entry.file
        for entry in manifest.derived.get(table, [])
        if entry.volume is None or entry.volume in manifest.volumes
    ]


def empty_table(table: str) -> pl.DataFrame:
    """A table without rows, in the ledger's shape."""
    return pl.DataFrame(schema=schema_of((TABLES | DERIVED)[table]))
