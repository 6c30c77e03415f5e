"""What exports read: trajectories with their texts, and the costs that the ledger holds of them."""

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import Trajectory
from agentdyno.studies.selection import SelectedTables, Selection
from agentdyno.studies.tables import Texts

MONEY = ("usd", "usd_input", "usd_read", "usd_write", "usd_output")
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class TurnMoney(Struct, frozen=True, gc=False):
    """What a turn cost in US dollars; None where it has no price."""

    usd: float | None
    usd_input: float | None
    """Of it, for input that was neither read from the cache nor written to it."""
    usd_read: float | None
    """For cache reads."""
    usd_write: float | None
    """For cache writes."""
    usd_output: float | None


class Child(Struct, frozen=True, gc=False):
    """A sub-agent's trajectory."""

    trajectory_id: str
    call_id: str | None
    """The call of its parent that started it; None where the trace does not say."""


class ExportSource:
    """A ledger to export from."""

    def __init__(self, folder: Path, selection: Selection | None = None) -> None:
        ledger = ReadableLedger(folder)
        self.ledger: Texts = SelectedTables(ledger, selection, cuts=False) if selection else ledger
        self.read = 0
        """Trajectories that were read so far."""
        rows = self.ledger.scan("trajectories")
        kin = rows.select("trajectory_id", "title", "parent_id", "parent_call_id").collect()
        self._titles: dict[str, str | None] = {}
        self._parents: dict[str, str] = {}
        self._children: dict[str, list[Child]] = {}
        for name, title, parent, call in kin.iter_rows():
            self._titles[name] = title
            if parent is not None:
                self._parents[name] = parent
                self._children.setdefault(parent, []).append(Child(name, call))

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory whose trace still stands."""
        for trajectory in self.ledger.trajectories():
            self.read += 1
            yield trajectory

    def title(self, trajectory: Trajectory) -> str:
        """What a reader knows it by: its title, else its session, else its id."""
        name = trajectory.trajectory_id
        return self._titles.get(name) or trajectory.title or trajectory.session_id or name

    def missing(self) -> dict[str, str]:
        """Traces that cannot be read again, with the reason."""
        return self.ledger.unreadable()

    def money(self, trajectory: Trajectory) -> list[TurnMoney]:
        rows = (
            self.ledger.scan("turns")
            .filter(pl.col("trajectory_id") == trajectory.trajectory_id)
            .sort("turn")
            .select(MONEY)
            .collect()
        )
        money = [TurnMoney(*row) for row in rows.iter_rows()]
        unknown = TurnMoney(None, None, None, None, None)
        return money if len(money) == len(trajectory.turns) else [unknown] * len(trajectory.turns)

    def children(self, trajectory: Trajectory) -> list[Child]:
        """The sub-agents that it started."""
        return self._children.get(trajectory.trajectory_id, [])

    def parent(self, name: str) -> str | None:
        """The trajectory that started this one."""
        return self._parents.get(name)

    def root(self, name: str) -> str:
        """The first of its ancestors; damaged files may hold a circle."""
        seen = {name}
        while (parent := self._parents.get(name)) is not None and parent not in seen:
            seen.add(parent)
            name = parent
        return name


def hex_id(text: str, size: int) -> str:
    """An id of so many bytes that stays the same from export to export."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def file_name(trajectory_id: str, suffix: str) -> str:
    """A name for the file of a trajectory, readable and unique."""
    readable = _NO_NAME.sub("-", trajectory_id)[-80:].strip("-.")
    return f"{readable}-{hex_id(trajectory_id, 4)}{suffix}"
