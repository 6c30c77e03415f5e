"""Qwen Code: chat files, and those of its sub-agents."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
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


FORMAT = Format(
    name="qwen_code",
    title="Qwen Code sessions (chats/*.jsonl), sub-agents included",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.qwen_code.read"),
    version=2,
    description=(
        "Read: tokens per response with cache reads and thoughts, times of model calls and time "
        "to the first token (telemetry lines), calls, results, errors, times of tools that ran "
        "without asking, compressions, rewinds, branches, sub-agents. Calls that only telemetry "
        "knows (a compression's, a sub-agent's without a file) count without text. Missing: the "
        "system prompt and tool schemas (hidden prompt), cache writes, prices. Where a server "
        "reports no thoughts, the agent's own estimate of them is used."
    ),
)
