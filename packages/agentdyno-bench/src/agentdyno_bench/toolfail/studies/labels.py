"""Labels of attempts at tasks whose truth is known: trajectories in, labels by rule out.

An attempt that was offered `submit` is labelled by what it submitted, another one by the published
rule over its last text. Only calls that ran count; a submission counts where it ran alone in its
turn and was the only one after the user's last message.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, structs

from agentdyno.records import Part, Trajectory
from agentdyno_bench.toolfail.findings import Rule, classify
from agentdyno_bench.toolfail.findings.submitted_rule import read_submission
from agentdyno_bench.toolfail.records import (
    SUBMIT,
    ExecutedCall,
    FailureLabel,
    Labelled,
    Submission,
    TaskSuite,
    ToolAnswer,
    ToolTask,
)

UNREADABLE = "the judge's answer could not be read"


class LabelledTrajectory(Struct, frozen=True):
    """One attempt at one task with its labels."""

    trajectory_id: str
    """The trajectory, as the ledger names it."""
    model: str
    task: ToolTask
    answer: ToolAnswer
    """What ran, and what was submitted or written."""
    rule: Rule
    """The rule that labels it: `submitted` where it was offered `submit`, else `paper`."""
    labels: dict[str, FailureLabel | None]
    """By rater: the rule, and judges (None where one is silent) and ensemble, if any."""
    calls: tuple[tuple[int, int], ...]
    """Turn and place of each executed call."""

    @property
    def by_rule(self) -> FailureLabel:
        """The label of its rule, which is always there."""
        label = self.labels[self.rule]
        assert label is not None
        return label

    def row(self, rater: str) -> Labelled:
        """The label of one rater with what tables need; flags are those of the rule."""
        label = self.labels.get(rater)
        produced = build_label(self.task, self.answer, self.by_rule)
        return structs.replace(produced, label=label.label if label else None)


def label_trajectories(
    trajectories: Iterable[Trajectory], suite: TaskSuite
) -> list[LabelledTrajectory]:
    """Labels by rule; an attempt whose model call failed says nothing of the model."""
    by_id = {task.task_id: task for task in suite.tasks}
    return [
        _label(item, by_id[item.task_id], suite)
        for item in trajectories
        if item.task_id in by_id and item.parent_id is None and not _has_failed(item)
    ]


def _has_failed(trajectory: Trajectory) -> bool:
    return not trajectory.turns or trajectory.turns[-1].error is not None


def _label(trajectory: Trajectory, task: ToolTask, suite: TaskSuite) -> LabelledTrajectory:
    answer = answer_of(trajectory)
    rule: Rule = "submitted" if is_offered_submit(trajectory) else "paper"
    return LabelledTrajectory(
        trajectory_id=trajectory.trajectory_id,
        model=trajectory.model or "unknown",
        task=task,
        answer=answer,
        rule=rule,
        labels={rule: classify(rule, task, answer, suite.tools[task.domain], suite.field_names)},
        calls=tuple((c.turn, c.call) for c in trajectory.calls if c.executed),
    )


def failure_rows(labelled: Iterable[LabelledTrajectory]) -> list[dict[str, Any]]:
    """Rows of the ledger's table `failures`, without `pte`, which the ledger joins.

    A judge that gave no label has a row without one, so that denominators can be told.
    """
    rows = []
    for attempt in labelled:
        for rater, label in attempt.labels.items():
            about = {
                "trajectory_id": attempt.trajectory_id,
                "task_id": attempt.task.task_id,
                "domain": attempt.task.domain,
                "kind": attempt.task.kind,
                "trap": attempt.task.trap,
                "label": label.label if label else None,
                "rule": rater,
                "evidence": label.evidence if label else "",
                "phantom": attempt.by_rule.phantom,
                "broken": attempt.by_rule.broken,
                "unclear": None if label else UNREADABLE,
            }
            places: list[tuple[int | None, int | None]] = [(None, None), *attempt.calls]
            rows += [{**about, "turn": turn, "call": call} for turn, call in places]
    return rows


def build_label(task: ToolTask, answer: ToolAnswer, label: FailureLabel) -> Labelled:
    """A label with what tables group by."""
    return Labelled(
        task_id=task.task_id,
        domain=task.domain,
        kind=task.kind,
        label=label.label,
        called=bool(answer.calls),
        phantom=label.phantom,
        broken=label.broken,
        trap=task.trap,
    )


def is_offered_submit(trajectory: Trajectory) -> bool:
    """True when the tool `submit` was offered to the model."""
    return any(part.kind == "schema" and part.name == SUBMIT for part in trajectory.parts)


def answer_of(trajectory: Trajectory) -> ToolAnswer:
    """A trajectory as an answer: what ran, what was submitted, and what was written at the end."""
    calls = [(ExecutedCall(c.tool, c.arguments), c.executed) for c in trajectory.calls]
    submission = _find_submission(trajectory)
    return ToolAnswer(
        task_id=trajectory.task_id or "",
        calls=tuple(call for call, ran in calls if ran),
        answer=_last_text(trajectory),
        refused=tuple(call for call, ran in calls if not ran),
        submission=submission,
        unsubmitted=submission is None and any(p.name == SUBMIT for p in _written(trajectory)),
    )


def _find_submission(trajectory: Trajectory) -> Submission | None:
    """The submission after the user's last message, alone in its turn and once. A call of
    `submit` is a text of the trajectory that bears the tool's name (`answer_tool` of a task)."""
    last_user_turn = max((p.enters or 0 for p in trajectory.parts if p.kind == "user"), default=0)
    written = [p for p in _written(trajectory) if p.name == SUBMIT]
    in_turn = Counter([p.made for p in written] + [call.turn for call in trajectory.calls])
    alone = [
        read_submission(part.text)
        for part in written
        if (part.made or 0) >= last_user_turn and in_turn[part.made] == 1
    ]
    valid = [submission for submission in alone if submission is not None]
    return valid[0] if len(valid) == 1 else None


def _written(trajectory: Trajectory) -> list[Part]:
    """What the model wrote itself."""
    return [part for part in trajectory.parts if part.made is not None]


def _last_text(trajectory: Trajectory) -> str:
    last = len(trajectory.turns) - 1
    texts = [
        p.text for p in trajectory.parts if p.kind == "text" and p.made == last and p.name is None
    ]
    return "\n".join(texts)
