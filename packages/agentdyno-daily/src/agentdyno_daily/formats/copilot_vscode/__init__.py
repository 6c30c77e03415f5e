"""Copilot in VS Code: chat sessions, whole or as a journal of changes."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_SESSION = {"requests", "sessionId"}
_EXPORT = {"requests", "responderUsername", "initialLocation"}
"""What "Chat: Export Chat" writes: a session without its id."""


def is_session(head: Head) -> bool:
    """Whether the file is one session, as VS Code keeps or exports it."""
    return not head.is_list and (head.keys >= _SESSION or head.keys >= _EXPORT)


def detect(head: Head) -> float:
    """0.95 for a session, or for a journal that begins with one."""
    if is_session(head):
        return 0.95
    first = next((line for line in head.lines if isinstance(line, dict)), {})
    root = first.get("v") if first.get("kind") == 0 else None
    is_journal = isinstance(root, dict) and root.keys() >= _SESSION
    return 0.95 if is_journal else _score_of_cut(head)


def _score_of_cut(head: Head) -> float:
    """A session whose first line is longer than the beginning."""
    is_large = head.keys >= {"version", "responderUsername"} or head.keys >= {"kind", "v"}
    return 0.9 if is_large and b'"requests"' in head.data and b'"requestId"' in head.data else 0.0


FORMAT = Format(
    name="copilot_vscode",
    title="Copilot chat sessions of VS Code (chatSessions/*.json, *.jsonl, exports)",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.copilot_vscode.read"),
    version=2,
    description=(
        "Read: prompts, responses round by round, calls, results, errors, the model, when a prompt "
        "was sent, time to the first token. Missing: tokens (counted from the texts, so without "
        "the hidden prompt; where a request of one round reports them, those are used), system "
        "prompt and tool schemas, cache, prices, times of tools. The database agent-traces.db is "
        "not read."
    ),
)
