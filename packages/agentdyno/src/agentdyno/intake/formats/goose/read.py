"""Reads Goose's database and the files of its older versions, a session at a time.

- Messages of the assistant's that follow each other are one response: text and calls are written
  apart. Results stand in messages of the user's.
- Inputs hold cached tokens. The usage ledger has one row for every call; where it has as many as
  there are responses, each gets its own. Otherwise the sums are shared out over the responses.
- Messages that the agent no longer sees were sent until the first one after them that it does see.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.databases import Row, find_columns, open_database, select_rows
from agentdyno.intake.format import Source
from agentdyno.intake.head import Head
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.split_usage import fresh_tokens, known_price, split_usage
from agentdyno.intake.streams import bad, decode, lines, or_no_response, too_deep, too_large
from agentdyno.intake.texts import compact_json, fields_of, first_line, flat_text, seconds, whole
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable
from agentdyno.records.problems import printable_name


class Talk:
    """A trajectory under construction, message by message."""

    def __init__(self, session: Row) -> None:
        self.builder = TrajectoryBuilder()
        self._session = session
        self._model = _model(session)
        self._is_answering = False
        self._gone: list[int] = []
        """Parts that leave with the next message that the agent sees."""

    def add(self, role: Any, content: Any, at: Any, key: str, is_seen: bool = True) -> None:
        """The next message; `key` makes it known again."""
        if is_seen:
            self.builder.retire(self._gone)
            self._gone = []
        first = len(self.builder.parts)
        blocks = [block for block in content if isinstance(block, dict)]
        if role == "assistant" and any(map(_is_answer, blocks)):
            self._begin(seconds(at), key)
        elif role == "user":
            self._is_answering = False
        for block in blocks:
            self._write(block, role == "assistant")
        if not is_seen:
            self._gone += range(first, len(self.builder.parts))

    def _begin(self, at: float | None, key: str) -> None:
        if not self._is_answering:
            self.builder.turn(self._model, identity=f"goose {key}")
        self._is_answering = True
        self.builder.amend_turn(len(self.builder.turns) - 1, ended_at=at)

    def _write(self, block: dict[str, Any], is_answer: bool) -> None:
        kind, text = block.get("type"), block.get("text")
        if kind == "text" and isinstance(text, str) and text:
            if is_answer:
                self.builder.text(text)
            else:
                self.builder.user(text)
        elif kind == "thinking" and is_answer:
            self.builder.reasoning(str(block.get("thinking") or ""))
        elif kind in ("toolRequest", "frontendToolRequest") and is_answer:
            self._call(block)
        elif kind == "toolResponse":
            self._result(block)

    def _call(self, block: dict[str, Any]) -> None:
        reported = fields_of(block.get("toolCall"))
        produced = fields_of(reported.get("value")) or reported
        error = first_line(str(reported["error"])) if reported.get("error") else None
        arguments = compact_json(produced.get("arguments") or {})
        own = block.get("id") if isinstance(block.get("id"), str) else None
        self.builder.call(str(produced.get("name") or ""), arguments, own, error)

    def _result(self, block: dict[str, Any]) -> None:
        reported = fields_of(block.get("toolResult"))
        value = reported.get("value")
        content = value.get("content") if isinstance(value, dict) else value
        text = flat_text(content) or str(reported.get("error") or "")
        is_failed = bool(reported.get("error") or fields_of(value).get("isError"))
        own = block.get("id") if isinstance(block.get("id"), str) else None
        error = (first_line(text) or "error") if is_failed else None
        self.builder.result(text, own, error=error)

    def finish(self, used: list[Row]) -> None:
        """Gives every response its counts: its own, or its share of the session's."""
        if used and len(used) == len(self.builder.turns):
            for turn, row in enumerate(used):
                self.builder.amend_turn(turn, **call_fields(row))
            return
        share_totals(self.builder, _sum(used) if used else _totals(self._session))


def call_fields(row: Row) -> dict[str, Any]:
    """A row of the usage ledger as fields of a turn."""
    read, written = row.get("cache_read_tokens"), row.get("cache_write_tokens")
    fresh = fresh_tokens(row.get("input_tokens"), read, written)
    fields = split_usage(fresh, row.get("output_tokens"), read, written)
    if isinstance(row.get("model"), str):
        fields["model"] = row["model"]
    return {**fields, "reported_usd": known_price(row.get("cost"))}


def _is_answer(block: dict[str, Any]) -> bool:
    return block.get("type") in ("text", "thinking", "toolRequest", "frontendToolRequest")


def _sum(used: list[Row]) -> Totals:
    def total(name: str) -> int:
        return sum(whole(row.get(name)) or 0 for row in used)

    usd = sum(known_price(row.get("cost")) or 0.0 for row in used)
    cached, written = total("cache_read_tokens"), total("cache_write_tokens")
    prompt = max(total("input_tokens"), cached + written)
    return Totals(prompt, cached, written, total("output_tokens"), None, usd or None)


def _totals(session: Row) -> Totals:
    """The session's sums; those of the last call alone where nothing else is written."""
    prompt = whole(session.get("accumulated_input_tokens"))
    output = whole(session.get("accumulated_output_tokens"))
    if not prompt and not output:
        return Totals()
    read = whole(session.get("accumulated_cache_read_tokens"))
    written = whole(session.get("accumulated_cache_write_tokens"))
    return Totals(prompt, read, written, output, None, known_price(session.get("accumulated_cost")))


def _model(session: Row) -> str | None:
    config = session.get("model_config_json")
    try:
        found = msgspec.json.decode(config) if isinstance(config, str) else config
    except (msgspec.DecodeError, RecursionError):
        return None
    name = found.get("model_name") if isinstance(found, dict) else None
    return name if isinstance(name, str) else None


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
            row = record.decode()
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
