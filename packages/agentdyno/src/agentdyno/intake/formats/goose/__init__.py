"""Goose: its database of sessions, and the files of older versions."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head, keep_sound

_SESSIONS = {"id", "working_dir", "accumulated_input_tokens", "accumulated_output_tokens"}
_MESSAGES = {"id", "session_id", "role", "content_json", "created_timestamp"}


def detect(head: Head) -> float:
    """0.97 for the database, 0.95 for a file that begins with a session's facts."""
    if head.is_sqlite:
        tables = head.tables
        sessions, messages = (tables.get(name, frozenset()) for name in ("sessions", "messages"))
        return 0.97 if sessions >= _SESSIONS and messages >= _MESSAGES else 0.0
    if len(head.lines) < 2 or not head.keys >= {"working_dir", "message_count"}:
        return 0.0
    talk = [line for line in head.lines[1:] if isinstance(line, dict)]
    sound = keep_sound(talk, lambda line: {"role", "created", "content"} <= line.keys())
    return 0.95 if sound or not talk else 0.0


FORMAT = Format(
    name="goose",
    title="Goose sessions (SQLite, JSONL of older versions)",
    detect=detect,
    has_real_file=False,
    read=reader_in("agentdyno.intake.formats.goose.read"),
    description=(
        "Missing: "
        "before the usage ledger, tokens of single responses (the session's totals are shared out "
        "by length: scaled) and how many were cached; system prompt and tool schemas; who started "
        "a sub-agent; when tools began"
    ),
)
