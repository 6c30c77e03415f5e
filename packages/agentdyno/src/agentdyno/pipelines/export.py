"""Writes one table of a ledger to a file, under a view."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.spreadsheets import write_csv
from agentdyno.records import InputError, printable, shortened
from agentdyno.records.ledger import DERIVED, TABLES
from agentdyno.studies.cost.seconds import in_seconds
from agentdyno.studies.views import View, apply_view


def export_table(
    folder: Path,
    name: str,
    file: Path,
    view: View | None = None,
    concurrency: int | None = None,
    as_of: str | None = None,
) -> int:
    """Writes a table, trajectories and turns with their GPU-seconds and money; how many rows."""
    if name not in TABLES | DERIVED:
        raise InputError(f"No table {printable(name, 60)!r}. Known: {', '.join(TABLES | DERIVED)}.")
    write = open_rows_file(file)
    tables = apply_view(ReadableLedger(folder, as_of=as_of), view)
    timed = name in ("trajectories", "turns")
    rows = in_seconds(tables, name, concurrency) if timed else tables.read(name)
    write(rows)
    return len(rows)


def open_rows_file(file: Path | None) -> Callable[[pl.DataFrame], None]:
    """What writes rows to the file, whose name is checked now, before the work that finds them;
    without a file it writes nothing."""
    if file is None:
        return lambda rows: None
    if file.suffix not in (".csv", ".parquet"):
        raise InputError(
            f"{shortened(file, 200)}: expected a file called .csv or .parquet, found "
            f"{printable(file.suffix) or 'no ending'}."
        )

    def write(rows: pl.DataFrame) -> None:
        staging = file.with_name(f".{file.name}.aside")
        write_csv(rows, staging) if file.suffix == ".csv" else rows.write_parquet(staging)
        staging.replace(file)

    return write
