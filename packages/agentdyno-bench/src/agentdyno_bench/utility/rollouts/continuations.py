"""The interface of a benchmark whose trajectories can be continued from any call, in batches."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Protocol

from msgspec import Struct

from agentdyno.records import Trajectory
from agentdyno_bench.utility.rollouts.cuts import Cut

Progress = Callable[[int, int], None]
"""Called with continuations finished and their total number."""


class Rollout(Struct, frozen=True, gc=False):
    """One continuation."""

    trajectory_id: str
    cut: Cut
    number: int
    """Which of the continuations from there, from 0."""

    @property
    def seed(self) -> int:
        """The same for all cuts of a trajectory: luck is then no difference between them."""
        text = self.trajectory_id.encode("utf-8", "surrogatepass")
        # Providers take seeds of 31 bits.
        return (int.from_bytes(blake2b(text, digest_size=4).digest(), "big") >> 2) + self.number


Outcomes = dict[Rollout, bool | None]
"""Whether a continuation solved the task; None when it failed or could not be graded."""


class Opened(Struct, frozen=True):
    """A trajectory that can be continued."""

    model: str
    """The model that continues it."""


class Resumable(Protocol):
    """A benchmark whose trajectories can be continued."""

    def open(self, trajectory: Trajectory) -> Opened | str | None:
        """None when it is not of this benchmark; a reason when it cannot be continued all the
        same."""
        ...

    def find_recorded(self, rollouts: Sequence[Rollout]) -> Outcomes:
        """Those that earlier runs have finished."""
        ...

    def continue_from(self, rollouts: Sequence[Rollout], progress: Progress | None) -> Outcomes:
        """Runs them, and keeps what they came to."""
        ...

    def estimate_usd(self, rollout: Rollout) -> float | None:
        """Estimated cost of a rollout; None when unknown."""
        ...

    def count_spent_usd(self) -> float | None:
        """Money spent since this was created; None when a price is unknown."""
        ...
