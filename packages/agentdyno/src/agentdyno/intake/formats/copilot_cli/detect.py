"""Recognises event logs of Copilot CLI."""

from typing import Any

from agentdyno.intake.head import Head

_KEYS = {"type", "data", "id", "timestamp", "parentId", "agentId", "ephemeral"}
_TYPES = {
    "session.start", "session.resume", "session.model_change", "session.usage_record",
    "session.shutdown", "user.message", "assistant.message", "assistant.turn_start",
    "tool.execution_start", "tool.execution_complete", "hook.start", "system.message",
}  # fmt: skip


def detect(head: Head) -> float:
    """0.97 where the session's first event is seen, 0.9 for another of its events."""
    events = [line for line in head.lines if _is_event(line)]
    if any(_is_start(event) for event in events):
        return 0.97
    return 0.9 if len(events) > 1 else 0.0


def _is_event(line: Any) -> bool:
    if not isinstance(line, dict) or not line.keys() <= _KEYS:
        return False
    kind = line.get("type")
    return isinstance(kind, str) and kind in _TYPES and isinstance(line.get("data"), dict)


def _is_start(event: dict[str, Any]) -> bool:
    return event["type"] == "session.start" and "sessionId" in event["data"]
