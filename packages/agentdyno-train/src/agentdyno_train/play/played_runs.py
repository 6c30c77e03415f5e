"""Continuations that were played, as a benchmark whose trajectories can be continued.

Takes the futures of a folder of plays, returns outcomes for the cuts of the ledger's trajectories;
so signs and intervals of calls come into a ledger in the ordinary way. Runs nothing: a continuation
that was not played counts nowhere. Its dice are its own, so two sides of a call are not paired.
"""

from collections.abc import Sequence

from agentdyno.records import Trajectory
from agentdyno_bench.studies.rollouts.continuations import Opened, Outcomes, Progress, Rollout
from agentdyno_train.play.plays import Future


class PlayedRuns:
    """The planning attempts of one agent."""

    def __init__(self, futures: Sequence[Future]) -> None:
        self._known = {(f.task_id, f.answers, f.calls, f.number): f.solved for f in futures}
        self._tasks = {future.task_id for future in futures}
        self._opened: dict[str, str] = {}

    def open(self, trajectory: Trajectory) -> Opened | str | None:
        """Those whose task was played on."""
        if trajectory.task_id not in self._tasks:
            return "nobody played on from its calls"
        self._opened[trajectory.trajectory_id] = str(trajectory.task_id)
        return Opened(trajectory.model or "unknown")

    def kept(self, wanted: Sequence[Rollout]) -> Outcomes:
        """What was played."""
        return {one: self._known[key] for one in wanted if (key := self._key(one)) in self._known}

    def carry_on(self, wanted: Sequence[Rollout], progress: Progress | None) -> Outcomes:
        """Nothing is played here."""
        return dict.fromkeys(wanted)

    def expected_usd(self, one: Rollout) -> float | None:
        """Nothing."""
        return 0.0

    def spent_usd(self) -> float | None:
        """Nothing."""
        return 0.0

    def _key(self, one: Rollout) -> tuple[str, int, int, int]:
        return self._opened[one.trajectory_id], one.cut.answers, one.cut.calls, one.number
