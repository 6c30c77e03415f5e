"""Recognises OpenCode's databases, session files and exports."""

import re
from pathlib import Path

from agentdyno.intake.head import Head

_SESSION = {"id", "project_id", "parent_id", "slug", "directory", "title", "version"}
_EXPORT = re.compile(rb'"messages"\s*:\s*\[\s*\{\s*"info"\s*:\s*\{')
_PARTS = re.compile(rb'"parts"\s*:\s*\[')


def detect(head: Head) -> float:
    """0.98 for a database with its tables or a stored session, 0.9 for an exported one."""
    if head.is_sqlite:
        return 0.98 if has_first_version(head) or has_second_version(head) else 0.0
    if is_stored(head.path) and head.keys >= {"id", "title", "time"}:
        return 0.98
    if not {"info", "messages"} <= head.keys <= {"info", "messages"} or head.is_list:
        return 0.0
    return 0.9 if _EXPORT.search(head.data) and _PARTS.search(head.data) else 0.0


def is_stored(path: Path) -> bool:
    """True for a session of version 1 before databases, one file a message and part:
    `storage/session/PROJECT/SESSION.json` beside `storage/message/SESSION/`."""
    folder = path.parent.parent
    return folder.name == "session" and (folder.parent / "message" / path.stem).is_dir()


def has_first_version(head: Head) -> bool:
    """True when messages are in `message` and `part`."""
    tables = head.tables
    return (
        tables.get("session", frozenset()) >= _SESSION
        and tables.get("message", frozenset()) >= {"id", "session_id", "time_created", "data"}
        and tables.get("part", frozenset()) >= {"id", "message_id", "session_id", "data"}
    )


def has_second_version(head: Head) -> bool:
    """True when messages are in `session_message`."""
    sessions = head.tables.get("session_v2", frozenset())
    messages = head.tables.get("session_message", frozenset())
    return sessions >= _SESSION and messages >= {"id", "session_id", "type", "seq", "data"}
