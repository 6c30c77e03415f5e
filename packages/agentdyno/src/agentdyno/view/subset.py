"""The rows of some trajectories, as tables that every study takes for a ledger's own.

Takes a ledger and ids; reads each table once, when it is asked for. So what a study says of a
ledger it says of one session, in the same words and figures.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from agentdyno.ledger.reader import empty_table
from agentdyno.records import Trajectory
from agentdyno.studies.tables import Texts

ID = "trajectory_id"


class Subset:
    """Tables of some trajectories."""

    def __init__(self, tables: Texts, ids: Sequence[str]) -> None:
        self._tables = tables
        self._ids = list(ids)
        self._read: dict[str, pl.DataFrame] = {}

    @property
    def name(self) -> str:
        """Where the ledger is."""
        return self._tables.name

    @property
    def options(self) -> dict[str, Any]:
        """What the ledger was measured with."""
        return self._tables.options

    def has(self, table: str) -> bool:
        """Whether somebody added the table to the ledger."""
        return self._tables.has(table)

    def missing(self, table: str) -> dict[str, str]:
        """Inputs that a derived table could not speak of, with the reason."""
        return self._tables.missing(table)

    def unreadable(self) -> dict[str, str]:
        """Inputs of the ledger that cannot be read again, with the reason."""
        return self._tables.unreadable()

    def trajectories(self) -> Iterator[Trajectory]:
        """Those of the trajectories whose input still stands."""
        return (each for each in self._tables.trajectories() if each.trajectory_id in self._ids)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily."""
        return self.read(table).lazy()

    def read(self, table: str) -> pl.DataFrame:
        """A table of these trajectories; without rows where it names none."""
        if table not in self._read:
            self._read[table] = self._select(table)
        return self._read[table]

    def _select(self, table: str) -> pl.DataFrame:
        empty = empty_table(table)
        if ID not in empty.columns:
            return empty
        rows = self._tables.scan(table).filter(pl.col(ID).is_in(self._ids))
        return rows.collect()
