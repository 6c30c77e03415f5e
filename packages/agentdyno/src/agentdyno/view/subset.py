"""The rows of some trajectories, as tables that every study takes for a ledger's own.

Takes a ledger and ids; reads each table once, when it is asked for. So what a study says of a
ledger it says of one session, in the same words and figures.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from agentdyno.ledger.reader import empty_table
from agentdyno.records import Trajectory
from agentdyno.studies.tables import Layer, Texts

ID = "trajectory_id"


class Subset(Layer):
    """Tables of some trajectories."""

    def __init__(self, tables: Texts, ids: Sequence[str]) -> None:
        super().__init__(tables)
        self._ids = list(ids)
        self._read: dict[str, pl.DataFrame] = {}

    def trajectories(self) -> Iterator[Trajectory]:
        """Those of the trajectories whose input still stands."""
        return (
            trajectory
            for trajectory in super().trajectories()
            if trajectory.trajectory_id in self._ids
        )

    def read(self, table: str) -> pl.DataFrame:
        """A table of these trajectories; without rows where it names none."""
        if table not in self._read:
            self._read[table] = self._select(table)
        return self._read[table]

    def _select(self, table: str) -> pl.DataFrame:
        empty = empty_table(table)
        if ID not in empty.columns:
            return empty
        rows = self.below.scan(table).filter(pl.col(ID).is_in(self._ids))
        return rows.collect()
