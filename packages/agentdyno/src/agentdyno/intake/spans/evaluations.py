"""Evaluation results on spans as a trajectory's score.

Of several evaluations the one that judges the whole task is taken; when none does by its name and
there is more than one, which of them would be the mark is anybody's guess, so there is none.
"""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from agentdyno.intake.spans.span import Span

EVALUATION = "gen_ai.evaluation."
ANNOTATION = re.compile(
    r"((?:trace\.|session\.)?(?:annotations\.\d{1,9}\.annotation|evaluations\.\d{1,9}\.evaluation))"
    r"\.(name|score|label)"
)
"""OpenInference's names for feedback on a span, a trace or a session, and what it says."""
_OF_THE_TASK = (
    "correctness", "correct", "accuracy", "success", "task_completion", "task_success",
    "goal_accuracy", "reward", "score", "pass",
)  # fmt: skip
_GOOD = {"pass", "passed", "correct", "true", "success", "succeeded", "yes"}
_BAD = {"fail", "failed", "incorrect", "false", "failure", "no", "wrong"}


class Mark(Struct, frozen=True, gc=False):
    name: str
    score: float | None
    label: str | None

    @property
    def correct(self) -> bool | None:
        """The verdict of the label or, without one, of a score of exactly 0 or 1."""
        if self.label is not None:
            word = self.label.lower()
            return True if word in _GOOD else False if word in _BAD else None
        return bool(self.score) if self.score in (0, 1) else None


def is_mark(name: str) -> bool:
    """True when an attribute of that name belongs to an evaluation."""
    return name.startswith(EVALUATION) or ANNOTATION.fullmatch(name) is not None


def marks_on(span: Span) -> list[Mark]:
    """The evaluations noted on a span, as events or as attributes."""
    bodies = [e.body for e in span.events if e.name.startswith(EVALUATION)]
    if any(key.startswith(EVALUATION) for key in span.attributes):
        bodies.append(span.attributes)
    return [mark for body in bodies + _annotations(span) if (mark := _mark(body)) is not None]


def _annotations(span: Span) -> list[dict[str, Any]]:
    annotations: dict[str, dict[str, Any]] = {}
    for key, value in span.attributes.items():
        if named := ANNOTATION.fullmatch(key):
            field = "name" if named[2] == "name" else f"score.{_FIELDS[named[2]]}"
            annotations.setdefault(named[1], {})[EVALUATION + field] = value
    return list(annotations.values())


_FIELDS = {"score": "value", "label": "label"}


def _mark(body: dict[str, Any]) -> Mark | None:
    value = body.get("gen_ai.evaluation.score.value", body.get("gen_ai.evaluation.score"))
    score = float(value) if isinstance(value, int | float) else None
    label = body.get("gen_ai.evaluation.score.label")
    label = label if isinstance(label, str) and label else None
    if score is None and label is None:
        return None
    name = str(body.get("gen_ai.evaluation.name") or "")
    return Mark(name, score, label)


def mark_of(marks: Iterable[Mark]) -> Mark | None:
    distinct = list(dict.fromkeys(marks))
    for name in _OF_THE_TASK:
        for mark in distinct:
            if mark.name.lower().replace(" ", "_") == name:
                return mark
    return distinct[0] if len(distinct) == 1 else None
