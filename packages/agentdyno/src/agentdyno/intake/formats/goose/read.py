"""Reads Goose's database and the files of its older versions, a session at a time."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.databases import Row, find_columns, open_database, select_rows
from agentdyno.intake.format import Source
from agentdyno.intake.formats.goose.convert import Talk, call_fields
from agentdyno.intake.head import Head
from agentdyno.intake.streams import bad, decode, lines, or_no_response, too_deep, too_large
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable
from agentdyno.records.problems import printable_name

FORMAT_NAME = "goose"
_SESSION = (
    "id", "name", "description", "model_config_json", "accumulated_input_tokens",
    "accumulated_output_tokens", "accumulated_cache_read_tokens", "accumulated_cache_write_tokens",
    "accumulated_cost",
)  # fmt: skip
_MESSAGE = ("id", "message_id", "role", "content_json", "created_timestamp", "metadata_json")
_USED = (
    "id", "model", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
    "cost", "is_compaction", "created_timestamp",
)  # fmt: skip
_OBJECT = msgspec.json.Decoder(dict[str, Any])
_LIST = msgspec.json.Decoder(list[Any])


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session, and one for the summaries beside it."""
    head = Head(source.path)
    found = _read_database(source, head) if head.is_sqlite else _read_lines(source)
    return or_no_response(source, FORMAT_NAME, found)


def _read_database(source: Source, head: Head) -> Iterator[Trajectory | BadRecord]:
    tables = head.tables
    with open_database(source.path) as database:
        columns, _ = (find_columns(tables, name) for name in ("sessions", "messages"))
        rest = "ORDER BY created_at, id" if "created_at" in columns else "ORDER BY id"
        rows = list(select_rows(database, "sessions", _SESSION, columns, rest))
        for session in (row for row in rows if isinstance(row, dict)):
            yield from _read_session(source, database, tables, session)


def _read_session(
    source: Source,
    database: sqlite3.Connection,
    tables: Mapping[str, frozenset[str]],
    session: Row,
) -> Iterator[Trajectory | BadRecord]:
    talk, own, limit = Talk(session), str(session["id"]), source.max_record_bytes
    place = f"a message of session {printable(own, 80)}"
    rest = "WHERE session_id = ? ORDER BY id"
    for row in select_rows(database, "messages", _MESSAGE, tables["messages"], rest, (own,), limit):
        try:
            if isinstance(row, int):
                raise too_large(row, limit)
            content = decode(str(row["content_json"]).encode(), _LIST)
            key = f"{own} {row['message_id'] or row['id']}"
            talk.add(row["role"], content, row["created_timestamp"], key, _is_seen(row))
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, place, too_deep())
    used = _used(database, tables.get("usage_ledger", frozenset()), own)
    talk.finish([row for row in used if not row["is_compaction"]])
    yield from _build(source, talk.builder, session)
    yield from _build(source, _summaries(used, own), session, "upkeep")


def _is_seen(row: Row) -> bool:
    try:
        noted = msgspec.json.decode(row["metadata_json"] or "{}")
    except (msgspec.DecodeError, RecursionError, TypeError):
        return True
    return not isinstance(noted, dict) or noted.get("agentVisible") is not False


def _used(database: sqlite3.Connection, columns: frozenset[str], session: str) -> list[Row]:
    """The session's rows of the usage ledger, where the version has one."""
    if not columns >= {"session_id", "input_tokens", "output_tokens"}:
        return []
    rest = "WHERE session_id = ? ORDER BY " + ("id" if "id" in columns else "rowid")
    rows = select_rows(database, "usage_ledger", _USED, columns, rest, (session,))
    return [row for row in rows if isinstance(row, dict)]


def _summaries(used: list[Row], own: str) -> TrajectoryBuilder:
    builder = TrajectoryBuilder()
    for row in used:
        if row["is_compaction"]:
            identity = f"goose {own} summary {row['id']} {row['created_timestamp']}"
            builder.turn(**call_fields(row), identity=identity)
    return builder


def _build(
    source: Source, builder: TrajectoryBuilder, session: Row, beside: str | None = None
) -> Iterator[Trajectory]:
    if not builder.turns:
        return
    own = printable_name(str(session.get("id") or "session"), 80)
    title = session.get("name") or session.get("description")
    yield builder.build(
        source.id_of(f"{own}/{beside}" if beside else own),
        source.name,
        FORMAT_NAME,
        session_id=own,
        agent_id=beside,
        parent_id=source.id_of(own) if beside else None,
        title=title if isinstance(title, str) and title and not beside else None,
    )


def _read_lines(source: Source) -> Iterator[Trajectory | BadRecord]:
    """A file of an older version: the session's facts, then its messages."""
    talk: Talk | None = None
    session: Row = {}
    for record in lines(source):
        try:
            row = record.decode(_OBJECT)
            if talk is None:
                session = {**row, "id": source.path.stem}
                talk = Talk(session)
            content = row.get("content")
            key = f"{source.path.stem} {row.get('id') or record.locator}"
            if isinstance(content, list):
                talk.add(row.get("role"), content, row.get("created"), key)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, record.place, too_deep())
    if talk is not None:
        talk.finish([])
        yield from _build(source, talk.builder, session)
