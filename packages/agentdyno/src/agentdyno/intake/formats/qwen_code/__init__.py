"""Qwen Code: chat files, and those of its sub-agents."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.qwen_code.detect import detect

FORMAT = Format(
    name="qwen_code",
    title="Qwen Code sessions (chats/*.jsonl), sub-agents included",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.qwen_code.read"),
    description=(
        "Read: tokens per response with cache reads and thoughts, times of model calls and time "
        "to the first token (telemetry lines), calls, results, errors, times of tools that ran "
        "without asking, compressions, rewinds, branches, sub-agents. Calls that only telemetry "
        "knows (a compression's, a sub-agent's without a file) count without text. Missing: the "
        "system prompt and tool schemas (hidden prompt), cache writes, prices. Where a server "
        "reports no thoughts, the agent's own estimate of them is used."
    ),
)
