"""Reads Hermes' database and exports, a session at a time.

- `input_tokens` of the session leaves cached tokens out, `output_tokens` holds reasoning. They are
  sums over the session and are shared out over its responses.
- Rows that are no longer active (rewound, or compacted) were sent once: they leave the context
  with the first row after them that is active.
- A branch begins with copies of its parent's rows, older than itself: history, not responses.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.databases import Row, find_columns, open_database, select_rows
from agentdyno.intake.documents import open_document
from agentdyno.intake.head import Head
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.source import Source
from agentdyno.intake.split_usage import known_price
from agentdyno.intake.streams import (
    Record,
    bad,
    decode,
    lines,
    or_no_response,
    read_each,
    take_records,
    too_large,
)
from agentdyno.intake.texts import (
    compact_json,
    dicts_of,
    error_in,
    first_line,
    flat_text,
    function_schemas,
    project_folder,
    seconds,
    whole,
)
from agentdyno.records import BadRecord, Trajectory, printable
from agentdyno.records.problems import printable_name

_ENCODED = "\0json:"
_SECONDS_APART = 1.0
"""A row that is older than its session by more than this was copied into it."""


class Talk:
    """A trajectory under construction, row by row."""

    def __init__(self, session: Row) -> None:
        self.builder = TrajectoryBuilder()
        self._session = session
        self._began = session.get("started_at")
        self._gone: list[int] = []
        """Parts that leave with the next row that is active."""
        if isinstance(prompt := session.get("system_prompt"), str) and prompt:
            self.builder.system(prompt)
        if schemas := function_schemas(session.get("tools")):
            self.builder.offer(schemas)

    def add(self, row: Row) -> None:
        first = len(self.builder.parts)
        if row.get("active") == 0:
            self._write(row)
            self._gone += range(first, len(self.builder.parts))
        else:
            self.builder.retire(self._gone)
            self._gone = []
            self._write(row)

    def _write(self, row: Row) -> None:
        role, text = row.get("role"), _text(row.get("content"))
        if role == "assistant":
            self._answer_with(row, text)
        elif role == "tool":
            call_id, name = row.get("tool_call_id"), row.get("tool_name")
            at = row.get("timestamp")
            self.builder.result(
                text,
                call_id if isinstance(call_id, str) else None,
                name=name if isinstance(name, str) else None,
                error=_failure(text),
                ended_at=seconds(at),
            )
        elif role == "system" and text:
            self.builder.system(text)
        elif role == "user" and text:
            self.builder.user(text)

    def _answer_with(self, row: Row, text: str) -> None:
        at, calls = row.get("timestamp"), _calls(row.get("tool_calls"))
        moment = seconds(at)
        if self._is_copied(moment):
            self.builder.given("text", text)
            for name, arguments, _ in calls:
                self.builder.given("request", f"{name} {arguments}", name)
            return
        session, number = row.get("session_id"), row.get("id")
        model = self._session.get("model")
        self.builder.turn(
            model if isinstance(model, str) else None,
            identity=f"hermes {session} {number}" if session and number is not None else None,
            ended_at=moment,
            finish=row.get("finish_reason") if isinstance(row.get("finish_reason"), str) else None,
        )
        thought = row.get("reasoning_content") or row.get("reasoning")
        if isinstance(thought, str) and thought.strip():
            self.builder.reasoning(thought)
        if text:
            self.builder.text(text)
        for name, arguments, call_id in calls:
            self.builder.call(name, arguments, call_id)

    def _is_copied(self, moment: float | None) -> bool:
        if moment is None or not isinstance(self._began, int | float):
            return False
        return moment < self._began - _SECONDS_APART

    def finish(self) -> None:
        """Shares the session's totals out."""
        share_totals(self.builder, totals_of(self._session))


def totals_of(row: Row) -> Totals:
    """The sums that a row holds; unknown where it holds none."""
    names = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
    fresh, read, written, output = (whole(row.get(name)) for name in names)
    usd = known_price(row.get("actual_cost_usd")) or known_price(row.get("estimated_cost_usd"))
    if not any((fresh, read, written, output)):
        return Totals(usd=usd)
    prompt = (fresh or 0) + (read or 0) + (written or 0)
    return Totals(prompt, read, written, output, whole(row.get("reasoning_tokens")), usd)


def _text(content: Any) -> str:
    if isinstance(content, str) and content.startswith(_ENCODED):
        content = _decode(content.removeprefix(_ENCODED))
    return flat_text(content)


def _calls(listed: Any) -> list[tuple[str, str, str | None]]:
    """Calls as (tool, arguments, id), in either of the shapes that are stored."""
    calls = _decode(listed) if isinstance(listed, str) else listed
    parsed: list[tuple[str, str, str | None]] = []
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            inner = call.get("function")
            reported = inner if isinstance(inner, dict) else call
            call_id = call.get("id") or call.get("call_id")
            arguments = compact_json(reported.get("arguments") or {})
            known_id = call_id if isinstance(call_id, str) else None
            parsed.append((str(reported.get("name") or ""), arguments, known_id))
    return parsed


