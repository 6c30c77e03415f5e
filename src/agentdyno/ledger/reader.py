"""Opens a ledger for reading: only what its manifest names."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.manifest import Manifest, load
from agentdyno.records import InputError
from agentdyno.records.ledger import TABLES

POLARS_TYPES: dict[str, pl.DataType] = {
    "text": pl.String(),
    "whole": pl.Int64(),
    "number": pl.Float64(),
    "truth": pl.Boolean(),
}


class Ledger:
    """A ledger on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: Manifest = load(folder)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily."""
        files = [
            file
            for volume in self.manifest.volumes
            for file in volume_files(self.folder, table, volume, self.manifest)
        ]
        return pl.scan_parquet(files) if files else empty_table(table).lazy()

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
    """The files of one volume in one table's folder."""
    count = manifest.volumes[volume].files
    return [folder / table / f"{volume}-{index}.parquet" for index in range(count)]


def empty_table(table: str) -> pl.DataFrame:
    """A table without rows, in the ledger's shape."""
    return pl.DataFrame(schema={c.name: POLARS_TYPES[c.type] for c in TABLES[table]})
