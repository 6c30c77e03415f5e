"""Reads OpenCode's databases, session files and exports, a session at a time."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import structs

from agentdyno.intake.databases import open_database
from agentdyno.intake.documents import open_document
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, bad, decode, or_no_response, too_deep, whole_file
from agentdyno.intake.texts import project_folder
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable
from agentdyno_daily.formats.opencode.detect import (
    has_first_version,
    has_second_version,
    is_stored,
)
from agentdyno_daily.formats.opencode.first_version import FirstVersion
from agentdyno_daily.formats.opencode.rows import (
    Row,
    first_rows,
    read_sessions,
    second_rows,
    usage_rows,
)
from agentdyno_daily.formats.opencode.second_version import SecondVersion
from agentdyno_daily.formats.opencode.talk import Talk, short_name
from agentdyno_daily.formats.opencode.wire import (
    EXPORTED,
    INFO,
    PART,
    SESSION,
    Exported,
    Info,
    Session,
)

FORMAT_NAME = "opencode"
_UNNAMED = ("New session - ", "Child session - ")


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session, and one for the calls beside it."""
    head = Head(source.path)
    if head.is_sqlite:
        items = _read_database(source, head)
    else:
        items = _read_stored(source) if is_stored(source.path) else _read_export(source)
    return or_no_response(source, FORMAT_NAME, items)


# Databases ----------------------------------------------------------------------------------------


def _read_database(source: Source, head: Head) -> Iterator[Trajectory | BadRecord]:
    with open_database(source.path) as database:
        sessions = read_sessions(database, head)
        family = _Family(source, sessions)
        for session in sessions:
            yield from _read_session(source, database, head, session, family)
            yield from _read_beside(source, database, head, session, family)


def _read_session(
    source: Source, database: sqlite3.Connection, head: Head, session: Session, family: "_Family"
) -> Iterator[Trajectory | BadRecord]:
    limit = source.max_record_bytes
    if has_second_version(head):
        second = SecondVersion()
        yield from _fill(source, second_rows(database, session.id, limit), second.add)
        if second.builder.parts or second.builder.turns:
            yield from family.finish(session, second)
            return
    if has_first_version(head):
        first = FirstVersion(session.version)
        yield from _fill(source, first_rows(database, session.id, limit), first.add)
        yield from family.finish(session, first)


def _read_beside(
    source: Source, database: sqlite3.Connection, head: Head, session: Session, family: "_Family"
) -> Iterator[Trajectory | BadRecord]:
    """Calls that write titles and summaries."""
    talk = SecondVersion()
    rows = usage_rows(database, head, session.id, source.max_record_bytes)
    yield from _fill(source, rows, talk.record)
    yield from family.finish(session, talk, "upkeep")


def _fill(source: Source, rows: Iterator[Row], add: Callable[..., None]) -> Iterator[BadRecord]:
    for location, row in rows:
        try:
            if isinstance(row, UnreadableError):
                raise row
            add(*row)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, printable(location), problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, printable(location), too_deep())


class _Family:
    """Sessions with the sessions and calls that started them."""

    def __init__(self, source: Source, sessions: list[Session]) -> None:
        self._source = source
        self._parents = {session.id: session.parent for session in sessions}
        self._calls: dict[str, str] = {}

    def finish(
        self, session: Session, talk: Talk, beside: str | None = None
    ) -> Iterator[Trajectory]:
        """The trajectory, if a model answered in it; `beside` names calls that are no session."""
        self._calls |= talk.started
        if not talk.builder.turns:
            return
        parent = session.id if beside else session.parent
        session_name = short_name(session.id)
        title = session.title if session.title and not session.title.startswith(_UNNAMED) else None
        yield talk.builder.build(
            self._source.id_of(f"{session_name}/{beside}" if beside else session_name),
            self._source.name,
            FORMAT_NAME,
            session_id=short_name(self._root(session.id)),
            agent_id=beside or (session_name if parent else None),
            parent_id=self._id_of(parent) if parent else None,
            parent_call_id=None if beside else self._calls.get(session.id),
            title=None if beside else title,
            project=project_folder(session.directory),
        )

    def _id_of(self, session: str) -> str:
        session_name = short_name(session)
        if not is_stored(self._source.path):
            return self._source.id_of(session_name)
        folder = self._source.name.rpartition("/")[0]
        return f"{folder}/{session_name}.json#{session_name}".removeprefix("/")

    def _root(self, session: str) -> str:
        """The session that a person began."""
        seen = {session}
        while (parent := self._parents.get(session)) and parent not in seen:
            seen.add(parent)
            session = parent
        return session


# Exports ------------------------------------------------------------------------------------------


def _read_export(source: Source) -> Iterator[Trajectory | BadRecord]:
    document = open_document(source, "messages")
    session: Session = decode(document.fields.get("info", b"{}"), SESSION)
    session.parent = session.parentID
    talk = FirstVersion(session.version)
    yield from _fill(source, map(_exported, document.records), talk.add)
    yield from _Family(source, [session]).finish(session, talk)


# Files of their own -------------------------------------------------------------------------------


def _read_stored(source: Source) -> Iterator[Trajectory | BadRecord]:
    session: Session = decode(whole_file(source).data, SESSION)
    session.parent = session.parentID
    talk = FirstVersion(session.version)
    yield from _fill(source, _stored_messages(source), talk.add)
    yield from _Family(source, [session]).finish(session, talk)


def _stored_messages(source: Source) -> Iterator[Row]:
    """Messages by their ids, which count up, each with its parts."""
    storage = source.path.parents[2]
    for path in sorted((storage / "message" / source.path.stem).glob("*.json")):
        parts = sorted((storage / "part" / path.stem).glob("*.json"))
        try:
            info: Info = _stored(source, path).decode(INFO)
            yield path.name, (info, [_stored(source, part).decode(PART) for part in parts])
        except UnreadableError as problem:
            yield path.name, problem
        except RecursionError:
            yield path.name, too_deep()


def _stored(source: Source, path: Path) -> Record:
    return whole_file(structs.replace(source, path=path))


def _exported(record: Record) -> Row:
    try:
        message: Exported = record.decode(EXPORTED)
        return record.place, (message.info, [decode(bytes(part), PART) for part in message.parts])
    except UnreadableError as problem:
        return record.place, problem
    except (RecursionError, msgspec.MsgspecError):
        return record.place, too_deep()
