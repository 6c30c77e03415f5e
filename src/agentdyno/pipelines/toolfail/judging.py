"""Judges over labelled trajectories: each framing asked once per answer, then a vote.

The rule votes too and decides ties. A judge without a label is left out of its own rates and of
the vote, and the report says how many there were.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import structs

from agentdyno.judges.cache import VerdictCache
from agentdyno.judges.calling import Ask, Judge, inspect_ask, judge_all
from agentdyno.judges.ensemble import majority
from agentdyno.judges.failures import FRAMINGS, failure_judge, failure_question
from agentdyno.pipelines.toolfail.labels import LabelledTrajectory
from agentdyno.records.failures import ENSEMBLE, LABELS, FailureLabel, TaskSuite
from agentdyno.records.verdicts import Verdict

Open = Callable[[str], Ask]
"""Opens a model by name."""


def judges_for(models: Sequence[str]) -> list[Judge]:
    """One judge per model, the framings dealt out in turn; one model alone gets both."""
    chosen = list(models) * 2 if len(models) == 1 else list(models)
    return [failure_judge(FRAMINGS[i % len(FRAMINGS)], m) for i, m in enumerate(chosen)]


def judge_trajectories(
    labelled: Sequence[LabelledTrajectory],
    suite: TaskSuite,
    judges: Sequence[Judge],
    store: Path,
    open_model: Open = inspect_ask,
) -> tuple[list[LabelledTrajectory], list[Verdict]]:
    """The same trajectories with the judges' labels and the ensemble's, and all verdicts."""
    questions = [
        failure_question(
            each.task,
            each.answer,
            [tool.name for tool in suite.tools[each.task.domain]],
            each.trajectory_id,
        )
        for each in labelled
    ]
    cache = VerdictCache(store)
    verdicts = [
        asyncio.run(judge_all(judge, questions, open_model(judge.model), cache)) for judge in judges
    ]
    voted = [
        _with_votes(each, [given[place] for given in verdicts])
        for place, each in enumerate(labelled)
    ]
    return voted, [verdict for given in verdicts for verdict in given]


def _with_votes(each: LabelledTrajectory, verdicts: Sequence[Verdict]) -> LabelledTrajectory:
    labels = dict(each.labels)
    for verdict in verdicts:
        labels[verdict.judge] = _as_label(each, verdict.label, verdict.judge, verdict.rationale)
    vote = majority(each.own.label, {verdict.judge: verdict.label for verdict in verdicts})
    how = f"{vote.voters} voters{', tied' if vote.tied else ''}"
    labels[ENSEMBLE] = _as_label(each, vote.label, ENSEMBLE, how)
    return structs.replace(each, labels=labels)


def _as_label(
    each: LabelledTrajectory, label: str | None, rater: str, evidence: str
) -> FailureLabel | None:
    known = next((known for known in LABELS if known == label), None)
    if known is None:
        return None
    rule = each.own
    return FailureLabel(each.task.task_id, known, evidence[:300], rater, rule.phantom, rule.broken)
