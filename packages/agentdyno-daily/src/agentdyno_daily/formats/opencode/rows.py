"""Rows of OpenCode's database as messages; one that cannot be read costs only itself.

Takes a connection and a session's id, yields the place of each message with what is in it, or with
the reason why that cannot be read.
"""

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from agentdyno.intake.head import Head
from agentdyno.intake.streams import decode, too_deep, too_large
from agentdyno.records import UnreadableError
from agentdyno_daily.formats.opencode.detect import has_first_version, has_second_version
from agentdyno_daily.formats.opencode.wire import (
    INFO,
    MESSAGE,
    PART,
    RECORDED,
    Info,
    Message,
    Part,
    Recorded,
    Session,
)

Row = tuple[str, tuple[Any, ...] | UnreadableError]
"""A place, as foreign as its id, and the arguments that `add` takes."""

_FIELDS = "id, title, version, parent_id, directory"
_MESSAGES = "SELECT id, {0} FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS = "SELECT message_id, {0} FROM part WHERE session_id = ? ORDER BY message_id, id"
_ROWS = "SELECT id, {0}, type FROM session_message WHERE session_id = ? ORDER BY seq"
_EVENTS = (
    "SELECT id, {{0}}, {0} FROM event WHERE aggregate_id = ? "
    "AND type LIKE 'session.usage.recorded%' ORDER BY seq"
)
_BOUNDED = "CASE WHEN length(CAST(data AS BLOB)) <= {0} THEN data ELSE length(data) END"


def read_sessions(database: sqlite3.Connection, head: Head) -> list[Session]:
    """Every session once, older ones first: a session is older than the sub-agents it starts."""
    tables = ["session"] if has_first_version(head) else []
    tables += ["session_v2"] if has_second_version(head) else []
    sessions: dict[str, Session] = {}
    for table in tables:
        rows = database.execute(f"SELECT {_FIELDS} FROM {table} ORDER BY time_created, id")
        for name, *facts in rows:
            session_id = _text(name)
            sessions[session_id] = Session(
                session_id, *(None if fact is None else _text(fact) for fact in facts)
            )
    return list(sessions.values())


def first_rows(database: sqlite3.Connection, session: str, limit: int) -> Iterator[Row]:
    """The messages of version 1 with their parts."""
    parts = {
        message: [cell for _, cell in rows]
        for message, rows in groupby(_select(database, _PARTS, session, limit), lambda r: r[0])
    }
    for message, cell in _select(database, _MESSAGES, session, limit):
        yield _row(message, _first_message, message, cell, parts.get(message, []), limit)


def second_rows(database: sqlite3.Connection, session: str, limit: int) -> Iterator[Row]:
    for message, cell, kind in _select(database, _ROWS, session, limit):
        yield _row(message, _second_message, _text(kind), cell, limit)


def usage_rows(database: sqlite3.Connection, head: Head, session: str, limit: int) -> Iterator[Row]:
    """Usage of calls that are no messages; some versions keep events without a time, or of another
    kind."""
    columns = head.tables.get("event", frozenset())
    if not columns >= {"id", "aggregate_id", "type", "seq", "data"}:
        return
    query = _EVENTS.format("created" if "created" in columns else "NULL")
    for event, cell, created in _select(database, query, session, limit):
        yield _row(event, _recorded, cell, created, limit)


def _select(
    database: sqlite3.Connection, query: str, session: str, limit: int
) -> Iterator[tuple[Any, ...]]:
    # What is too large is never loaded: its length comes in its place.
    yield from database.execute(query.format(_BOUNDED.format(int(limit))), (session,))


def _row(name: Any, convert: Any, *cells: Any) -> Row:
    location = f"row {_text(name)}"
    try:
        return location, convert(*cells)
    except UnreadableError as problem:
        return location, problem
    except RecursionError:
        return location, too_deep()


def _first_message(name: Any, cell: Any, parts: list[Any], limit: int) -> tuple[Info, list[Part]]:
    info: Info = decode(_json(cell, limit), INFO)
    info.id = _text(name)
    return info, [decode(_json(part, limit), PART) for part in parts]


def _second_message(kind: str, cell: Any, limit: int) -> tuple[str, Message]:
    return kind, decode(_json(cell, limit), MESSAGE)


def _recorded(cell: Any, created: Any, limit: int) -> tuple[Recorded, float | None]:
    at = float(created) if isinstance(created, int | float) else None
    return decode(_json(cell, limit), RECORDED), at


def _json(cell: Any, limit: int) -> bytes:
    if isinstance(cell, int):
        raise too_large(cell, limit)
    if not isinstance(cell, bytes):
        raise UnreadableError("JSON", "a number" if cell is not None else "nothing")
    return cell


def _text(cell: Any) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)
