"""Utility by rollouts: runs that can be resumed in, delta of every call with an interval out.

    open       a trajectory as a run that can be continued            rollout.resumable
    estimate   continuations from before and after each call          rollout.estimating
    record     a row in `rollouts` and a verdict for every call        here

Each call's continuations before and after share their seeds, which takes luck out of the
difference. Rows are added as trajectories are finished; what is settled is not run again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
from msgspec import Struct, structs

from agentdyno.judges.cache import digest
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import POLARS_TYPES, Ledger
from agentdyno.metrics.utility.logical import LogicalTools
from agentdyno.metrics.utility.rollouts import SignTest
from agentdyno.pipelines.judge.verdicts import add_verdicts
from agentdyno.pipelines.rollout.estimating import estimate_call
from agentdyno.pipelines.rollout.resumable import Resumable
from agentdyno.pipelines.sources import missing_inputs, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno.records.utility import ROLLOUTS, RolloutEstimate
from agentdyno.records.verdicts import Verdict

TABLE = "rollouts"
JUDGE = "rollout"
AT_ONCE = 50
"""Trajectories whose estimates are added together."""

Progress = Callable[[int, int], None]


class RolledOut(Struct, frozen=True, kw_only=True):
    """What a run did."""

    calls: int
    """Calls estimated now."""
    known: int
    """Calls that had been before."""
    continuations: int
    """Continuations run now, both sides together."""
    settled: int
    """Calls of these whose sign is settled."""
    not_resumable: int
    """Trajectories that cannot be continued."""
    missing: dict[str, str]
    """Files that could not be read again, with the reason."""


def roll_out(
    folder: Path,
    benches: list[Resumable],
    test: SignTest | None = None,
    rules: LogicalTools | None = None,
    progress: Progress | None = None,
) -> RolledOut:
    """Estimates every call of the ledger's trajectories that can be continued."""
    ledger = Ledger(folder)
    missing = missing_inputs(ledger.manifest)
    work = _Work(folder, benches, test or SignTest(), rules or LogicalTools(), progress)
    for volume in sorted(ledger.manifest.volumes):
        trajectories = volume_trajectories(ledger.manifest, volume, missing)
        for group in _grouped(trajectories):
            work.do(volume, group)
    return RolledOut(
        calls=work.calls,
        known=work.known_calls,
        continuations=work.continuations,
        settled=work.settled,
        not_resumable=work.not_resumable,
        missing=missing,
    )


class _Work:
    """The estimates of one run."""

    def __init__(
        self,
        folder: Path,
        benches: list[Resumable],
        test: SignTest,
        rules: LogicalTools,
        progress: Progress | None,
    ) -> None:
        self.folder, self.benches, self.test, self.rules = folder, benches, test, rules
        self.calls = self.known_calls = self.continuations = self.settled = 0
        self.not_resumable = 0
        ledger = Ledger(folder)
        self._known = _enough(ledger, test)
        self._total = len(ledger.read("calls"))
        self._progress = progress

    def do(self, volume: str, trajectories: list[Trajectory]) -> None:
        """Estimates a group and adds it to the ledger."""
        found: list[tuple[Trajectory, RolloutEstimate]] = []
        for trajectory in trajectories:
            found += [(trajectory, one) for one in self._estimates(trajectory)]
        if found:
            add_derived(self.folder, TABLE, _frame([one for _, one in found]), volume)
            add_verdicts(self.folder, ((volume, _verdict(*pair)) for pair in found))

    def _estimates(self, trajectory: Trajectory) -> Iterator[RolloutEstimate]:
        run = next((r for b in self.benches if (r := b.opened(trajectory)) is not None), None)
        if run is None:
            self.not_resumable += 1
            return
        for index, call in enumerate(trajectory.calls):
            if (trajectory.trajectory_id, call.turn, call.call) in self._known:
                self.known_calls += 1
            elif self.rules.name_of(call.tool, call.arguments) is not None:
                one = estimate_call(run, trajectory, index, self.test)
                self.calls += 1
                self.continuations += 2 * one.continuations
                self.settled += one.settled
                yield one
            if self._progress:
                self._progress(self.calls + self.known_calls, self._total)


def latest_rollouts(ledger: Ledger) -> pl.DataFrame:
    """The estimates in force: of one call, the latest."""
    place = ["trajectory_id", "turn", "call"]
    return ledger.read(TABLE).unique(place, keep="last", maintain_order=True)


def _enough(ledger: Ledger, test: SignTest) -> set[tuple[str, int, int]]:
    """Calls that are settled, or that more continuations than are allowed did not settle."""
    rows = latest_rollouts(ledger).filter(
        pl.col("settled") | (pl.col("continuations") >= test.most)
    )
    return set(rows.select("trajectory_id", "turn", "call").iter_rows())


def _grouped(trajectories: Iterator[Trajectory]) -> Iterator[list[Trajectory]]:
    group: list[Trajectory] = []
    for trajectory in trajectories:
        group.append(trajectory)
        if len(group) == AT_ONCE:
            yield group
            group = []
    if group:
        yield group


def _frame(estimates: list[RolloutEstimate]) -> pl.DataFrame:
    rows = [structs.asdict(one) for one in estimates]
    columns = {c.name: [row[c.name] for row in rows] for c in ROLLOUTS}
    return pl.DataFrame(columns, schema={c.name: POLARS_TYPES[c.type] for c in ROLLOUTS})


def _verdict(trajectory: Trajectory, one: RolloutEstimate) -> Verdict:
    counts = (
        f"{one.before_solved} of {one.continuations} continuations from before the call solved "
        f"the task, {one.after_solved} from after it"
    )
    return Verdict(
        kind="utility",
        trajectory_id=one.trajectory_id,
        turn=one.turn,
        call=one.call,
        judge=JUDGE,
        model=trajectory.model or "unknown",
        label=one.label,
        rationale=counts,
        problem=None if one.settled else "the continuations did not settle the sign",
        rubric=JUDGE,
        digest=digest(JUDGE, *(str(value) for value in structs.astuple(one))),
    )
