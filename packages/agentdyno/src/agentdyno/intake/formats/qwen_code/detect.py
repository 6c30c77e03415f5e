"""Recognises chat files of Qwen Code."""

from typing import Any

from agentdyno.intake.head import Head

_KINDS = {"user", "assistant", "tool_result", "system"}


def detect(head: Head) -> float:
    """0.98 for a record that only Qwen Code writes; Claude Code's have the same envelope."""
    return 0.98 if any(map(_is_record, head.lines)) else 0.0


def _is_record(line: Any) -> bool:
    if not isinstance(line, dict) or not {"uuid", "parentUuid", "sessionId"} <= line.keys():
        return False
    kind, message = line.get("type"), line.get("message")
    if not isinstance(kind, str) or kind not in _KINDS:
        return False
    if isinstance(message, dict):
        return "parts" in message and "content" not in message
    return kind == "system" and "subtype" in line and "systemPayload" in line
