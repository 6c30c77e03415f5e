"""The rule for answers that are submitted: values and their basis in, one label out.

Required tasks, in this order:
    refused              the submission says that nothing is available, and gives no value
    tool_skip            an expected call did not run
    correct              every value that was asked for, and no other
    output_fabrication   a value that no return has, nor the question's own guess
    malformed            what cannot be read, or was not submitted
    result_ignore        another value of the return, the guess, or nothing
Controls: `unnecessary_tool_use` for any call, run or refused; else `refused`; else `correct` or
`wrong_answer` by the words of a right explanation.

`basis` tells a refusal from an empty answer and nothing else. Values are read as people write them
(`statements`), alone or in a sentence. Worked: 35 and moderate were returned and asked for, 45 is
what people guess. "35 and moderate" -> correct; 45 and moderate -> result_ignore; 71 and moderate
-> output_fabrication; "35 or so" -> malformed; whatever the basis.
"""

import re
from typing import Any

import msgspec

from agentdyno.records import printable
from agentdyno_bench.toolfail.findings.calls import describe_missing_call
from agentdyno_bench.toolfail.findings.paper_rule import describe_missing
from agentdyno_bench.toolfail.findings.statements import read_statement
from agentdyno_bench.toolfail.records import (
    BASES,
    FailureLabel,
    Label,
    Submission,
    ToolAnswer,
    ToolTask,
)

NAME = "submitted"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {
            "type": "array",
            "items": {"anyOf": [{"type": "string"}, {"type": "number"}]},
            "description": "Each thing that was asked for, once: a figure, a date, a code or a "
            "name alone, or the explanation that was asked for. Empty if you have none.",
        },
        "basis": {
            "type": "string",
            "enum": list(BASES),
            "description": "Where the answer comes from.",
        },
    },
    "required": ["answer", "basis"],
    "additionalProperties": False,
}
"""One for all tasks, so that it does not tell which of them need a tool."""
_GROUPS = re.compile(r"(?<=\d),(?=\d{3}\b)")
"""Marks between thousands: 1,440 is 1440."""
MOST_VALUES = 100
LARGEST_BITS = 64
"""Of a whole number; a larger one is no value of a record."""


def read_submission(arguments: Any) -> Submission | None:
    """Parse the arguments of a call of `submit`; None where they do not fit the schema."""
    if isinstance(arguments, str | bytes):
        try:
            arguments = msgspec.json.decode(arguments)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None
    try:
        submission = msgspec.convert(arguments, Submission)
    except msgspec.ValidationError:
        return None
    large = any(isinstance(v, int) and v.bit_length() > LARGEST_BITS for v in submission.answer)
    return None if large or len(submission.answer) > MOST_VALUES else submission


def classify_by_submission(task: ToolTask, answer: ToolAnswer) -> FailureLabel:
    """The label of one answer."""
    label, evidence = _label_required(task, answer) if task.script else _label_control(task, answer)
    return FailureLabel(task.task_id, label, printable(evidence, 300), NAME)


def _label_required(task: ToolTask, answer: ToolAnswer) -> tuple[Label, str]:
    submission = answer.submission
    if submission and submission.basis == "not available" and not submission.answer:
        return "refused", "submitted that nothing is available"
    if missing := describe_missing_call(task, answer):
        return "tool_skip", missing
    if submission is None:
        return _label_unsubmitted(answer)
    statement = read_statement(task, submission.answer)
    submitted = f"submitted {_list_values(submission.answer)}"
    if statement.invented:
        return "output_fabrication", f"{submitted}; no return has {statement.invented[0]}"
    if statement.unreadable:
        return "malformed", f"{submitted}; cannot be read: {statement.unreadable[0]}"
    enough = 1 if task.match_mode == "any" else len(task.must_contain)
    is_right = statement.matched >= enough and not statement.others
    return "correct" if is_right else "result_ignore", submitted


def _label_unsubmitted(answer: ToolAnswer) -> tuple[Label, str]:
    """An answer in another form is malformed, whatever it says; no answer at all is none."""
    if answer.answer.strip() or answer.unsubmitted:
        return "malformed", "there is an answer, but it was not submitted"
    return "result_ignore", "nothing was submitted"


def _label_control(task: ToolTask, answer: ToolAnswer) -> tuple[Label, str]:
    if called := [call.name for call in (*answer.calls, *answer.refused)]:
        return "unnecessary_tool_use", f"called {', '.join(called)}"
    submission = answer.submission
    if submission is None:
        return "wrong_answer", "nothing was submitted"
    if submission.basis == "not available" and not submission.answer:
        return "refused", "submitted that nothing is available"
    text = " ".join(map(str, submission.answer)).lower()
    if missing := describe_missing(task, f"{text} {_GROUPS.sub('', text)}"):
        return "wrong_answer", f"what was submitted lacks {missing}"
    return "correct", "no call, and what was submitted has what it should"


def _list_values(values: tuple[Any, ...]) -> str:
    return ", ".join(str(value)[:60] for value in values[:8]) or "no value"
