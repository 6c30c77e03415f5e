"""`agentdyno statusline`: one line about the session, for Claude Code's status hook.

Takes the hook's JSON on stdin, and what `measure` or `follow` kept of the newest sessions. Opens no
table and loads no library for tables: the hook waits for it.
"""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from agentdyno.pipelines.session_states import SessionState

FILE = ".sessions.json"
"""As `ledger.file_names` has it, which would load more than this needs."""


class Hook(Struct, frozen=True):
    """What Claude Code writes to a status command, as far as we read it."""

    session_id: str | None = None
    """The session's id."""


class State(Struct, frozen=True):
    """What is kept of a session; fields as in `pipelines.session_states.SessionState`."""

    session: str
    """Its id."""
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
        hook = msgspec.json.decode(sys.stdin.buffer.read(), type=Hook)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        hook = Hook()
    state = _find(ledger or _user_ledger(), hook.session_id)
    print(describe(state) if state else "not measured yet (agentdyno follow)")
    return 0


def _user_ledger() -> Path:
    from agentdyno.intake.homes import user_ledger

    return user_ledger()


def _find(ledger: Path, session: str | None) -> State | None:
    path = ledger / FILE
    if session is None or os.path.islink(path):
        return None
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
        return msgspec.json.decode(kept[session], type=State)
    except (OSError, KeyError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def describe(state: "State | SessionState") -> str:
    """`$4.12  31 turns  context 84k, 97 % cached  14:03`."""
    words = ["an unknown cost" if state.usd is None else f"${state.usd:,.2f}"]
    words.append(f"{state.turns:,} turn{'' if state.turns == 1 else 's'}")
    if state.context_tokens:
        context = f"context {state.context_tokens / 1000:,.0f}k"
        if state.cached_tokens is not None:
            context += f", {state.cached_tokens / state.context_tokens:.0%} cached"
        words.append(context.replace("%", " %"))
    if state.ended_at is not None:
        words.append(time.strftime("%H:%M", time.localtime(state.ended_at)))
    return "  ".join(words)
