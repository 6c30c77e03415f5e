"""Transcripts of any agent: one JSON object a line with a task id, calls and what was submitted.

    {"task_id": "hard-001", "calls": [{"tool": "mail_list_inbox", "arguments": {}, "ran": true}],
     "answer": {"price": 49.17, "name": "Chez Odette"}}

What a submission has to hold, `agentdyno world submit TASK` says. Where the user answers back,
`answers` lists the submission to each of his messages. A submission may also stand among the calls,
as the last one, a call of `submit` (tasks with one message).

A file that `agentdyno world serve --record` wrote is read as well: its lines name an attempt, and
those of one attempt are one transcript.

A call counts as run when it says `"ran": true`, or has a `result` that is not null and does not say
`"ran": false`. One that says neither was only written, and brings nothing.

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
from agentdyno_bench.tps.outcomes.marking import RequestedCall
from agentdyno_bench.tps.outcomes.submission import LONGEST_ANSWER, SUBMIT, write_answer

MOST_ANSWERS = 20
"""Answers of one transcript that are read."""
MOST_CALLS = 2_000
"""Calls of one transcript that are made again."""


class Transcript(Struct, frozen=True):
    """One attempt."""

    line: int
    """Its line in the file."""
    task_id: str
    calls: list[RequestedCall]
    """What was called, in order."""
    answers: list[str]
    """The answer to each message of the user, as JSON or in prose; one for most tasks."""


class Unread(Struct, frozen=True):
    """A line that is no transcript."""

    line: int
    problem: str
    """What was expected and what was found."""


def read_transcripts(path: Path) -> Iterator[Transcript | Unread]:
    """Every transcript of a file, read or not, in the order in which they begin."""
    served = dict[str, _Served]()
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip() and not _take_served(served, number, line):
                    yield _read(number, line)
    except OSError as error:
        raise InputError(
            f"{path}: expected a file of transcripts, found {error.strerror}."
        ) from None

    yield from (_read_fields(attempt.line, attempt.fields) for attempt in served.values())


class _Served(Struct):
    """An attempt at a task that we served, as far as its log was read."""

    line: int
    fields: dict[str, Any]


def _take_served(attempts: dict[str, _Served], number: int, line: bytes) -> bool:
    """Adds a line of a served task's log to its attempt; False for a line that is none."""
    try:
        event = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    if not isinstance(event, dict) or not isinstance(event.get("attempt"), str):
        return False
    if "task_id" in event:
        empty = {"task_id": event["task_id"], "calls": [], "answers": []}
        attempts.setdefault(event["attempt"], _Served(number, empty))
        return True
    attempt = attempts.get(event["attempt"])
    if attempt is None:
        return False
    if "submitted" in event:
        attempt.fields["answers"].append(event["submitted"])
    elif event.get("tool") != SUBMIT:
        attempt.fields["calls"].append(event)
    return True


def _read(number: int, line: bytes) -> Transcript | Unread:
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return Unread(number, f"expected a JSON object, found {printable(str(error), 80)}")
    return _read_fields(number, record)


def _read_fields(number: int, record: Any) -> Transcript | Unread:
    if not isinstance(record, dict) or not isinstance(record.get("task_id"), str):
        return Unread(number, "expected an object with task_id, calls and answer")
    calls = record.get("calls", [])
    if not isinstance(calls, list) or len(calls) > MOST_CALLS:
        return Unread(number, f"expected calls as a list of at most {MOST_CALLS}")
    read = [_call(call) for call in calls]
    if any(call is None for call in read):
        return Unread(number, "expected every call with a tool and arguments")
    written = [call for call in read if call]
    answers = record.get("answers", [record.get("answer", _submitted(written))])
    texts = [_text(answer)[:LONGEST_ANSWER] for answer in _listed(answers)]
    tool_calls = [call for call in written if call.tool != SUBMIT]
    return Transcript(number, record["task_id"], tool_calls, texts)


def _submitted(calls: list[RequestedCall]) -> Any:
    """The submission of the last call, where it is the only one that submits."""
    handed_in = [call for call in calls if call.tool == SUBMIT]
    is_last = len(handed_in) == 1 and calls[-1] is handed_in[0] and handed_in[0].ran
    return handed_in[0].arguments if is_last else None


def _listed(answers: Any) -> list[Any]:
    return answers[:MOST_ANSWERS] if isinstance(answers, list) else [answers]


def _text(answer: Any) -> str:
    if answer is None:
        return ""
    return answer if isinstance(answer, str) else write_answer(answer)


def _call(record: Any) -> RequestedCall | None:
    if not isinstance(record, dict):
        return None
    ran = record.get("ran")
    has_run = ran is True or (ran is not False and record.get("result") is not None)
    inner = record.get("function")
    if isinstance(inner, dict):
        record = inner
    name = record.get("tool") or record.get("name") or record.get("function")
    arguments = record.get("arguments", record.get("input", {}))
    if isinstance(arguments, str):
        try:
            arguments = msgspec.json.decode(arguments)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return RequestedCall(str(name), {}, ran=False) if isinstance(name, str) else None
    if not isinstance(name, str):
        return None
    is_object = isinstance(arguments, dict)
    return RequestedCall(name, arguments if is_object else {}, has_run and is_object)
