"""Judges over labelled attempts: each framing asked once about each.

The verdicts are the ledger's, so that money, limits, journal and repair are those of `judge`.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.records import Trajectory
from agentdyno_bench.shared.judges.asking import Ask
from agentdyno_bench.shared.judging import Announce, Judged, JudgeOptions, judge_ledger
from agentdyno_bench.shared.verdicts.expected_cost import judge_price, refuse_unpriced
from agentdyno_bench.shared.verdicts.kinds import Thing
from agentdyno_bench.toolfail.failure_kind import FailureKind
from agentdyno_bench.toolfail.records import TaskSuite
from agentdyno_bench.toolfail.studies.labels import LabelledTrajectory


class Judging(Struct, frozen=True):
    """Who judges, and within which limits."""

    models: Sequence[Ask]
    """Models that judge; one takes both framings, several take them in turn."""
    options: JudgeOptions = JudgeOptions()
    """Limits on asking, prices and the place of answers."""
    announce: Announce | None = None
    """Told what it will cost, before anything is asked."""

    def refuse_unknown_prices(self) -> None:
        """Said before a benchmark runs for hours: `InputError` when money is limited and a judge
        has no price."""
        names = [model.name for model in self.models]
        unpriced = [name for name in names if judge_price(name, self.options.prices) is None]
        refuse_unpriced(unpriced, self.options.ask.max_usd)

    def within(self, max_usd: float | None) -> "Judging":
        """The same, who may spend no more than this."""
        ask = structs.replace(self.options.ask, max_usd=max_usd)
        return structs.replace(self, options=structs.replace(self.options, ask=ask))

    def judge(
        self,
        ledger: Path,
        suite: TaskSuite,
        labelled: Sequence[LabelledTrajectory],
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Judged:
        """Every judge's verdict on every attempt, in the ledger."""
        kind = AttemptKind(suite, {trajectory.trajectory_id for trajectory in labelled})
        report = None if progress is None else partial(progress, "judging")
        models = list({model.name: model for model in self.models}.values())
        return judge_ledger(ledger, kind, models, self.options, report, self.announce)


class AttemptKind(FailureKind):
    """These attempts alone: a ledger may hold other suites, and samples that failed."""

    def __init__(self, suite: TaskSuite, attempts: Container[str]) -> None:
        super().__init__(suite)
        self._attempts = attempts

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The attempt with its task."""
        if trajectory.trajectory_id in self._attempts:
            yield from super().things(trajectory)
