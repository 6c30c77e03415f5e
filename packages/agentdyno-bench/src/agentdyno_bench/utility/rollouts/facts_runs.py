"""The world of facts, continued: cuts in, outcomes out. No model, no file, and it costs nothing."""

from collections.abc import Sequence

from agentdyno.records import Trajectory
from agentdyno_bench.utility.facts.attempting import continue_from, state_after
from agentdyno_bench.utility.facts.traces import BENCHMARK
from agentdyno_bench.utility.facts.world import TOOLS, World
from agentdyno_bench.utility.rollouts.continuations import Opened, Outcomes, Progress, Rollout
from agentdyno_bench.utility.rollouts.cuts import Cut


class FactsRuns:
    """The world of facts: no model, and a continuation costs nothing."""

    def __init__(self) -> None:
        self._opened: dict[str, _FactsRun] = {}

    def open(self, trajectory: Trajectory) -> Opened | str | None:
        """Told by the benchmark's name and the form of the task's id."""
        name, _, number = (trajectory.task_id or "").rpartition("-")
        if trajectory.benchmark != BENCHMARK or name != "facts" or not number.isdigit():
            return None
        self._opened[trajectory.trajectory_id] = _FactsRun(trajectory, int(number))
        return Opened(trajectory.model or "unknown")

    def find_recorded(self, rollouts: Sequence[Rollout]) -> Outcomes:
        """None: they are as quick to run as to read."""
        return {}

    def continue_from(self, rollouts: Sequence[Rollout], progress: Progress | None) -> Outcomes:
        """One after the other."""
        outcomes: Outcomes = {}
        for number, item in enumerate(rollouts, 1):
            outcomes[item] = self._opened[item.trajectory_id].continue_from(item.cut, item.seed)
            if progress and number % 1000 == 0:
                progress(number, len(rollouts))
        return outcomes

    def estimate_usd(self, rollout: Rollout) -> float | None:
        """Nothing."""
        return 0.0

    def count_spent_usd(self) -> float | None:
        """Nothing."""
        return 0.0


class _FactsRun:
    """A trajectory of the world of facts."""

    def __init__(self, trajectory: Trajectory, task: int) -> None:
        offered = {part.name for part in trajectory.parts if part.kind == "schema"}
        self._task = task
        self._world = World(tuple(tool for tool in TOOLS if tool in offered))
        texts = [
            "" if call.result is None else trajectory.parts[call.result].text
            for call in trajectory.calls
        ]
        results = [(c.tool, t) for c, t in zip(trajectory.calls, texts, strict=True)]
        self._places = [(call.turn, call.call) for call in trajectory.calls]
        self._states = [state_after(results[:calls]) for calls in range(len(results) + 1)]

    def continue_from(self, cut: Cut, seed: int) -> bool:
        """Plays on from the state that the calls led to."""
        calls = sum(cut.before(*location) for location in self._places)
        return continue_from(self._task, self._states[calls], seed, self._world)
