"""Cursor: transcripts of its agent."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_KEYS = {"id", "message", "role", "timestamp", "type"}


def detect(head: Head) -> float:
    """0.9 for lines of a role and a message, and nothing else."""
    lines = [line for line in head.lines if isinstance(line, dict)]
    talk = [line for line in lines if "role" in line]
    is_sound = all(line.keys() <= _KEYS and _is_message(line) for line in talk)
    if not talk or not is_sound or any("message" in line and "role" not in line for line in lines):
        return 0.0
    return 0.9 if any(line["role"] in ("user", "assistant") for line in talk) else 0.0


def _is_message(line: dict[str, Any]) -> bool:
    message = line.get("message")
    return isinstance(message, dict) and "content" in message and "role" not in message


FORMAT = Format(
    name="cursor",
    title="Cursor agent transcripts (JSONL)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.cursor.read"),
    description=(
        "Missing: "
        "tokens (counted from the texts, so without the hidden prompt), prices, times, most models "
        "and most results of tools"
    ),
)
