"""Claude Code: session files with responses spread over lines, and those of its sub-agents."""

from typing import Any

from agentdyno.intake.format import Format, follower_in, reader_in, scanner_in
from agentdyno.intake.head import Head

_TALK = {"user", "assistant", "system", "progress", "attachment"}
_BESIDE = {"queue-operation", "last-prompt", "permission-mode", "ai-title", "agent-name", "pr-link"}
"""Lines that may stand before the first of a talk, or alone."""
_FIRST = (
    {"parentUuid", "sessionId", "type"},
    {"session_id", "mcp_servers", "permissionMode", "tools"},
)
"""Keys of the first line of a session, and of a run's output."""


def detect(head: Head) -> float:
    """0.97 for a line of a session, or beside its talk."""
    if any(map(_is_of_qwen_code, head.lines)):
        return 0.0
    listed = head.first if isinstance(head.first, list) else []
    score = max(map(_score, [*head.lines, *listed[:50]]), default=0.0)
    if not score and any(keys <= head.keys for keys in _FIRST):
        return 0.95  # A first line, or a list, longer than what was looked at.
    return score


def _is_of_qwen_code(line: Any) -> bool:
    """Qwen Code writes the same envelope around messages in Gemini's shape."""
    message = line.get("message") if isinstance(line, dict) else None
    return isinstance(message, dict) and "parts" in message and "content" not in message


def _score(line: Any) -> float:
    if not isinstance(line, dict) or not isinstance(line.get("type"), str):
        return 0.0
    kind = line["type"]
    if kind in _TALK and {"uuid", "parentUuid", "sessionId"} <= line.keys():
        return 0.97
    if kind in _TALK and {"message", "session_id", "parent_tool_use_id"} <= line.keys():
        return 0.97
    if (kind == "summary" and "leafUuid" in line) or (kind in _BESIDE and "sessionId" in line):
        return 0.97
    return 0.97 if kind == "file-history-snapshot" and "snapshot" in line else 0.0


FORMAT = Format(
    name="claude_code",
    title="Claude Code sessions (JSONL) and stream-json output, sub-agents included",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.claude_code.read"),
    follow=follower_in("agentdyno_daily.formats.claude_code.read", "SessionReader"),
    totals=scanner_in("agentdyno_daily.formats.claude_code.totals"),
    version=9,
    description=(
        "Read: tokens per response with cache reads and cache writes by lifetime, thinking, calls, "
        "results, errors, tool times where a result states them, compactions, forks, resumed "
        "sessions, sub-agents inline and in files of their own. Missing: system prompt and tool "
        "schemas (hidden prompt: telemetry with raw bodies or a proxy shows them), prices; a count "
        "of output that is only a placeholder is estimated from the text, or taken from telemetry "
        "of the same session. Output of `claude -p --output-format stream-json` has no times and "
        "only placeholders for output: where its last line sums up a model of which every response "
        "is shown, they are shared out from there (scaled)."
    ),
)
