"""OpenAI chat completions: lists of messages, and logs of requests with their responses."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.openai_chat.detect import detect, one_per_line

FORMAT = Format(
    name="openai_chat",
    title="OpenAI chat completions: message lists or request/response logs (JSON, JSONL)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.openai_chat.read"),
    by_line=one_per_line,
    description=(
        "Read: messages, calls, results, schemas, tokens with cache reads and reasoning where a "
        "response or a message has them; in a log of requests, which belong to one conversation, "
        "retries, response ids, costs and latency. Missing: in plain lists of messages, tokens "
        "(counted from the texts) and times; errors of tools are read from their text."
    ),
)
