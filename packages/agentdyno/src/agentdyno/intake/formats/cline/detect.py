"""Recognises files of Cline and of the extensions that descend from it."""

import re

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
    """Whether these are the rows that the editor shows."""
    keys = head.keys
    is_row = {"ts", "type"} <= keys and bool(keys & {"say", "ask"})
    return head.is_list and is_row and _ROW.search(head.data) is not None


def is_history(head: Head) -> bool:
    """Whether these are the messages that were sent; read together with the rows beside them."""
    return head.path.name == HISTORY and head.is_list and head.keys >= {"role", "content"}


def is_session(head: Head) -> bool:
    """Whether this is a session file of the CLI."""
    return not head.is_list and head.keys >= _SESSION and b'"role"' in head.data
