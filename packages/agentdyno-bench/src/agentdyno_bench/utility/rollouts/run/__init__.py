"""Utility by rollouts: trajectories that can be continued in, delta of every call out.

    open       which trajectories can be continued, and by whom     rollout.inspect_runs
    cut        just before and just after every call                here
    announce   how many continuations, for how much money           studies.rollouts.money
    look       continuations of all open calls at once              rollout.looks
    estimate   what they say of each call                           studies.rollouts.tally
    record     a row in `rollouts` and a verdict for every call     rollout.rows

Continuations from all cuts of a trajectory share their seeds, which takes luck out of the
difference. Rows are added look by look; what is settled is not run again, and a continuation that
an earlier run has finished is not either.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.pipelines.sources import find_missing_inputs, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.continuations import Opened, Progress, Resumable
from agentdyno_bench.utility.rollouts.cuts import call_cuts
from agentdyno_bench.utility.rollouts.known_calls import enough_known
from agentdyno_bench.utility.rollouts.money import Expected, refuse_above
from agentdyno_bench.utility.rollouts.run.looks import Work
from agentdyno_bench.utility.rollouts.tally import OpenCall
from agentdyno_bench.utility.studies.latest_rollouts import latest_rollouts


class RolledOut(Struct, frozen=True, kw_only=True, rename={"decided": "settled"}):
    """Counts and money of a run of rollouts."""

    calls: int
    """Calls that were estimated now."""
    known: int
    """Calls that had been before."""
    continuations: int
    """Continuations run now, both sides together."""
    failed: int
    """Continuations of these that failed or could not be graded."""
    decided: int
    """Calls of these whose sign is settled."""
    not_resumable: int
    """Trajectories that cannot be continued."""
    reasons: dict[str, int]
    """Why not, and of how many."""
    spent_usd: float | None
    """Money of this run; None when a price is unknown."""
    out_of_money: bool
    """Whether it was stopped because the money would not have been enough."""
    missing: dict[str, str]
    """Files that could not be read again, with the reason."""


def roll_out(
    folder: Path,
    benches: Sequence[Resumable],
    test: SignTest | None = None,
    rules: LogicalTools | None = None,
    progress: Progress | None = None,
    max_usd: float | None = None,
    announce: Callable[[Expected], None] | None = None,
    sample: int | None = None,
) -> RolledOut:
    """Estimates every call of the ledger's trajectories that can be continued, or so many of them,
    spread over the ledger."""
    candidates = Found(Ledger(folder), benches, test or SignTest(), rules or LogicalTools(), sample)
    work = Work(folder, candidates.open, test or SignTest(), max_usd, progress)
    expected = work.estimate()
    refuse_above(expected, max_usd)
    if announce and expected.calls:
        announce(expected)
    work.do()
    return RolledOut(
        calls=work.calls,
        known=candidates.known,
        continuations=work.continuations,
        failed=work.failed,
        decided=work.decided,
        not_resumable=candidates.reasons.total(),
        reasons=dict(candidates.reasons),
        spent_usd=work.count_spent_usd(),
        out_of_money=work.out_of_money,
        missing=candidates.missing,
    )


__all__ = ["RolledOut", "latest_rollouts", "roll_out"]


FOREIGN = (
    "they are of no benchmark that can be continued, or their logs lie no longer where they were "
    "written"
)


class Found:
    """Calls to estimate."""

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
        enough, sampled = enough_known(ledger, test), _spread(self._calls, sample)
        self.open = [c for c in sampled if c.place not in enough.get(c.model, ())]
        self.known = len(sampled) - len(self.open)

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
                location = (volume, name, model, call.turn, call.call)
                self._calls.append(OpenCall(bench, *location, cuts.before, cuts.after))


def _spread(calls: list[OpenCall], many: int | None) -> list[OpenCall]:
    """The same ones in every run, so that a run can go on."""
    if many is None or many >= len(calls):
        return calls
    return [calls[number * len(calls) // many] for number in range(many)]
