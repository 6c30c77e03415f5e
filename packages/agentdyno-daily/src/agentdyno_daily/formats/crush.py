"""Crush: the database that it keeps in each project.

A message of the assistant's is a model call. The counts of a session are those of its last call, so
tokens are counted from the texts; its cost is a sum, which holds that of its sub-agents, whose
sessions are named for the calls that started them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.intake.databases import Row as Cells
from agentdyno.intake.databases import find_columns, open_database, select_rows
from agentdyno.intake.head import Head
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.shapes import Row, Session, Shape
from agentdyno.intake.source import Source
from agentdyno.intake.split_usage import known_price
from agentdyno.intake.streams import Record, take_record, too_large
from agentdyno.intake.texts import project_folder
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable
from agentdyno.records.problems import printable_name

_SESSION = ("id", "parent_session_id", "title", "cost", "created_at")
_MESSAGE = ("id", "role", "parts", "model", "created_at", "finished_at")
_PARTS = {
    "text": Row("text", "data.text"),
    "reasoning": Row("reasoning", "data.thinking"),
    "tool_call": Row("call", id="data.id", name="data.name", arguments="data.input"),
    "finish": Row("turn", finish="data.reason", time="data.time"),
}
_RESULT = Row(
    "result", "data.content", id="data.tool_call_id", name="data.name", error="data.is_error"
)
SHAPE = Shape(
    "crush",
    {
        "user": Row("blocks", "parts", inside={"text": Row("user", "data.text")}),
        "assistant": Row("blocks", "parts", inside=_PARTS, model="model", opens=True),
        "tool": Row("blocks", "parts", inside={"tool_result": _RESULT}),
    },
    kind="role type",
    time="created_at",
)  # fmt: skip


def detect(head: Head) -> float:
    """0.97 for a database with its tables."""
    tables = head.tables
    sessions, messages = (tables.get(name, frozenset()) for name in ("sessions", "messages"))
    is_crush = sessions >= {*_SESSION, "prompt_tokens"} and messages >= {*_MESSAGE, "session_id"}
    return 0.97 if is_crush else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session."""
    tables = Head(source.path).tables
    with open_database(source.path) as database:
        columns = find_columns(tables, "sessions")
        rows = select_rows(database, "sessions", _SESSION, columns, "ORDER BY created_at")
        sessions = [row for row in rows if isinstance(row, dict)]
        for cells in sessions:
            session = Session(SHAPE, source)
            session.talk.id, session.talk.title = str(cells["id"]), cells["title"]
            clause = "WHERE session_id = ? ORDER BY created_at, rowid"
            session_ids = (str(cells["id"]),)
            limit = source.max_record_bytes
            for row in select_rows(
                database, "messages", _MESSAGE, tables["messages"], clause, session_ids, limit
            ):
                yield from _take(source, session, row)
            inside = sum(_cost(listed) for listed in sessions if _parent(listed) == session_ids[0])
            usd = max(_cost(cells) - inside, 0.0)
            share_totals(session.talk.builder, Totals(usd=usd or None))
            yield from session.results(project=_project(source.path), **_place(source, cells))


def _take(source: Source, session: Session, row: Cells | int) -> Iterator[BadRecord]:
    locator = "a message" if isinstance(row, int) else f"message {printable(str(row['id']), 80)}"

    def add(record: Record) -> None:
        if isinstance(row, int):
            raise too_large(row, source.max_record_bytes)
        try:
            parts = msgspec.json.decode(row["parts"] or "[]")
        except (msgspec.DecodeError, TypeError) as error:
            raise UnreadableError("JSON in parts", str(error)) from None
        session.add({**row, "parts": parts})

    yield from take_record(source, SHAPE.name, Record(locator, locator, b""), add)


def _project(path: Path) -> str | None:
    """The folder of the project, in which the database's own folder lies."""
    folder = path.absolute().parent
    return project_folder(str(folder.parent)) if folder.name == ".crush" else None


def _cost(session: Cells) -> float:
    return known_price(session["cost"]) or 0.0


def _parent(session: Cells) -> str | None:
    parent = session["parent_session_id"]
    return parent if isinstance(parent, str) and parent else None


def _place(source: Source, session: Cells) -> dict[str, Any]:
    """A sub-agent's parent, and the call whose id it has."""
    if (parent := _parent(session)) is None:
        return {}
    session_id, parent = printable_name(str(session["id"]), 80), printable_name(parent, 80)
    return {
        "session_id": parent,
        "agent_id": session_id,
        "parent_id": source.id_of(parent),
        "parent_call_id": str(session["id"]),
    }


FORMAT = SHAPE.format(
    "Crush sessions (.crush/crush.db), sub-agents included",
    detect,
    read=read,
    version=2,
    description=(
        "Read: models, calls, results, the cost of a session (shared out over its responses). "
        "Missing: tokens of responses (counted from the texts, so without the hidden prompt), "
        "system prompt and tool schemas, when tools began."
    ),
)
