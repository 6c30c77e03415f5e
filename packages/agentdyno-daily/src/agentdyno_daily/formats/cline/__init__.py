"""Cline, Roo Code and Kilo Code: task folders of the extensions, session files of Cline's CLI."""

import re

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

ROWS, HISTORY = "ui_messages.json", "api_conversation_history.json"
_ROW = re.compile(rb'"type"\s*:\s*"(?:say|ask)"')
_SESSION = {"version", "updated_at", "sessionId", "messages"}


def detect(head: Head) -> float:
    """0.97 for a task's rows and for its history, 0.95 for a session of the CLI."""
    if is_task(head) or is_history(head):
        return 0.97
    return 0.95 if is_session(head) else 0.0


def is_task(head: Head) -> bool:
    """True for the rows that the editor shows."""
    keys = head.keys
    is_row = {"ts", "type"} <= keys and bool(keys & {"say", "ask"})
    return head.is_list and is_row and _ROW.search(head.data) is not None


def is_history(head: Head) -> bool:
    """True for the messages that were sent; read together with the rows beside them."""
    return head.path.name == HISTORY and head.is_list and head.keys >= {"role", "content"}


def is_session(head: Head) -> bool:
    return not head.is_list and head.keys >= _SESSION and b'"role"' in head.data


FORMAT = Format(
    name="cline",
    title="Cline, Roo Code and Kilo Code tasks (ui_messages.json with the history beside it)",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.cline.read"),
    version=2,
    description=(
        "Missing: "
        "system prompt and tool schemas (hidden prompt, by the reported input); when answers and "
        "tools ended; without api_conversation_history.json, arguments as the editor shows them; "
        "without ui_messages.json, cache hits and what left the context"
    ),
)
