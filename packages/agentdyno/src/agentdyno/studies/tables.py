"""What a study is given: the tables of a ledger by name, and how it was measured. Never a file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
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


Sums = dict[str, pl.DataFrame]
"""What was worked out of some rows: frames by name."""
MANY_ROWS = 50_000
"""Rows of sums whose second copy would be felt."""


class Volume(Tables, Protocol):
    """The tables of one volume of a ledger: all rows of some trajectories."""

    def keep(
        self,
        name: str,
        work: Callable[[Any], Sums],
        rests_on: object = None,
        derived: Sequence[str] = (),
    ) -> Sums:
        """What `work` makes of the volume, from an earlier run where that still holds."""
        ...


@runtime_checkable
class Volumes(Protocol):
    """Tables that can be read a volume at a time."""

    @property
    def volumes(self) -> Sequence[Volume]:
        """Every volume, in the order of the tables."""
        ...

    def stretches(self) -> Sequence[Tables]:
        """The same, several volumes at a time, for what is not kept."""
        ...


def fold(
    tables: Tables,
    name: str | None,
    work: Callable[[Tables], Sums],
    rests_on: Callable[[int], object] = lambda _: None,
    derived: Sequence[str] = (),
) -> Sums:
    """What `work` makes of every volume, one below the other, with the place of its `volume`: so
    memory is that of one volume and of the sums. Kept under the `name`; None: not kept. `rests_on`
    says for each volume what else decides its sums, `derived` which tables that were added. One
    without sums is left out."""
    if not isinstance(tables, Volumes) or not tables.volumes:
        results = [work(tables)]
    elif name is None:
        results = [work(stretch) for stretch in tables.stretches()]
    else:
        results = [
            volume.keep(name, work, rests_on(index), derived)
            for index, volume in enumerate(tables.volumes)
        ]
    numbered = [(index, sums) for index, sums in enumerate(results) if sums]
    return {key: _stack(key, numbered) for key in [*(numbered[0][1] if numbered else ())]}


def _stack(key: str, numbered: list[tuple[int, Sums]]) -> pl.DataFrame:
    """Many rows column by column: what was stacked is let go, so that memory never holds all of it
    twice."""
    frames = [sums.pop(key).clone() for _, sums in numbered]
    places = np.repeat([volume for volume, _ in numbered], [len(frame) for frame in frames])
    stacked = pl.DataFrame({"volume": places.astype(np.uint32)})
    if len(stacked) < MANY_ROWS:
        return pl.concat(frames, how="vertical_relaxed", rechunk=True).hstack(stacked)
    for column in frames[0].columns:
        pieces = [pl.DataFrame([frame.drop_in_place(column)]) for frame in frames]
        stacked = stacked.hstack(pl.concat(pieces, how="vertical_relaxed", rechunk=True))
    return stacked.select(pl.exclude("volume"), "volume")


class Texts(Tables, Protocol):
    """Tables, and the trajectories behind them with their texts."""

    def unreadable(self) -> dict[str, str]:
        """Inputs that cannot be read again, with the reason."""
        ...

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory whose input still stands, with the id that it has in the tables."""
        ...


class Layer:
    """Tables over others: what it does not change is what lies below it. It has texts where those
    have."""

    def __init__(self, below: Tables) -> None:
        self.below = below
        self.options: dict[str, Any] = below.options

    @property
    def name(self) -> str:
        return self.below.name

    def read(self, table: str) -> pl.DataFrame:
        return self.below.read(table)

    def scan(self, table: str) -> pl.LazyFrame:
        return self.read(table).lazy()

    def has(self, table: str) -> bool:
        return self.below.has(table)

    def missing(self, table: str) -> dict[str, str]:
        return self.below.missing(table)

    def unreadable(self) -> dict[str, str]:
        return cast(Texts, self.below).unreadable()

    def trajectories(self) -> Iterator[Trajectory]:
        return cast(Texts, self.below).trajectories()
