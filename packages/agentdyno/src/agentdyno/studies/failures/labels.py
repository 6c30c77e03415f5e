"""Labels of attempts at tasks whose truth is known: trajectories in, labels by both rules out."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, structs

from agentdyno.findings.failures import Rule, classify
from agentdyno.records import Trajectory
from agentdyno.records.failures import (
    ExecutedCall,
    FailureLabel,
    Labelled,
    TaskSuite,
    ToolAnswer,
    ToolTask,
)

RULES: tuple[Rule, ...] = ("own", "paper")


class LabelledTrajectory(Struct, frozen=True):
    """One attempt at one task with its labels."""

    trajectory_id: str
    """The trajectory, as the ledger names it."""
    model: str
    """The model."""
    task: ToolTask
    """The task."""
    answer: ToolAnswer
    """What was called and said."""
    labels: dict[str, FailureLabel | None]
    """By rater: both rules, and judges (None where one is silent) and ensemble, if any."""
    calls: tuple[tuple[int, int], ...]
    """Turn and place of each executed call."""

    @property
    def own(self) -> FailureLabel:
        """The label of our own rule, which is always there."""
        label = self.labels["own"]
        assert label is not None
        return label

    def row(self, rater: str) -> Labelled:
        """The label of one rater with what tables need; flags are those of our own rule."""
        found = self.labels.get(rater)
        produced = build_label(self.task, self.answer, self.own)
        return structs.replace(produced, label=found.label if found else None)


def label_trajectories(
    trajectories: Iterable[Trajectory], suite: TaskSuite
) -> list[LabelledTrajectory]:
    """Labels by both rules; an attempt whose model call failed says nothing of the model."""
    by_id = {task.task_id: task for task in suite.tasks}
    return [
        _label(each, by_id[each.task_id], suite)
        for each in trajectories
        if each.task_id in by_id and each.parent_id is None and not _has_failed(each)
    ]


def _has_failed(trajectory: Trajectory) -> bool:
    return not trajectory.turns or trajectory.turns[-1].error is not None


def _label(trajectory: Trajectory, task: ToolTask, suite: TaskSuite) -> LabelledTrajectory:
    answer = answer_of(trajectory)
    tools = suite.tools[task.domain]
    return LabelledTrajectory(
        trajectory_id=trajectory.trajectory_id,
        model=trajectory.model or "unknown",
        task=task,
        answer=answer,
        labels={rule: classify(rule, task, answer, tools) for rule in RULES},
        calls=tuple((c.turn, c.call) for c in trajectory.calls if c.executed),
    )


def failure_rows(labelled: Iterable[LabelledTrajectory]) -> list[dict[str, Any]]:
    """Rows of the ledger's table `failures`, without `pte`, which the ledger joins.

    A judge that gave no label has a row without one, so that denominators can be told.
    """
    rows = []
    for each in labelled:
        for rater, label in each.labels.items():
            about = {
                "trajectory_id": each.trajectory_id,
                "task_id": each.task.task_id,
                "domain": each.task.domain,
                "kind": each.task.kind,
                "trap": each.task.trap,
                "label": label.label if label else None,
                "rule": rater,
                "evidence": label.evidence if label else "",
                "phantom": each.own.phantom,
                "broken": each.own.broken,
                "unclear": label.unclear if label else None,
            }
            places: list[tuple[int | None, int | None]] = [(None, None), *each.calls]
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


def answer_of(trajectory: Trajectory) -> ToolAnswer:
    """A trajectory as an answer: its executed calls, and what its last turn said."""
    calls = tuple(ExecutedCall(c.tool, c.arguments) for c in trajectory.calls if c.executed)
    return ToolAnswer(trajectory.task_id or "", calls, _last_text(trajectory))


def _last_text(trajectory: Trajectory) -> str:
    last = len(trajectory.turns) - 1
    stated = [p.text for p in trajectory.parts if p.kind == "text" and p.made == last]
    return "\n".join(stated)
