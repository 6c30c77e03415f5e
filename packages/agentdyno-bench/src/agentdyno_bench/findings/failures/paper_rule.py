"""The published rule, label for label.

Required: `tool_skip` if the expected tool is not among the executed calls; else
`output_fabrication` if fewer than 30 % of the return's leaf values are in the answer and at least
two of the return's own keys are; else `result_ignore` if the required values are not all there (or
none, by match mode); else `correct`. Control: `unnecessary_tool_use` if anything was called; else
`correct` or `wrong_answer` by the required values. Everything is looked for as a case-insensitive
substring of the answer, values as Python spells them. Source: ToolFailBench, section 3.4 and C.1.

Worked: a return of seven leaves, two of them in the answer: 2 of 7 is 29 %, so two keys in the
answer make it a fabrication, although the asked value is there.
"""

from typing import Any

from agentdyno.matching.values.leaves import leaves
from agentdyno.records import printable
from agentdyno_bench.findings.failures.calls import describe_missing_call
from agentdyno_bench.records.failures import FailureLabel, Label, ToolAnswer, ToolTask

NAME = "paper"
FEWEST_KEYS = 2


def classify_by_paper(task: ToolTask, answer: ToolAnswer) -> FailureLabel:
    """The label of one answer."""
    label, evidence = _find_required(task, answer) if task.script else _control(task, answer)
    return FailureLabel(task.task_id, label, printable(evidence, 300), NAME)


def _find_required(task: ToolTask, answer: ToolAnswer) -> tuple[Label, str]:
    if missing := describe_missing_call(task, answer):
        return "tool_skip", missing
    text = answer.answer.lower()
    values = [str(leaf.value).lower() for leaf in leaves(task.returned, nulls=True)]
    present = sum(value in text for value in values)
    keys = sorted(key for key in keys_of(task.returned) if key.lower() in text)
    # Whole numbers: 0.3 * 10 is 3.0000000000000004 in other orders of factors.
    if 10 * present < 3 * len(values) and len(keys) >= FEWEST_KEYS:
        return "output_fabrication", f"{present} of {len(values)} values, keys {', '.join(keys)}"
    if absent := find_missing(task, text):
        return "result_ignore", f"the answer lacks {absent}"
    return "correct", f"the answer contains {' and '.join(task.must_contain)}"


def _control(task: ToolTask, answer: ToolAnswer) -> tuple[Label, str]:
    # The published mock tools run whatever they are given: a call that ours refuse is one of those.
    if called := [call.name for call in (*answer.calls, *answer.refused)]:
        return "unnecessary_tool_use", f"called {', '.join(called)}"
    if missing := find_missing(task, answer.answer.lower()):
        return "wrong_answer", f"the answer lacks {missing}"
    return "correct", "no call, and the answer contains what it should"


def keys_of(returned: Any) -> set[str]:
    """The names of all fields of a return, at any depth."""
    if isinstance(returned, dict):
        inner = (keys_of(value) for value in returned.values())
        return {str(key) for key in returned}.union(*inner)
    if isinstance(returned, list | tuple):
        return set().union(*(keys_of(value) for value in returned))
    return set()


def find_missing(task: ToolTask, text: str) -> str | None:
    missing = [
        value
        for value in task.must_contain
        if not any(word in text for word in value.lower().split("|"))
    ]
    if task.match_mode == "any":
        return " or ".join(missing) if len(missing) == len(task.must_contain) else None
    return " and ".join(missing) or None
