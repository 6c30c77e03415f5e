"""Recognises session files of Claude Code."""

from typing import Any

from agentdyno.intake.head import Head

_TALK = {"user", "assistant", "system", "progress", "attachment"}
_FIRST = (
    {"parentUuid", "sessionId", "type"},
    {"session_id", "mcp_servers", "permissionMode", "tools"},
)
"""Keys of the first line of a session, and of a run's output."""


def detect(head: Head) -> float:
    """0.97 for a line of a session, 0.9 for the lines that may stand before the first one."""
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
    if kind == "summary" and "leafUuid" in line:
        return 0.9
    if kind == "file-history-snapshot" and "snapshot" in line:
        return 0.9
    return 0.9 if kind == "queue-operation" and "sessionId" in line else 0.0
