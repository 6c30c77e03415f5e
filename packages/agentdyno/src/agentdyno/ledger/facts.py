"""What the choice of the occurrence that counts rests on, as it was read.

Takes volumes of a ledger, returns the few columns of their turns and trajectories, and what was
left out of them before. A trajectory that repeats something stands in the tables without it; its
rows as they were read are in `held_…`.
"""

from functools import cache

import polars as pl
from msgspec import Struct, structs

from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.ledger.repeats import TRAJECTORY_FACTS, TURN_FACTS, has_two_names
from agentdyno.records.ledger import HELD, TABLES

ID, VOLUME = "trajectory_id", "volume"
FEW_TURNS = 5_000
"""In a volume that is likely to be read again: that of a session which is being written."""


class Facts(Struct, frozen=True):
    """Of some volumes."""

    turns: pl.DataFrame
    """`TURN_FACTS`, and the volume of each."""
    trajectories: pl.DataFrame
    """`TRAJECTORY_FACTS`, and the volume of each."""
    repeats: pl.DataFrame
    """What was left out before."""

    def select(self, trajectories: pl.Series) -> "Facts":
        """Those of some trajectories."""
        mine = pl.col(ID).is_in(trajectories.implode())
        return Facts(*(frame.filter(mine) for frame in structs.astuple(self)))

    def find_differences(self, other: "Facts") -> pl.Series:
        """The trajectories of which either says something that the other does not."""
        found: list[pl.Series] = []
        for one, another in zip(structs.astuple(self), structs.astuple(other), strict=True):
            ours, theirs = (each.drop(VOLUME, strict=False) for each in (one, another))
            for left, right in ((ours, theirs), (theirs, ours)):
                found.append(left.join(right, on=left.columns, how="anti", nulls_equal=True)[ID])
        changed: pl.Series = pl.concat(found).unique()
        return changed

    def are_plain(self) -> bool:
        """Whether no response stands twice, none was left out before, and nobody has kin to find:
        everything counts as it was read."""
        rows = self.trajectories
        has_kin = rows["parent_id"].count() or rows["begins_midway"].any()
        known = self.turns["identity"].drop_nulls()
        has_totals = self.turns["stands_for"].count()
        if has_kin or has_totals or len(self.repeats):
            return False
        return known.n_unique() == len(known) and not has_two_names(self.turns)


class FactsReader:
    """Reads facts; those of small volumes, which never change, are read once."""

    def __init__(self) -> None:
        self._known: dict[str, Facts] = {}

    def read(self, ledger: Ledger, volumes: list[str]) -> Facts:
        """The facts of these volumes."""
        found = {volume: self._known.get(volume) or _read(ledger, volume) for volume in volumes}
        self._known |= {v: f for v, f in found.items() if len(f.turns) <= FEW_TURNS}
        columns = zip(*map(structs.astuple, [_none(), *found.values()]), strict=True)
        return Facts(*(pl.concat(frames) for frames in columns))

    def forget(self, manifest: Manifest) -> None:
        """Lets go of volumes that the ledger no longer has."""
        self._known = {v: f for v, f in self._known.items() if v in manifest.volumes}


def _read(ledger: Ledger, volume: str) -> Facts:
    held = read_columns(ledger, HELD + "trajectories", volume, TRAJECTORY_FACTS)
    found = []
    for table, columns in (("turns", TURN_FACTS), ("trajectories", TRAJECTORY_FACTS)):
        rows = read_columns(ledger, table, volume, columns)
        if len(held):
            as_read = read_columns(ledger, HELD + table, volume, columns)
            rows = pl.concat([rows.filter(~pl.col(ID).is_in(held[ID].implode())), as_read])
        found.append(rows.with_columns(pl.lit(volume).alias(VOLUME)))
    repeats = read_columns(ledger, "repeats", volume, [c.name for c in TABLES["repeats"]])
    turns, trajectories = found
    return Facts(turns, trajectories, repeats)


def read_columns(
    ledger: Ledger, table: str, volume: str, columns: list[str] | tuple[str, ...]
) -> pl.DataFrame:
    """Some columns of a volume in a table."""
    return ledger.scan_volume(table, volume).select(columns).collect()


@cache
def _none() -> Facts:
    """Of no volume. Not made at import: a query starts threads, which a forked process lacks."""
    no_volume = pl.lit("").alias(VOLUME)
    return Facts(
        empty_table("turns").select(TURN_FACTS).with_columns(no_volume),
        empty_table("trajectories").select(TRAJECTORY_FACTS).with_columns(no_volume),
        empty_table("repeats"),
    )
