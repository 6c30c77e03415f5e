"""Anthropic Messages: lists of messages, and logs of requests with their responses."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.anthropic_messages.detect import detect, one_per_line

FORMAT = Format(
    name="anthropic_messages",
    title="Anthropic Messages: message lists or request/response logs (JSON, JSONL)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.anthropic_messages.read"),
    by_line=one_per_line,
    description=(
        "Read: messages, calls, results, errors, schemas, system prompt, tokens with cache reads, "
        "cache writes by lifetime and thinking where a response has them; in a log of requests, "
        "which belong to one conversation, retries, response ids, costs and latency. Missing: in "
        "plain lists of messages, tokens (estimated from the texts) and times."
    ),
)
