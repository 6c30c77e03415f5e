"""Judges over labelled attempts: each framing asked once about each, then a vote.

The verdicts are the ledger's, so that money, limits, journal and repair are those of `judge`. The
rule votes too and decides ties. A judge without a label is left out of its own rates and of the
vote, and the report says how many there were.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.judges.asking import Ask
from agentdyno.judges.ensemble import majority
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.bench.run import Progress
from agentdyno.pipelines.bench.toolfail_labels import LabelledTrajectory
from agentdyno.pipelines.judge import Announce, Judged, JudgeOptions, judge_ledger
from agentdyno.pipelines.judge.estimate import judge_price, refuse_unpriced
from agentdyno.pipelines.judge.kinds import Thing
from agentdyno.pipelines.judge.kinds.failure import FailureKind
from agentdyno.records import Trajectory
from agentdyno.records.failures import ENSEMBLE, LABELS, FailureLabel, TaskSuite
from agentdyno.studies.failures.verdicts import FailureVerdict, failure_verdicts


class Judging(Struct, frozen=True):
    """Who judges, and within which limits."""

    models: Sequence[Ask]
    """Models that judge; one takes both framings, several take them in turn."""
    options: JudgeOptions = JudgeOptions()
    """Limits on asking, prices and the place of answers."""
    announce: Announce | None = None
    """Told what it will cost, before anything is asked."""


def refuse_unknown_prices(judging: Judging) -> None:
    """Said before a benchmark runs for hours: `InputError` when money is limited and a judge has no
    price."""
    names = [model.name for model in judging.models]
    unpriced = [name for name in names if judge_price(name, judging.options.prices) is None]
    refuse_unpriced(unpriced, judging.options.ask.max_usd)


class AttemptKind(FailureKind):
    """These attempts alone: a ledger may hold other suites, and samples that failed."""

    def __init__(self, suite: TaskSuite, attempts: Container[str]) -> None:
        super().__init__(suite)
        self._attempts = attempts

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The attempt with its task."""
        if trajectory.trajectory_id in self._attempts:
            yield from super().things(trajectory)


def judge_attempts(
    ledger: Path,
    suite: TaskSuite,
    labelled: Sequence[LabelledTrajectory],
    judging: Judging,
    progress: Progress | None = None,
) -> Judged:
    """Every judge's verdict on every attempt, in the ledger."""
    kind = AttemptKind(suite, {each.trajectory_id for each in labelled})
    tell = None if progress is None else partial(progress, "judging")
    models = list({model.name: model for model in judging.models}.values())
    return judge_ledger(ledger, kind, models, judging.options, tell, judging.announce)


def with_votes(labelled: Sequence[LabelledTrajectory], ledger: Ledger) -> list[LabelledTrajectory]:
    """The same attempts with the labels of all judges so far, and the ensemble's."""
    verdicts: dict[str, list[FailureVerdict]] = defaultdict(list)
    for verdict in failure_verdicts(ledger, {each.trajectory_id for each in labelled}):
        verdicts[verdict.trajectory_id].append(verdict)
    return [_voted(each, verdicts.get(each.trajectory_id, ())) for each in labelled]


def _voted(each: LabelledTrajectory, verdicts: Sequence[FailureVerdict]) -> LabelledTrajectory:
    if not verdicts:
        return each
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
