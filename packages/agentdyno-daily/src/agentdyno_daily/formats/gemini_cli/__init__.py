"""Gemini CLI: session files, JSONL with patch records or one JSON document."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.97 for a session's own line or document, 0.9 where only its first keys can be seen."""
    first = head.first if isinstance(head.first, dict) else None
    if first is not None and _is_session(first):
        return 0.97
    if any(_is_session(line) for line in head.lines[:3] if isinstance(line, dict)):
        return 0.97
    is_cut = first is None and not head.is_list and not head.lines
    return 0.9 if is_cut and {"sessionId", "projectHash", "startTime"} <= head.keys else 0.0


def _is_session(value: dict[str, Any]) -> bool:
    if not isinstance(value.get("sessionId"), str) or "projectHash" not in value:
        return False
    return "startTime" in value or isinstance(value.get("messages"), list)


FORMAT = Format(
    name="gemini_cli",
    title="Gemini CLI sessions (session-*.jsonl, older session-*.json), sub-agents included",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.gemini_cli.read"),
    version=2,
    description=(
        "Read: tokens per response with cache reads and thoughts, calls, results, errors, "
        "rewinds and compressions (what they remove from the context was paid for), sub-agents. "
        "Missing: the system prompt and tool schemas (hidden prompt), prices, times of model "
        "calls and tools (only when a message was recorded), the call that writes a compression. "
        "Tool output is cut at 50 KB by the agent. A response without counts is counted from its "
        "text."
    ),
)