def _failure(text: str) -> str | None:
    """Results are mostly JSON, with an error or an exit code in it."""
    reported = _decode(text) if text.startswith("{") else None
    if not isinstance(reported, dict):
        return error_in(text)
    if error := reported.get("error"):
        return first_line(error if isinstance(error, str) else compact_json(error))
    code = reported.get("exit_code")
    return f"exit code {code}" if isinstance(code, int) and code else None


def _decode(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


FORMAT_NAME = "hermes"
_TOTALS = (
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
    "estimated_cost_usd", "actual_cost_usd",
)  # fmt: skip
_SESSION = (
    "id", "title", "model", "system_prompt", "cwd", "parent_session_id", "started_at", "end_reason",
    "model_config", *_TOTALS,
)  # fmt: skip
_MESSAGE = (
    "id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp",
    "finish_reason", "reasoning", "reasoning_content", "active", "compacted",
)  # fmt: skip
_GOES_ON = {"compression", "branched", "session_reset", "session_switch"}
"""Reasons for which a session ends and another one, not a sub-agent, names it as its parent."""


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session, and one for the calls beside it."""
    head = Head(source.path)
    items = _read_database(source, head) if head.is_sqlite else _read_export(source, head)
    return or_no_response(source, FORMAT_NAME, items)


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
    limit, clause = source.max_record_bytes, "WHERE session_id = ? ORDER BY id"
    of = (str(session["id"]),)
    for row in select_rows(database, "messages", _MESSAGE, columns, clause, of, limit):
        if isinstance(row, int):
            locator = f"a message of session {printable(of[0], 80)}"
            yield bad(source, FORMAT_NAME, locator, too_large(row, limit))
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
    session_id, clause = str(session["id"]), "WHERE session_id = ? AND task <> ''"
    names = ("model", "task", *_TOTALS)
    for row in select_rows(database, "session_model_usage", names, columns, clause, (session_id,)):
        if isinstance(row, dict):
            summed = TrajectoryBuilder()
            summed.turn(
                str(row["model"]), identity=f"hermes {session_id} {row['task']} {row['model']}"
            )
            share_totals(summed, totals_of(row))
            builder.begin(summed.turns[0])
    if builder.turns:
        name = printable_name(session_id, 80)
        yield builder.build(
            source.id_of(f"{name}/upkeep"),
            source.name,
            FORMAT_NAME,
            session_id=name,
            agent_id="upkeep",
            parent_id=source.id_of(name),
            project=project_folder(session.get("cwd")),
        )


def _finish(
    source: Source, session: Row, talk: Talk, ended: dict[str, Any]
) -> Iterator[Trajectory]:
    if not talk.builder.turns:
        return
    talk.finish()
    session_id = printable_name(str(session.get("id") or "session"), 80)
    parent, title = session.get("parent_session_id"), session.get("title")
    starter = None
    if isinstance(parent, str) and parent in ended and not _goes_on(session, ended[parent]):
        starter = printable_name(parent, 80)
    yield talk.builder.build(
        source.id_of(session_id),
        source.name,
        FORMAT_NAME,
        session_id=starter or session_id,
        agent_id=session_id if starter else None,
        parent_id=source.id_of(starter) if starter else None,
        title=title if isinstance(title, str) and title else None,
        project=project_folder(session.get("cwd")),
    )


def _goes_on(session: Row, reason: Any) -> bool:
    """True when the session continues its parent, and was not started by it as a sub-agent."""
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
        session = decode(document.fields.get("session", b"{}"))
        yield from _read_rows(source, session, document.records)
    elif "session_start" in head.keys:
        yield from _read_session_file(source)
    else:
        yield from read_each(source, FORMAT_NAME, lines(source), _read_line)


def _read_session_file(source: Source) -> Iterator[Trajectory | BadRecord]:
    """A session as versions before the database kept it: its facts, the tools, the messages."""
    document = open_document(source, "messages")
    fields, refused = document.decode_fields(source, FORMAT_NAME)
    yield from refused
    session = {**fields, "id": fields.get("session_id"), "started_at": None}
    yield from _read_rows(source, session, document.records)


def _read_line(source: Source, record: Record) -> Iterator[Trajectory | BadRecord]:
    """A session with its messages on one line."""
    session = record.decode()
    messages = dicts_of(session.pop("messages", None))
    talk = Talk(session)
    for row in messages:
        talk.add(row)
    yield from _finish(source, session, talk, {})


def _read_rows(
    source: Source, session: Row, records: Iterator[Record]
) -> Iterator[Trajectory | BadRecord]:
    rows: list[Row] = []
    yield from take_records(source, FORMAT_NAME, records, lambda each: rows.append(each.decode()))
    # The database counts its rows; in an export they may stand in another order.
    rows.sort(key=lambda row: row["id"] if isinstance(row.get("id"), int) else 0)
    owner = next((row.get("session_id") for row in rows if row.get("session_id")), None)
    owned = {**session, "id": session.get("id") or owner}
    talk = Talk(owned)
    for row in rows:
        talk.add(row)
    yield from _finish(source, owned, talk, {})
