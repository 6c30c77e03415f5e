"""Cursor: transcripts of its agent.

Every line of the assistant's is one response: results are mostly not written, so that nothing else
tells them apart. A transcript in a folder `subagents` belongs to the one that the folder above is
named for. The session is known by the file's name.
"""

import re
from pathlib import PurePosixPath
from typing import Any

from agentdyno.intake.format import Source
from agentdyno.intake.head import Head, keep_sound
from agentdyno.intake.shapes import Row, Shape, Talk
from agentdyno.intake.texts import first_line
from agentdyno.records.problems import printable_name

_KEYS = {"id", "message", "role", "timestamp", "type"}
_ASKED = re.compile(r"<user_query>\s*(.+?)\s*</user_query>", re.DOTALL)


def detect(head: Head) -> float:
    """0.9 for lines of a role and a message, and nothing else."""
    lines = [line for line in head.lines if isinstance(line, dict)]
    talk = [line for line in lines if "role" in line or "message" in line]
    sound = keep_sound(talk, lambda line: line.keys() <= _KEYS and _is_message(line))
    return 0.9 if any(line["role"] in ("user", "assistant") for line in sound) else 0.0


def _is_message(line: dict[str, Any]) -> bool:
    message = line.get("message")
    return (
        "role" in line
        and isinstance(message, dict)
        and "content" in message
        and "role" not in message
    )


def _name(source: Source, talk: Talk) -> dict[str, Any]:
    path = PurePosixPath(source.name)
    own = printable_name(path.stem, 80)
    first = next((part.text for part in talk.builder.parts if part.kind == "user"), "")
    asked = _ASKED.search(first)
    named = {"id": own, "title": first_line(asked[1]) if asked else None}
    if path.parent.name != "subagents":
        return named
    folder = path.parent.parent
    starter = printable_name(folder.name, 80)
    parent = f"{folder}/{starter}.jsonl#{starter}"
    return {**named, "session_id": starter, "agent_id": own, "parent_id": parent}


SHAPE = Shape(
    "cursor",
    {
        "user": Row("ask", "message.content"),
        "assistant": Row("answer", "message.content", model="message.model", closes=True),
    },
    kind="role",
    finish=_name,
)
FORMAT = SHAPE.format(
    "Cursor agent transcripts (JSONL)",
    detect,
    has_real_file=False,
    description=(
        "Missing: tokens (counted from the texts, so without the hidden prompt), prices, times, "
        "most models and most results of tools"
    ),
)
