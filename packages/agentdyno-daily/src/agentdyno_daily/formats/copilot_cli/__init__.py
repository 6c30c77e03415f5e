"""GitHub Copilot CLI: the event log of a session, with its sub-agents."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
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


FORMAT = Format(
    name="copilot_cli",
    title="GitHub Copilot CLI sessions (events.jsonl), sub-agents included",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.copilot_cli.read"),
    version=3,
    description=(
        "Read: with usage records (from about 1.0.9x) tokens per response with cache reads, cache "
        "writes and reasoning, the size of all tool schemas, time to the first token, AI credits "
        "as money (1 credit = $0.01), tool times, exit codes, compactions, sub-agents. Missing: "
        "the text of schemas and mostly of the system prompt, which is hidden prompt. Older "
        "versions report totals only when a session ends: input is then shared out over its "
        "responses by the size of their visible context and marked as estimated, though the sum "
        "is exact; a session that did not end properly is counted from its text."
    ),
)
