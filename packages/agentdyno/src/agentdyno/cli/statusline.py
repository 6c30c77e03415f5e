"""`agentdyno statusline`: one line about the session, for Claude Code's status hook.

Takes the hook's JSON on stdin, and what `measure` or `follow` kept of the newest sessions. Opens no
table and loads no library for tables: the hook waits for it.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from agentdyno.pipelines.session_states import SessionState

FILE = ".sessions.json"
"""As `ledger.file_names` has it, which would load more than this needs."""
DIGEST_LENGTH = 32
"""Characters before the states, which `ledger verify` checks; see `ledger.disk`."""


class State(NamedTuple):
    """What is kept of a session; fields as in `pipelines.session_states.SessionState`."""

    usd: float | None
    """What it cost."""
    turns: int
    """Model calls."""
    context_tokens: int | None
    """Tokens in the context of its last turn."""
    cached_tokens: int | None
    """How many of these came from the cache."""
    ended_at: float | None
    """When its last turn ended, in seconds since 1970."""


def command(*, ledger: Path | None = None) -> int:
    """Answer Claude Code's status hook: what the session has cost, and the state of its cache."""
    try:
        hook = json.loads(sys.stdin.buffer.read())
    except (ValueError, RecursionError):
        hook = None
    session = hook.get("session_id") if isinstance(hook, dict) else None
    line = _find(ledger or _user_ledger(), session)
    print(line or "not measured yet (agentdyno follow)")
    return 0


def _user_ledger() -> Path:
    from agentdyno.intake.user_folders import user_ledger

    return user_ledger()


def _find(ledger: Path, session: object) -> str | None:
    path = ledger / FILE
    if not isinstance(session, str) or os.path.islink(path):
        return None
    try:
        return describe(_read(json.loads(path.read_bytes()[DIGEST_LENGTH:])[session]))
    except (OSError, LookupError, TypeError, ValueError, OverflowError, RecursionError):
        return None


def _read(kept: Any) -> State:
    """The state, if every field is what `measure` writes: a ledger may come from anybody."""
    found = State(*(kept[name] for name in State._fields))
    known = [value for value in found if value is not None]
    if found.turns is None or not all(type(value) in (int, float) for value in known):
        raise TypeError("expected numbers")
    return found


def describe(state: "State | SessionState") -> str:
    """`$4.12  31 turns  context 84k, 97 % cached  14:03`."""
    words = ["no price" if state.usd is None else f"${state.usd:,.2f}"]
    words.append(f"{state.turns:,} turn{'' if state.turns == 1 else 's'}")
    if state.context_tokens:
        context = f"context {state.context_tokens / 1000:,.0f}k"
        if state.cached_tokens is not None:
            context += f", {state.cached_tokens / state.context_tokens:.0%} cached"
        words.append(context.replace("%", " %"))
    if state.ended_at is not None:
        words.append(time.strftime("%H:%M", time.localtime(state.ended_at)))
    return "  ".join(words)
