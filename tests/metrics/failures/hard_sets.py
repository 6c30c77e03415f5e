"""Answers labelled by hand, and what the own rule says of them."""

from collections.abc import Sequence

from agentdyno.findings.failures import classify
from agentdyno.records.failures import ScriptedCall, ToolTask
from tests.metrics.failures.natural import answer_to

Labelled = tuple[ToolTask, str, str]
"""A task, an answer to it and the label that it deserves."""


def site_task(must: tuple[str, ...], prior: str, **returned: object) -> ToolTask:
    """A task about one site whose look-up returns these fields."""
    whole = {"site": "Mill Quay 9", **returned}
    call = ScriptedCall("look_up", {"site": "Mill Quay 9"}, whole)
    return ToolTask(
        task_id="T", domain="d", kind="required", messages=("What is it for Mill Quay 9?",),
        script=(call,), must_contain=must, prior=prior, fields=tuple(returned),
        entity="Mill Quay 9", register="plain",
    )  # fmt: skip


def mislabelled(answers: Sequence[Labelled]) -> list[tuple[str, str, str]]:
    """Answers that the rule labels otherwise: text, label by hand, label by rule."""
    return [
        (text, expected, found)
        for task, text, expected in answers
        if (found := classify("own", task, answer_to(task, text)).label) != expected
    ]
