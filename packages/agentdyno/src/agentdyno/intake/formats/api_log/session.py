"""Which session of an agent a request belongs to, by what the agent itself puts into it."""

import re
from collections.abc import Mapping
from typing import Any

_SESSION = re.compile(r"session[_\"':\s]{1,6}(?:id[\"':\s]{1,6})?([0-9a-f-]{36})")


def find_session(body: Any, headers: Mapping[str, Any] | None = None) -> str | None:
    """The session's id; None where the agent names none."""
    metadata = body.get("metadata") if isinstance(body, dict) else None
    user = metadata.get("user_id") if isinstance(metadata, dict) else None
    if isinstance(user, str) and (found := _SESSION.search(user)):
        return found[1]
    given = headers or {}
    named = given.get("session_id") or given.get("x-claude-code-session-id")
    return named if isinstance(named, str) else None
