"""Transcripts of any agent: one JSON object a line with a task id, calls and an answer.

    {"task_id": "hard-001", "calls": [{"tool": "mail_list_inbox", "arguments": {}}], "answer": "…"}

Where the user answers back, `answers` lists the answer to each of his messages.

Calls may be written as common APIs write them: `name` or `function` for the tool, arguments as an
object or as JSON text, `function: {name, arguments}`. A line that cannot be read is a problem with
its number, and the others are marked.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.tps.outcomes.marking import Asked

LONGEST_ANSWER = 200_000
"""Characters of an answer that are read; more is no answer."""
MOST_ANSWERS = 20
"""Answers of one transcript that are read."""
MOST_CALLS = 2_000
"""Calls of one transcript that are made again."""


class Transcript(Struct, frozen=True):
    """One attempt."""

    line: int
    """Its line in the file."""
    task_id: str
    """The task."""
    calls: list[Asked]
    """What was called, in order."""
    answers: list[str]
    """The answer to each message of the user; only one for most tasks."""


class Unread(Struct, frozen=True):
    """A line that is no transcript."""

    line: int
    """Its number."""
    problem: str
    """What was expected and what was found."""


def read_transcripts(path: Path) -> Iterator[Transcript | Unread]:
    """Every line of a file, read or not."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _read(number, line)
    except OSError as error:
        raise InputError(
            f"{path}: expected a file of transcripts, found {error.strerror}."
        ) from None


def _read(number: int, line: bytes) -> Transcript | Unread:
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return Unread(number, f"expected a JSON object, found {printable(str(error), 80)}")
    if not isinstance(found, dict) or not isinstance(found.get("task_id"), str):
        return Unread(number, "expected an object with task_id, calls and answer")
    calls = found.get("calls", [])
    if not isinstance(calls, list) or len(calls) > MOST_CALLS:
        return Unread(number, f"expected calls as a list of at most {MOST_CALLS}")
    read = [_call(call) for call in calls]
    if any(call is None for call in read):
        return Unread(number, "expected every call with a tool and arguments")
    answers = found.get("answers", [found.get("answer")])
    texts = [a[:LONGEST_ANSWER] if isinstance(a, str) else "" for a in _listed(answers)]
    return Transcript(number, found["task_id"], [call for call in read if call], texts)


def _listed(answers: Any) -> list[Any]:
    return answers[:MOST_ANSWERS] if isinstance(answers, list) else [answers]


def _call(found: Any) -> Asked | None:
    if not isinstance(found, dict):
        return None
    inner = found.get("function")
    if isinstance(inner, dict):
        found = inner
    name = found.get("tool") or found.get("name") or found.get("function")
    arguments = found.get("arguments", found.get("input", {}))
    if isinstance(arguments, str):
        try:
            arguments = msgspec.json.decode(arguments)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            arguments = {}
    if not isinstance(name, str):
        return None
    return Asked(name, arguments if isinstance(arguments, dict) else {})
