"""Whether a ledger's tables agree with each other and with its manifest.

Takes a ledger whose files are sound, returns sentences about what does not fit. Digests say that
bytes are as they were written; this says that what was written makes sense.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from agentdyno.ledger.checks import find_named_files
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger
from agentdyno.records.ledger import DERIVED, TABLES


def contradictions(folder: Path, manifest: Manifest) -> list[str]:
    """Everything that does not fit, in sentences."""
    ledger = Ledger(folder, manifest)
    return [*_row_counts(ledger), *_orphans(ledger), *_sums(ledger)]


def _row_counts(ledger: Ledger) -> Iterator[str]:
    for table in (*TABLES, *DERIVED):
        files = find_named_files(ledger.folder, ledger.manifest, table)
        for file in files:
            rows = pl.scan_parquet(file.path).select(pl.len()).collect().item()
            if file.seal is not None and rows != file.seal.rows:
                yield f"{file.path}: expected {file.seal.rows:,} rows, found {rows:,}"


def _orphans(ledger: Ledger) -> Iterator[str]:
    trajectory_ids = ledger.scan("trajectories").select("trajectory_id").collect()
    twice = len(trajectory_ids) - trajectory_ids["trajectory_id"].n_unique()
    if twice:
        yield f"{ledger.folder}: {twice:,} trajectory ids stand twice"
    for table in ("turns", "calls", "parts"):
        lost = ledger.scan(table).join(trajectory_ids.lazy(), on="trajectory_id", how="anti")
        if many := lost.select(pl.len()).collect().item():
            yield f"{ledger.folder}: {many:,} rows of {table} belong to no trajectory"


def _sums(ledger: Ledger) -> Iterator[str]:
    trajectories = ledger.scan("trajectories").select("turns", "calls").sum().collect()
    for table in ("turns", "calls"):
        expected = trajectories[table].item() or 0
        actual = ledger.scan(table).select(pl.len()).collect().item()
        if expected != actual:
            yield (
                f"{ledger.folder}: trajectories have {expected:,} {table}, the table has {actual:,}"
            )
