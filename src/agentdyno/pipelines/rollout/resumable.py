"""What a benchmark offers so that its runs can be continued from any call."""

from typing import Protocol

from agentdyno.benchmarks.facts.agent import carry_on, state_after
from agentdyno.benchmarks.facts.traces import BENCHMARK
from agentdyno.benchmarks.facts.world import TOOLS, World
from agentdyno.records import Trajectory


class ResumableRun(Protocol):
    """One recorded trajectory that can be continued."""

    def carry_on(self, calls: int, seed: int) -> bool:
        """Whether a continuation after the first so many recorded calls solves the task."""
        ...


class Resumable(Protocol):
    """A benchmark whose runs can be continued."""

    def opened(self, trajectory: Trajectory) -> ResumableRun | None:
        """The trajectory as a run; None when it is not one of this benchmark."""
        ...


class FactsRun:
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
        self._states = [state_after(results[:calls]) for calls in range(len(results) + 1)]

    def carry_on(self, calls: int, seed: int) -> bool:
        """Plays on from the state that the calls led to."""
        return carry_on(self._task, self._states[calls], seed, self._world)


class FactsRuns:
    """The world of facts."""

    def opened(self, trajectory: Trajectory) -> FactsRun | None:
        """Told by the benchmark's name and the form of the task's id."""
        name, _, number = (trajectory.task_id or "").rpartition("-")
        if trajectory.benchmark != BENCHMARK or name != "facts" or not number.isdigit():
            return None
        return FactsRun(trajectory, int(number))


def known_benches() -> list[Resumable]:
    """The benchmarks whose runs can be continued."""
    return [FactsRuns()]
