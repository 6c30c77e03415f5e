"""Recorded continuations, as a benchmark whose trajectories can be continued.

Takes the continuations of a folder of rollouts, returns outcomes for the cuts of the ledger's
trajectories; so signs and intervals of calls come into a ledger in the ordinary way. Runs nothing:
a continuation that is not recorded counts nowhere. Each was sampled with its own seed, so the two
sides of a call are not paired.
"""

from collections.abc import Sequence

from agentdyno.records import Trajectory
from agentdyno_bench.studies.rollouts.continuations import Opened, Outcomes, Progress, Rollout
from agentdyno_train.rollouts.journal import Continuation


class RecordedContinuations:
    """The planning attempts of one agent."""

    def __init__(self, futures: Sequence[Continuation]) -> None:
        self._known = {(f.task_id, f.answers, f.calls, f.number): f.solved for f in futures}
        self._tasks = {future.task_id for future in futures}
        self._opened: dict[str, str] = {}

    def open(self, trajectory: Trajectory) -> Opened | str | None:
        """Those whose task has recorded continuations."""
        if trajectory.task_id not in self._tasks:
            return "it has no recorded continuations"
        self._opened[trajectory.trajectory_id] = str(trajectory.task_id)
        return Opened(trajectory.model or "unknown")

    def find_recorded(self, wanted: Sequence[Rollout]) -> Outcomes:
        return {one: self._known[key] for one in wanted if (key := self._key(one)) in self._known}

    def continue_from(self, wanted: Sequence[Rollout], progress: Progress | None) -> Outcomes:
        """Nothing is generated here, so every outcome is unknown."""
        return dict.fromkeys(wanted)

    def estimate_usd(self, one: Rollout) -> float | None:
        """Nothing."""
        return 0.0

    def count_spent_usd(self) -> float | None:
        """Nothing."""
        return 0.0

    def _key(self, one: Rollout) -> tuple[str, int, int, int]:
        return self._opened[one.trajectory_id], one.cut.answers, one.cut.calls, one.number
