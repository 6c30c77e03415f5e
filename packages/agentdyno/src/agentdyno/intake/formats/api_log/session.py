"""The agent's session that a request belongs to, by what the agent itself puts into it."""

import re
from collections.abc import Mapping
from typing import Any

_SESSION = re.compile(r"session[_\"':\s]{1,6}(?:id[\"':\s]{1,6})?([0-9a-f-]{36})")


def find_session(body: Any, headers: Mapping[str, Any] | None = None) -> str | None:
    """The session's id; None where the agent names none."""
    metadata = body.get("metadata") if isinstance(body, dict) else None
    user = metadata.get("user_id") if isinstance(metadata, dict) else None
    if isinstance(user, str) and (match := _SESSION.search(user)):
        return match[1]
    fields = headers or {}
    named = fields.get("session_id") or fields.get("x-claude-code-session-id")
    return named if isinstance(named, str) else None
