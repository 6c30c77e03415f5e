"""What a derivation is: tables that are made from trajectories, by rules that have versions.

Takes trajectories with their texts and their rows in the ledger's tables, returns rows of other
tables. `measure` asks while it has the texts at hand; `pipelines.second_look` asks later, of
ledgers that were measured without, or by older rules. Knows nothing of who asks.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import polars as pl
from msgspec import Struct

from agentdyno.matching.appearances import group_remembered
from agentdyno.plugins import load_plugins
from agentdyno.records import Trajectory
from agentdyno.records.scheduling import KnownSchedule

Frames = dict[str, pl.DataFrame]
"""Rows by table."""
Versions = Mapping[str, int]
"""What makes rows, each with the version of its rule."""
KnownSchedules = dict[str, KnownSchedule]
"""By trajectory."""
Make = Callable[[Sequence[Trajectory], Frames], Frames]
"""Takes trajectories and the rows that `calls` and `turns` have of them, returns rows made of
them."""


class Ground(Struct, frozen=True):
    """What a derivation is told before it sees the first trajectory."""

    cache: str
    """The assumption behind the costs, `evicted` or `kept`."""
    inputs: dict[str, tuple[str, str]]
    """Where the files are that trajectories come from, and their formats, by name."""


class TaskSchedules(Struct, frozen=True):
    """What a package knows of its own tasks: which calls of an attempt depend on which."""

    name: str
    tables: tuple[str, ...]
    """Tables of the ledger that hold rows about such attempts."""
    begin: Callable[[Ground], Callable[[Sequence[Trajectory]], tuple[KnownSchedules, Frames]]]
    """What tells, of some trajectories at a time, their known schedules and the rows of those
    tables."""


def load_task_schedules() -> list[TaskSchedules]:
    """What every installed package knows, by the entry point group `agentdyno.task_schedules`."""
    return list(load_plugins(TASK_SCHEDULES, TaskSchedules)[0].values())


class Derivation(Struct, frozen=True):
    """Tables that are made from trajectories in one go. Ours and those of third parties register
    under the entry point group `agentdyno.derivations`."""

    tables: tuple[str, ...]
    """Written for every volume; a volume that has them is done."""
    versions: Callable[[], Versions]
    """What makes the rows now. A higher number than a ledger's means that its rows are old."""
    begin: Callable[[Ground], Make]
    """What makes rows of trajectories, some at a time."""
    where_any: Callable[[], tuple[str, ...]] = tuple
    """Tables that are written only where there are rows."""

    @property
    def name(self) -> str:
        """Its tables, which no other derivation makes."""
        return ", ".join(self.tables)

    def written(self, frames: Frames) -> list[str]:
        """The tables that get a file: these are the rows."""
        return [*(t for t in self.where_any() if len(frames.get(t, ()))), *self.tables]


def load_derivations() -> list[Derivation]:
    """What `measure` works out besides costs, and what a report brings up to date."""
    return list(load_plugins(DERIVATIONS, Derivation)[0].values())


DERIVATIONS = "agentdyno.derivations"
TASK_SCHEDULES = "agentdyno.task_schedules"

NEEDED = ("calls", "turns")
"""The measured tables that derivations are told."""


GROUPS = 8
"""Groups of trajectories after which cycles of objects are looked for."""


def derive_rows(
    makers: Sequence[Make], trajectories: Iterable[Trajectory], measured: Frames
) -> Iterator[tuple[str, pl.DataFrame]]:
    """What the makers make of the trajectories, as tables with some of their rows, in order.

    Group by group, so that an index over a trajectory's texts is made once for all makers.
    """
    for number, some in enumerate(group_remembered(trajectories), start=1):
        ids = pl.Series([trajectory.trajectory_id for trajectory in some]).implode()
        is_theirs = pl.col("trajectory_id").is_in(ids)
        tables = {name: measured[name].filter(is_theirs) for name in NEEDED}
        for make in makers:
            yield from make(some, tables).items()
        # Records hold no cycles, so nobody looks for any; parsers of SQL and shell lines make some.
        # They are young: to look through all that a process holds took longer than deriving.
        if number % GROUPS == 0:
            gc.collect(1)
