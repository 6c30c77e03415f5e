"""The vote over labelled attempts: verdicts in, the same attempts with every rater's label out.

Over prose the published rule votes too and decides ties; a submission is decided by the program,
and judges stand beside it. A judge without a label is left out of the vote, and its attempts are
undecided in its own rates.
"""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import structs

from agentdyno.measures.failures import majority
from agentdyno.studies.tables import Tables
from agentdyno_bench.toolfail.records import ENSEMBLE, LABELS, PAPER, FailureLabel
from agentdyno_bench.toolfail.studies.labels import LabelledTrajectory
from agentdyno_bench.toolfail.studies.verdicts import FailureVerdict, failure_verdicts


def with_votes(labelled: Sequence[LabelledTrajectory], ledger: Tables) -> list[LabelledTrajectory]:
    """The same attempts with the labels of all judges so far, and the ensemble's."""
    verdicts: dict[str, list[FailureVerdict]] = defaultdict(list)
    for verdict in failure_verdicts(ledger, {attempt.trajectory_id for attempt in labelled}):
        verdicts[verdict.trajectory_id].append(verdict)
    return [_vote(attempt, verdicts.get(attempt.trajectory_id, ())) for attempt in labelled]


def _vote(attempt: LabelledTrajectory, verdicts: Sequence[FailureVerdict]) -> LabelledTrajectory:
    if not verdicts:
        return attempt
    labels = dict(attempt.labels)
    for verdict in verdicts:
        labels[verdict.judge] = _as_label(attempt, verdict.label, verdict.judge, verdict.rationale)
    if attempt.rule == PAPER:
        vote = majority(attempt.by_rule.label, {v.judge: v.label for v in verdicts})
        how = f"{vote.voters} voters{', tied' if vote.tied else ''}"
        labels[ENSEMBLE] = _as_label(attempt, vote.label, ENSEMBLE, how)
    return structs.replace(attempt, labels=labels)


def _as_label(
    item: LabelledTrajectory, label: str | None, rater: str, evidence: str
) -> FailureLabel | None:
    valid = next((valid for valid in LABELS if valid == label), None)
    if valid is None:
        return None
    rule = item.by_rule
    return FailureLabel(item.task.task_id, valid, evidence[:300], rater, rule.phantom, rule.broken)
