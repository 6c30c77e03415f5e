"""SQLite files out of rows, for the tests of formats that are databases."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def rows_in(path: Path) -> list[dict[str, Any]]:
    """Rows as {"table": …, "row": …}, one a line."""
    return [json.loads(line) for line in path.read_text().splitlines()]


@contextmanager
def written_database(path: Path, rows: list[dict[str, Any]]) -> Iterator[sqlite3.Connection]:
    """A file with these rows whose writer is still there, its newest rows beside the file."""
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    for table, row in ((item["table"], item["row"]) for item in rows):
        columns = ", ".join(row)
        writer.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
        cells = [json.dumps(v) if isinstance(v, dict | list) else v for v in row.values()]
        marks = ", ".join("?" * len(cells))
        writer.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", cells)
    writer.commit()
    try:
        yield writer
    finally:
        writer.close()
