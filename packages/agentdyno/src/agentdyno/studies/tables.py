"""What a study is given: the tables of a ledger by name, and how it was measured. Never a file."""

from collections.abc import Iterator
from typing import Any, Protocol

import polars as pl

from agentdyno.records import Trajectory


class Tables(Protocol):
    """The tables of one ledger."""

    @property
    def name(self) -> str:
        """Where it is, to be shown to a reader."""
        ...

    @property
    def options(self) -> dict[str, Any]:
        """What it was measured with."""
        ...

    def read(self, table: str) -> pl.DataFrame:
        """A table, whole; without rows where nobody made it yet."""
        ...

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily."""
        ...

    def has(self, table: str) -> bool:
        """Whether somebody made the table, be it without rows."""
        ...

    def missing(self, table: str) -> dict[str, str]:
        """Inputs that a table made later could not speak of, with the reason."""
        ...


class Texts(Tables, Protocol):
    """Tables, and the trajectories behind them with their texts."""

    def unreadable(self) -> dict[str, str]:
        """Inputs that cannot be read again, with the reason."""
        ...

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory whose input still stands, with the id that it has in the tables."""
        ...
