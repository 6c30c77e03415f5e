"""The calls of a ledger whose sign is open, and why others cannot be continued."""

from collections import Counter
from collections.abc import Sequence

from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.pipelines.sources import find_missing_inputs, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno_bench.findings.utility.rollouts import SignTest
from agentdyno_bench.studies.rollouts.continuations import Opened, Resumable
from agentdyno_bench.studies.rollouts.cuts import call_cuts
from agentdyno_bench.studies.rollouts.known_calls import enough_known
from agentdyno_bench.studies.rollouts.tally import OpenCall

FOREIGN = (
    "they are of no benchmark that can be continued, or their logs lie no longer where they were "
    "written"
)


class Found:
    """What there is to do."""

    def __init__(
        self,
        ledger: Ledger,
        benches: Sequence[Resumable],
        test: SignTest,
        rules: LogicalTools,
        sample: int | None,
    ) -> None:
        self._calls: list[OpenCall] = []
        self.reasons: Counter[str] = Counter()
        self.missing = find_missing_inputs(ledger)
        self._benches, self._rules = benches, rules
        for volume in sorted(ledger.manifest.volumes):
            for trajectory in volume_trajectories(ledger, volume, self.missing):
                self._take(volume, trajectory)
        enough, chosen = enough_known(ledger, test), _spread(self._calls, sample)
        self.open = [c for c in chosen if c.place not in enough.get(c.model, ())]
        self.known = len(chosen) - len(self.open)

    def _take(self, volume: str, trajectory: Trajectory) -> None:
        reason = FOREIGN
        for bench in self._benches:
            opened = bench.open(trajectory)
            if isinstance(opened, Opened):
                self._take_calls(bench, volume, trajectory, opened.model)
                return
            reason = opened or reason
        self.reasons[reason] += 1

    def _take_calls(
        self, bench: Resumable, volume: str, trajectory: Trajectory, model: str
    ) -> None:
        name = trajectory.trajectory_id
        for cuts in call_cuts(trajectory):
            call = trajectory.calls[cuts.index]
            if self._rules.name_of(call.tool, call.arguments) is not None:
                place = (volume, name, model, call.turn, call.call)
                self._calls.append(OpenCall(bench, *place, cuts.before, cuts.after))


def _spread(calls: list[OpenCall], many: int | None) -> list[OpenCall]:
    """The same ones in every run, so that a run can go on."""
    if many is None or many >= len(calls):
        return calls
    return [calls[number * len(calls) // many] for number in range(many)]
