"""Codex: rollout files of sessions, forks and sub-agents, and the event stream of `codex exec`."""

from typing import Any

from agentdyno.intake.format import Format, follower_in, reader_in, scanner_in
from agentdyno.intake.head import Head
from agentdyno_daily.formats.codex.wire import EXEC_TYPES

_LINE_KEYS = {"timestamp", "type", "payload", "ordinal", "metadata"}
_PAYLOADS = {"session_meta", "turn_context", "compacted", "response_item", "event_msg"}
_ITEMS = {"message", "reasoning", "function_call", "function_call_output", "local_shell_call"}


def detect(head: Head) -> float:
    """0.97 for a line that only Codex writes, 0.9 for one of the oldest files."""
    if any(map(_is_rollout_line, head.lines)) or _is_exec_stream(head.lines):
        return 0.97
    if not head.lines and head.keys >= {"timestamp", "type", "payload"}:
        return 0.9 if b'"session_meta"' in head.data[:400] else 0.0
    return 0.9 if _is_oldest(head.lines) else 0.0


def _is_rollout_line(line: Any) -> bool:
    if not isinstance(line, dict) or not line.keys() <= _LINE_KEYS:
        return False
    kind, payload = line.get("type"), line.get("payload")
    if not isinstance(kind, str) or kind not in _PAYLOADS or not isinstance(payload, dict):
        return False
    if kind == "session_meta":
        return "id" in payload
    if kind == "turn_context":
        return "model" in payload or "cwd" in payload
    return kind == "compacted" or isinstance(payload.get("type"), str)


def _is_exec_stream(lines: list[Any]) -> bool:
    first = next((line for line in lines if isinstance(line, dict)), None)
    if first is None or first.get("type") != "thread.started":
        return False
    kinds = [line.get("type") for line in lines if isinstance(line, dict)]
    return isinstance(first.get("thread_id"), str) and all(
        isinstance(kind, str) and (kind in EXEC_TYPES or kind == "error") for kind in kinds
    )


def _is_oldest(lines: list[Any]) -> bool:
    """Until September 2025: a line about the session, then bare items."""
    if len(lines) < 2 or not all(isinstance(line, dict) for line in lines[:3]):
        return False
    if not {"id", "timestamp", "instructions"} <= lines[0].keys() or "type" in lines[0]:
        return False
    return any(
        "record_type" in line or (line.get("type") in _ITEMS and "payload" not in line)
        for line in lines[1:3]
    )


FORMAT = Format(
    name="codex",
    title="Codex sessions (rollout JSONL, also .zst) and `codex exec --json` streams",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.codex.read"),
    follow=follower_in("agentdyno_daily.formats.codex.read", "RolloutReader"),
    totals=scanner_in("agentdyno_daily.formats.codex.totals"),
    description=(
        "Read: tokens per response with cache reads, cache writes and reasoning (differences of "
        "the running total), calls, results, exit codes, tool times where the output or an event "
        "states them, compactions, rollbacks, sub-agents. What a fork or a sub-agent copies from "
        "its parent is context, not usage. Missing: tool schemas (only dynamic tools are "
        "recorded), response ids, prices. Hidden prompt is therefore the rest of the reported "
        "input; responses without a count are counted from their text. An exec stream has one "
        "count for each user turn: its model calls are one turn."
    ),
    version=5,
)
