"""Recorded answers -> labels: a folder of tasks and a file of answers, no model and no run.

An answer is one JSON object a line: `task_id`, `tool_calls [{name, arguments, ran}]`, `answer`, and
an `id` of one's own, which is kept. A call with `"ran": false` was refused and brought nothing; an
answer that was submitted is a call of `submit`, the only one. A line that cannot be read, or names
no known task, costs only itself and is named. Labels need the tasks, not the tools: a folder
without `tools.json` will do.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.toolfail.findings import Rule, classify
from agentdyno_bench.toolfail.findings.submitted_rule import read_submission
from agentdyno_bench.toolfail.records import (
    SUBMIT,
    ExecutedCall,
    FailureLabel,
    Labelled,
    ToolAnswer,
)
from agentdyno_bench.toolfail.studies.labels import build_label
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task_suites import Turns


class BadAnswer(Struct, frozen=True):
    """A line that got no label."""

    line: int
    reason: str
    """What was expected and what was found."""


class Classified(Struct, frozen=True):
    """All labels of a file."""

    labels: list[FailureLabel]
    """In the order of the lines."""
    rows: list[Labelled]
    """The same with what tables need."""
    bad: list[BadAnswer]
    """Lines without a label."""
    ids: list[str | int | None]
    """The answers' own ids, one for each label; None where a line has none."""


class _Call(Struct):
    name: str
    arguments: Any = None
    ran: bool = True


class _Line(Struct):
    task_id: str
    id: str | int | None = None
    tool_calls: list[_Call] | None = None
    answer: str | None = None


_DECODER = msgspec.json.Decoder(_Line)


def classify_answers(
    tasks: Path | None,
    answers: Path,
    rule: Rule,
    turns: Turns = "multi",
    published: Path | None = None,
) -> Classified:
    """Labels every answer of the file."""
    suite = load_suite(tasks, turns, published, tools_needed=False)
    by_id = {task.task_id: task for task in suite.tasks}
    out = Classified([], [], [], [])
    for number, text in _lines(answers):
        try:
            answer_id, answer = _read(text)
            task = by_id[answer.task_id]
        except msgspec.MsgspecError as error:
            out.bad.append(BadAnswer(number, f"expected an answer, found {printable(str(error))}"))
        except UnicodeDecodeError:
            out.bad.append(BadAnswer(number, "expected an answer, found text that is not UTF-8"))
        except KeyError as error:
            key = printable(str(error.args[0]))
            out.bad.append(BadAnswer(number, f"expected a task_id of the suite, found {key}"))
        else:
            tools = suite.tools.get(task.domain, ())
            label = classify(rule, task, answer, tools, suite.field_names)
            out.labels.append(label)
            out.ids.append(answer_id)
            out.rows.append(build_label(task, answer, label))
    if not out.labels:
        why = f" Line {out.bad[0].line}: {out.bad[0].reason}." if out.bad else ""
        raise InputError(f"{answers}: expected answers to tasks of {suite.name}, found none.{why}")
    return out


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, line


def _read(text: bytes) -> tuple[str | int | None, ToolAnswer]:
    line = _DECODER.decode(text)
    calls = [call for call in line.tool_calls or () if call.name != SUBMIT]
    submits = [call for call in line.tool_calls or () if call.name == SUBMIT and call.ran]
    submission = read_submission(submits[0].arguments) if len(submits) == 1 else None
    return line.id, ToolAnswer(
        task_id=line.task_id,
        calls=tuple(ExecutedCall(call.name, call.arguments) for call in calls if call.ran),
        answer=line.answer or "",
        refused=tuple(ExecutedCall(call.name, call.arguments) for call in calls if not call.ran),
        submission=submission,
        unsubmitted=submission is None and any(c.name == SUBMIT for c in line.tool_calls or ()),
    )
