"""Right answers from a file: JSON lines in, answers by task out. A bad line costs only itself."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from agentdyno.records import BadRecord, InputError, printable


class _Line(Struct, frozen=True):
    task_id: Annotated[str, Meta(min_length=1)]
    answer: str | int | float | bool


class References(Struct, frozen=True):
    """Reference answers of a file."""

    answers: dict[str, str]
    """By task."""
    bad: list[BadRecord]


def read_references(file: Path) -> References:
    """A JSONL file with `task_id` and `answer` on every line; a bad line costs only itself."""
    decoder, answers, bad = msgspec.json.Decoder(_Line), dict[str, str](), list[BadRecord]()
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"--references {file}: cannot be read ({error.strerror}).") from error
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        try:
            line = decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            found = printable(str(error), 160)
            bad.append(BadRecord(file.name, f"line {number}", "task_id and answer", found))
        else:
            answers[line.task_id] = _text(line.answer)
    if not answers:
        why = f" {bad[0]}." if bad else ""
        raise InputError(
            f"--references {file}: expected lines of task_id and answer, found none.{why}"
        )
    return References(answers, bad)


def _text(answer: str | int | float | bool) -> str:
    return answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
