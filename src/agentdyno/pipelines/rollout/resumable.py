"""What a benchmark offers so that its trajectories can be continued from any call, in batches."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from agentdyno.benchmarks.facts.agent import carry_on, state_after
from agentdyno.benchmarks.facts.traces import BENCHMARK
from agentdyno.benchmarks.facts.world import TOOLS, World
from agentdyno.pipelines.rollout.cuts import Cut
from agentdyno.records import Trajectory

if TYPE_CHECKING:
    from agentdyno.pipelines.rollout.inspect_runs import Continuing

Progress = Callable[[int, int], None]
"""Called with continuations finished and continuations wanted."""


class Wanted(Struct, frozen=True, gc=False):
    """One continuation."""

    trajectory_id: str
    """Which trajectory goes on."""
    cut: Cut
    """From where."""
    number: int
    """Which of the continuations from there, from 0."""

    @property
    def seed(self) -> int:
        """The same for all cuts of a trajectory: luck is then no difference between them."""
        text = self.trajectory_id.encode("utf-8", "surrogatepass")
        # Providers take seeds of 31 bits.
        return (int.from_bytes(blake2b(text, digest_size=4).digest(), "big") >> 2) + self.number


Outcomes = dict[Wanted, bool | None]
"""Whether a continuation solved the task; None when it failed or nobody could grade it."""


class Opened(Struct, frozen=True):
    """A trajectory that can be continued."""

    model: str
    """Who continues it."""


class Resumable(Protocol):
    """A benchmark whose trajectories can be continued."""

    def open(self, trajectory: Trajectory) -> Opened | str | None:
        """None when it is not of this benchmark; a reason when it cannot be continued all the
        same."""
        ...

    def kept(self, wanted: Sequence[Wanted]) -> Outcomes:
        """Those that earlier runs have finished."""
        ...

    def carry_on(self, wanted: Sequence[Wanted], progress: Progress | None) -> Outcomes:
        """Runs them, and keeps what they came to."""
        ...

    def expected_usd(self, one: Wanted) -> float | None:
        """What one will cost; None when nobody knows."""
        ...

    def spent_usd(self) -> float | None:
        """What was spent since this was made; None when a price is unknown."""
        ...


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

    def kept(self, wanted: Sequence[Wanted]) -> Outcomes:
        """None: they are as quick to run as to read."""
        return {}

    def carry_on(self, wanted: Sequence[Wanted], progress: Progress | None) -> Outcomes:
        """One after the other."""
        found: Outcomes = {}
        for number, one in enumerate(wanted, 1):
            found[one] = self._opened[one.trajectory_id].carry_on(one.cut, one.seed)
            if progress and number % 1000 == 0:
                progress(number, len(wanted))
        return found

    def expected_usd(self, one: Wanted) -> float | None:
        """Nothing."""
        return 0.0

    def spent_usd(self) -> float | None:
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

    def carry_on(self, cut: Cut, seed: int) -> bool:
        """Plays on from the state that the calls led to."""
        calls = sum(cut.before(*place) for place in self._places)
        return carry_on(self._task, self._states[calls], seed, self._world)


def known_benches(ledger: Path | None = None, asked: "Continuing | None" = None) -> list[Resumable]:
    """The benchmarks whose trajectories can be continued; of a ledger, those that run a model."""
    if ledger is None:
        return [FactsRuns()]
    from agentdyno.pipelines.rollout.inspect_runs import InspectRuns

    return [FactsRuns(), InspectRuns(ledger, asked)]
