"""Hermes: its database of sessions, and exports of them."""

import re

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_SESSIONS = {"id", "source", "parent_session_id", "started_at", "model"}
_MESSAGES = {"id", "session_id", "role", "content", "tool_calls", "tool_call_id", "timestamp"}
_ROW = {"id", "session_id", "role", "content", "timestamp"}
_ENVELOPE = re.compile(rb'"session"\s*:\s*\{\s*"id"\s*:')


def detect(head: Head) -> float:
    """0.97 for the database, 0.95 for sessions that were exported."""
    if head.is_sqlite:
        return 0.97 if _is_database(head) else 0.0
    keys = head.keys
    if head.is_list:
        return 0.95 if keys >= _ROW and keys & {"active", "observed"} else 0.0
    if keys >= {"id", "source", "started_at", "messages"} and b'"session_id"' in head.data:
        return 0.95
    if keys >= {"session_id", "session_start", "messages", "message_count"}:
        return 0.97
    is_one = keys == {"session", "messages"} and _ENVELOPE.search(head.data)
    return 0.95 if is_one and b'"session_id"' in head.data else 0.0


def _is_database(head: Head) -> bool:
    tables = head.tables
    sessions, messages = (tables.get(name, frozenset()) for name in ("sessions", "messages"))
    return sessions >= _SESSIONS and messages >= _MESSAGES


FORMAT = Format(
    name="hermes",
    title="Hermes sessions (SQLite, exports, sessions/*.json)",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.hermes.read"),
    description=(
        "Missing: "
        "tokens of single responses: the session's totals are shared out over them by length "
        "(scaled), and counted from the texts where there are none; tool schemas but in "
        "sessions/*.json, which are read where no state.db stands beside them; when tools began"
    ),
    version=3,
)
