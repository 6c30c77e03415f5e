"""Reads Hermes' database and exports, a session at a time."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.databases import Row, find_columns, open_database, select_rows
from agentdyno.intake.documents import open_document
from agentdyno.intake.format import Source
from agentdyno.intake.formats.hermes.convert import Talk, totals_of
from agentdyno.intake.head import Head
from agentdyno.intake.session_totals import share_totals
from agentdyno.intake.streams import Record, bad, decode, lines, or_no_response, too_deep, too_large
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable
from agentdyno.records.problems import printable_name

FORMAT_NAME = "hermes"
_TOTALS = (
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
    "estimated_cost_usd", "actual_cost_usd",
)  # fmt: skip
_SESSION = (
    "id", "title", "model", "system_prompt", "parent_session_id", "started_at", "end_reason",
    "model_config", *_TOTALS,
)  # fmt: skip
_MESSAGE = (
    "id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp",
    "finish_reason", "reasoning", "reasoning_content", "active", "compacted",
)  # fmt: skip
_GOES_ON = {"compression", "branched", "session_reset", "session_switch"}
"""Reasons for which a session ends and another one, not a sub-agent, names it as its parent."""
_ROW = msgspec.json.Decoder(dict[str, Any])


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session, and one for the calls beside it."""
    head = Head(source.path)
    found = _read_database(source, head) if head.is_sqlite else _read_export(source, head)
    return or_no_response(source, FORMAT_NAME, found)


# The database -------------------------------------------------------------------------------------


def _read_database(source: Source, head: Head) -> Iterator[Trajectory | BadRecord]:
    tables, limit = head.tables, source.max_record_bytes
    with open_database(source.path) as database:
        columns, messages = (find_columns(tables, name) for name in ("sessions", "messages"))
        rows = select_rows(
            database, "sessions", _SESSION, columns, "ORDER BY started_at", (), limit
        )
        sessions = [row for row in rows if isinstance(row, dict)]
        ended = {str(row["id"]): row["end_reason"] for row in sessions}
        for session in sessions:
            yield from _read_session(source, database, messages, session, ended)
            if "session_model_usage" in tables:
                used = tables["session_model_usage"]
                yield from _read_beside(source, database, used, session)


def _read_session(
    source: Source,
    database: sqlite3.Connection,
    columns: frozenset[str],
    session: Row,
    ended: dict[str, Any],
) -> Iterator[Trajectory | BadRecord]:
    talk = Talk(session)
    limit, rest = source.max_record_bytes, "WHERE session_id = ? ORDER BY id"
    of = (str(session["id"]),)
    for row in select_rows(database, "messages", _MESSAGE, columns, rest, of, limit):
        if isinstance(row, int):
            place = f"a message of session {printable(of[0], 80)}"
            yield bad(source, FORMAT_NAME, place, too_large(row, limit))
        else:
            talk.add(row)
    yield from _finish(source, session, talk, ended)


def _read_beside(
    source: Source, database: sqlite3.Connection, columns: frozenset[str], session: Row
) -> Iterator[Trajectory]:
    """Calls for titles, summaries and the like, of which only sums are kept, by model and task."""
    if not columns >= {"session_id", "task", "model"}:
        return
    builder = TrajectoryBuilder()
    own, rest = str(session["id"]), "WHERE session_id = ? AND task <> ''"
    names = ("model", "task", *_TOTALS)
    for row in select_rows(database, "session_model_usage", names, columns, rest, (own,)):
        if isinstance(row, dict):
            one = TrajectoryBuilder()
            one.turn(str(row["model"]), identity=f"hermes {own} {row['task']} {row['model']}")
            share_totals(one, totals_of(row))
            builder.begin(one.turns[0])
    if builder.turns:
        name = printable_name(own, 80)
        yield builder.build(
            source.id_of(f"{name}/upkeep"),
            source.name,
            FORMAT_NAME,
            session_id=name,
            agent_id="upkeep",
            parent_id=source.id_of(name),
        )


def _finish(
    source: Source, session: Row, talk: Talk, ended: dict[str, Any]
) -> Iterator[Trajectory]:
    if not talk.builder.turns:
        return
    talk.finish()
    own = printable_name(str(session.get("id") or "session"), 80)
    parent, title = session.get("parent_session_id"), session.get("title")
    starter = None
    if isinstance(parent, str) and parent in ended and not _goes_on(session, ended[parent]):
        starter = printable_name(parent, 80)
    yield talk.builder.build(
        source.id_of(own),
        source.name,
        FORMAT_NAME,
        session_id=starter or own,
        agent_id=own if starter else None,
        parent_id=source.id_of(starter) if starter else None,
        title=title if isinstance(title, str) and title else None,
    )


def _goes_on(session: Row, reason: Any) -> bool:
    """Whether the session goes on from its parent, and was not started by it as a sub-agent."""
    config = str(session.get("model_config") or "")
    if "_delegate_from" in config:
        return False
    return reason in _GOES_ON or "_branched_from" in config or "_reset_from" in config


# Exports ------------------------------------------------------------------------------------------


def _read_export(source: Source, head: Head) -> Iterator[Trajectory | BadRecord]:
    if head.is_list:
        yield from _read_rows(source, {}, open_document(source, None).records)
    elif "session" in head.keys:
        document = open_document(source, "messages")
        session = decode(document.fields.get("session", b"{}"), _ROW)
        yield from _read_rows(source, session, document.records)
    elif "session_start" in head.keys:
        yield from _read_session_file(source)
    else:
        for record in lines(source):
            yield from _read_line(source, record)


def _read_session_file(source: Source) -> Iterator[Trajectory | BadRecord]:
    """A session as versions before the database kept it: its facts, the tools, the messages."""
    document = open_document(source, "messages")
    fields = {name: msgspec.json.decode(data) for name, data in document.fields.items()}
    session = {**fields, "id": fields.get("session_id"), "started_at": None}
    yield from _read_rows(source, session, document.records)


def _read_line(source: Source, record: Record) -> Iterator[Trajectory | BadRecord]:
    """A session with its messages on one line."""
    try:
        session = record.decode(_ROW)
        listed = session.pop("messages", None)
        talk = Talk(session)
        for row in listed if isinstance(listed, list) else []:
            if isinstance(row, dict):
                talk.add(row)
        yield from _finish(source, session, talk, {})
    except UnreadableError as problem:
        yield bad(source, FORMAT_NAME, record.place, problem)
    except RecursionError:
        yield bad(source, FORMAT_NAME, record.place, too_deep())


def _read_rows(
    source: Source, session: Row, records: Iterator[Record]
) -> Iterator[Trajectory | BadRecord]:
    rows: list[Row] = []
    for record in records:
        try:
            rows.append(record.decode(_ROW))
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, record.place, too_deep())
    # The database counts its rows; in an export they may stand in another order.
    rows.sort(key=lambda row: row["id"] if isinstance(row.get("id"), int) else 0)
    owner = next((row.get("session_id") for row in rows if row.get("session_id")), None)
    known = {**session, "id": session.get("id") or owner}
    talk = Talk(known)
    for row in rows:
        talk.add(row)
    yield from _finish(source, known, talk, {})
