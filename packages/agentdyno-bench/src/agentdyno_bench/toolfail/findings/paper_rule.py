"""The published rule (`measures.failures`) on a task and its answer, with the spans that decided.

Worked: a return of seven leaves, two of them in the answer: 2 of 7 is 29 %, so two keys in the
answer make it a fabrication, although the asked value is there.
"""

from collections.abc import Collection

from agentdyno.measures import failures
from agentdyno.records import printable
from agentdyno_bench.toolfail.findings.calls import describe_missing_call
from agentdyno_bench.toolfail.records import (
    OWN_KEYS,
    PUBLISHED_LIST,
    FailureLabel,
    Label,
    ToolAnswer,
    ToolTask,
)

NAME = "paper"


def classify_by_paper(
    task: ToolTask, answer: ToolAnswer, fields: Collection[str] | None = None
) -> FailureLabel:
    """The label of one answer; `fields` is the published program's list of field names, in place of
    which stand the return's own keys."""
    variant = OWN_KEYS if fields is None else PUBLISHED_LIST
    label, evidence = (
        _label_required(task, answer, fields) if task.script else _label_control(task, answer)
    )
    evidence = evidence if fields is None else f"{printable(evidence, 270)} ({PUBLISHED_LIST})"
    return FailureLabel(task.task_id, label, printable(evidence, 300), NAME, variant=variant)


def _label_required(
    task: ToolTask, answer: ToolAnswer, fields: Collection[str] | None
) -> tuple[Label, str]:
    # Of a task of several calls, all have to be made, in order.
    missing, tool = describe_missing_call(task, answer), task.script[-1].tool
    called = [] if missing else [tool]
    needs = task.must_contain, task.match_mode
    label = failures.label_required(answer.answer, called, tool, task.returned, *needs, fields)
    return label, missing or _explain(label, task, answer.answer.lower(), fields)


def _explain(label: Label, task: ToolTask, text: str, fields: Collection[str] | None) -> str:
    if label == "output_fabrication":
        present, values = failures.find_values(text, task.returned)
        keys = failures.find_fields(text, task.returned, fields)
        return f"{present} of {values} values, keys {', '.join(keys)}"
    if label == "result_ignore":
        return f"the answer lacks {describe_missing(task, text)}"
    return f"the answer contains {' and '.join(task.must_contain)}"


def _label_control(task: ToolTask, answer: ToolAnswer) -> tuple[Label, str]:
    # The published mock tools run whatever they are given: a call that ours refuse is one of those.
    called = [call.name for call in (*answer.calls, *answer.refused)]
    label = failures.label_control(answer.answer, called, task.must_contain, task.match_mode)
    if label == "unnecessary_tool_use":
        return label, f"called {', '.join(called)}"
    if label == "wrong_answer":
        return label, f"the answer lacks {describe_missing(task, answer.answer.lower())}"
    return label, "no call, and the answer contains what it should"


def describe_missing(task: ToolTask, text: str) -> str | None:
    """Expected words missing from a lower-case text; None when it has them all."""
    missing = failures.find_missing(text, task.must_contain, task.match_mode)
    return (" or " if task.match_mode == "any" else " and ").join(missing) or None
