"""Reads SQLite files of agents that may be running, without writing a byte beside them.

Takes a path, returns a connection in which everything is seen as of one moment, or the tables of
the file. Knows nothing of any agent's tables. What is in the file is foreign: only plain tables are
listed, texts come as bytes, and rows are bounded by whoever selects them.
"""

import errno
import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from agentdyno.records import UnreadableError, printable

_WAITING_SECONDS = 5.0
"""How long a writer's lock is waited for."""
_WRITE_AHEAD = 2
"""The journal mode of byte 18, in which new rows stand in a file beside the database."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL}
"""Also what a reader meets for a moment while a writer moves its newest rows."""
Row = dict[str, Any]
"""A row by its columns, texts decoded."""


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection for reading; raises `OSError` when a writer holds the file for too long, and
    `UnreadableError` when it is damaged."""
    try:
        with closing(_connect(path)) as connection:
            connection.text_factory = bytes
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("BEGIN")
            yield connection
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
            raise OSError(errno.EBUSY, "another program is writing to it", str(path)) from None
        raise UnreadableError("a sound SQLite file", printable(str(error))) from None


def _connect(path: Path) -> sqlite3.Connection:
    # A reader of a write-ahead database makes the missing files beside it, and leaves them there.
    # Without such a file nobody has it open, and it can be read as something that never changes.
    mode = "immutable=1" if _is_write_ahead(path) and not write_ahead(path) else "mode=ro"
    return sqlite3.connect(f"file:{quote(str(path))}?{mode}", uri=True, timeout=_WAITING_SECONDS)


def _is_write_ahead(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(19)[18:] == bytes([_WRITE_AHEAD])


def write_ahead(path: Path) -> Path | None:
    """The file beside a database that holds its newest rows; None when there is none."""
    beside = path.with_name(f"{path.name}-wal")
    return beside if beside.is_file() else None


def select_rows(
    database: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    among: Container[str],
    clause: str,
    values: Sequence[str] = (),
    limit: int = 2**26,
) -> Iterator[Row | int]:
    """Rows of a table with those of the columns that are `among` its own, the others None. Of a row
    over the limit only its size comes, and nothing of it is loaded. `clause` follows the table.
    """
    present = [column for column in columns if column in among]
    size = " + ".join(f"coalesce(length(CAST({column} AS BLOB)), 0)" for column in present)
    cells = ", ".join(f"CASE WHEN {size} <= {int(limit)} THEN {column} END" for column in present)
    for total, *row in database.execute(f"SELECT {size}, {cells} FROM {table} {clause}", values):
        if total > limit:
            yield total
        else:
            yield {**dict.fromkeys(columns), **dict(zip(present, map(_decode, row), strict=True))}


def _decode(cell: Any) -> Any:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell


def read_tables(path: Path) -> Mapping[str, frozenset[str]]:
    """The plain tables of a file with their columns; none for what is not a readable database."""
    try:
        with open_database(path) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            ).fetchall()
            return {_decode(name): _columns(connection, name) for (name,) in names}
    except (OSError, UnreadableError):
        return {}


def find_columns(tables: Mapping[str, frozenset[str]], table: str) -> frozenset[str]:
    """The columns of a table that a format cannot do without."""
    if table not in tables:
        names = ", ".join(sorted(tables)) or "none"
        raise UnreadableError(f"a table {table}", printable(names, 200))
    return tables[table]


def _columns(connection: sqlite3.Connection, table: bytes) -> frozenset[str]:
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table.decode(),))
    return frozenset(_decode(name) for (name,) in rows)
