"""Codex: rollout-trace bundles (CODEX_ROLLOUT_TRACE_ROOT)."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.97 for the events of a bundle."""
    return 0.97 if any(map(_is_event, head.lines[:5])) else 0.0


def _is_event(line: Any) -> bool:
    if not isinstance(line, dict) or not line.keys() >= {"seq", "rollout_id", "payload"}:
        return False
    return isinstance(line["payload"], dict) and "type" in line["payload"]


FORMAT = Format(
    name="codex_trace",
    title="Codex rollout-trace bundles (trace.jsonl with payloads/)",
    detect=detect,
    has_real_file=False,
    read=reader_in("agentdyno.intake.formats.codex_trace.read"),
    description=(
        "Read: every request in full (instructions, tool schemas, items), responses, tokens with "
        "cache reads, cache writes and reasoning, response ids, times of responses and tools, "
        "failed and cancelled calls, compactions, sub-agents. Nothing of the prompt is hidden. "
        "Missing: prices. The rollout file of the same session has no response ids: measure one of "
        "the two, or its responses count twice."
    ),
)
