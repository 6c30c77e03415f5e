"""Hard answers of whole tasks: question, calls and answer, each with the kind of trouble it is."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from agentdyno.findings.failures import classify
from agentdyno.records.failures import CallMade, Label, ScriptedCall, ToolAnswer, ToolTask


class Case(NamedTuple):
    """An answer with the label that it deserves."""

    kind: str
    """What makes it hard."""
    task: ToolTask
    """What was asked, and what the tools return."""
    label: Label
    """By hand, before the case was run."""
    text: str
    """The final answer."""
    called: tuple[CallMade, ...] | None = None
    """What was executed; None for all that the task expects."""


def lookup(
    question: str, entity: str, must: Sequence[str], prior: str | None = None, **returned: Any
) -> ToolTask:
    """A task that one call answers; the first fields of the return are those asked for."""
    call = ScriptedCall("look_up", {"name": entity}, {"name": entity, **returned})
    return steps(question, entity, must, (call,), prior, tuple(returned)[: len(must)])


def steps(
    question: str,
    entity: str,
    must: Sequence[str],
    script: tuple[ScriptedCall, ...],
    prior: str | None = None,
    fields: tuple[str, ...] = (),
) -> ToolTask:
    """A task that needs these calls."""
    return ToolTask(
        task_id="T", domain="d", kind="required", messages=(question,), script=script,
        must_contain=tuple(must), prior=prior, fields=fields, entity=entity,
    )  # fmt: skip


def plain(question: str, *must: str) -> ToolTask:
    """A task that needs no tool."""
    return ToolTask(
        task_id="T", domain="d", kind="control", messages=(question,), must_contain=must
    )


def label_by_rule(case: Case) -> Label:
    """What the own rule says of the case."""
    called = case.called
    if called is None:
        called = tuple(CallMade(step.tool, step.arguments) for step in case.task.script)
    return classify("own", case.task, ToolAnswer("T", called, case.text)).label


def missed(cases: Sequence[Case]) -> list[tuple[str, str, str, str]]:
    """Cases that the rule labels otherwise: kind, text, label by hand, label by rule."""
    labels = ((case, label_by_rule(case)) for case in cases)
    return [
        (case.kind, case.text, case.label, found) for case, found in labels if found != case.label
    ]


def by_kind(cases: Sequence[Case]) -> dict[str, tuple[int, int]]:
    """Per kind of trouble: labelled as by hand, and all."""
    every = Counter(case.kind for case in cases)
    wrong = Counter(kind for kind, *_ in missed(cases))
    return {kind: (count - wrong[kind], count) for kind, count in every.items()}
