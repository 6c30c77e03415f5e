"""Writes what a ledger knows to a file: lines for training, or one table under a view.

Lines for training are JSON, one per trajectory and per call.

Attempts at our own planning tasks are laid on their graphs first, where nobody has done that yet.
"""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from agentdyno.findings.rewards import Weights
from agentdyno.findings.utility.logical import LogicalTools
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.spreadsheets import write_csv
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.records import InputError, printable, shortened
from agentdyno.records.escaped_json import encode_json
from agentdyno.records.ledger import DERIVED, TABLES
from agentdyno.studies.cost.seconds import in_seconds
from agentdyno.studies.rewards import reward_lines
from agentdyno.studies.views import View, apply_view, apply_view_with_texts


def export_rewards(
    folder: Path,
    file: Path,
    rules: LogicalTools | None = None,
    view: View | None = None,
    weights: Weights | None = None,
) -> dict[str, int]:
    """Writes the lines; how many of each kind."""
    counts = {"trajectory": 0, "call": 0}
    _lay_on_graphs(folder)
    staging = file.with_name(f".{file.name}.aside")
    with staging.open("wb") as stream:
        tables = apply_view_with_texts(ReadableLedger(folder), view)
        for line in reward_lines(tables, rules or LogicalTools(), weights):
            counts[line["kind"]] += 1
            stream.write(encode_json(line) + b"\n")
    staging.replace(file)
    return counts


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


def _lay_on_graphs(folder: Path) -> None:
    known = Ledger(folder).read("trajectories")["benchmark"].drop_nulls().unique()
    if any(str(name).startswith("tps") for name in known):
        ensure_schedules(folder)
