"""OpenAI chat completions: lists of messages, and logs of requests with their responses."""

from agentdyno.intake.format import Format
from agentdyno.intake.formats.openai_chat.detect import detect, one_per_line
from agentdyno.intake.formats.openai_chat.read import read

FORMAT = Format(
    name="openai_chat",
    title="OpenAI chat completions: message lists or request/response logs (JSON, JSONL)",
    detect=detect,
    read=read,
    by_line=one_per_line,
)
