"""Gemini CLI: session files, JSONL with patch records or one JSON document."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.gemini_cli.detect import detect

FORMAT = Format(
    name="gemini_cli",
    title="Gemini CLI sessions (session-*.jsonl, older session-*.json), sub-agents included",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.gemini_cli.read"),
    description=(
        "Read: tokens per response with cache reads and thoughts, calls, results, errors, "
        "rewinds and compressions (what they remove from the context was paid for), sub-agents. "
        "Missing: the system prompt and tool schemas (hidden prompt), prices, times of model "
        "calls and tools (only when a message was recorded), the call that writes a compression. "
        "Tool output is cut at 50 KB by the agent. A response without counts is counted from its "
        "text."
    ),
)
