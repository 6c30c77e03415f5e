"""The columns that decide which occurrence of a response counts, as they were read.

Takes volumes of a ledger, returns the few columns of their turns and trajectories, and what was
left out of them before. A trajectory that repeats something stands in the tables without it; its
rows as they were read are in `held_…`.
"""

from collections.abc import Sequence
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
    """The turns that were left out before, and the volume of each."""

    def select(self, trajectories: pl.Series) -> "Facts":
        if set(trajectories).issuperset(self.trajectories[ID]):
            return self
        is_among = pl.col(ID).is_in(trajectories.implode())
        return Facts(*(frame.filter(is_among) for frame in structs.astuple(self)))

    def find_differences(self, other: "Facts") -> set[str]:
        """The trajectories with a row that the other does not have."""
        changed: set[str] = set()
        for first_frame, other_frame in zip(
            structs.astuple(self), structs.astuple(other), strict=True
        ):
            # As rows where they are few: a query takes longer than to compare some by hand.
            if len(first_frame) + len(other_frame) <= FEW_TURNS:
                rows = [{row[:-1] for row in frame.rows()} for frame in (first_frame, other_frame)]
                changed.update(row[0] for row in rows[0] ^ rows[1])
                continue
            own_rows, other_rows = first_frame.drop(VOLUME), other_frame.drop(VOLUME)
            for first, second in ((own_rows, other_rows), (other_rows, own_rows)):
                changed.update(
                    first.join(second, on=first.columns, how="anti", nulls_equal=True)[ID]
                )
        return changed

    def are_plain(self) -> bool:
        """True when no response occurs twice, none was left out before, and nobody has kin to find:
        everything counts as it was read."""
        rows = self.trajectories
        has_kin = rows["parent_id"].count() or rows["begins_midway"].any()
        identities = self.turns["identity"].drop_nulls()
        has_totals = self.turns["stands_for"].count()
        if has_kin or has_totals or len(self.repeats):
            return False
        return identities.n_unique() == len(identities) and not has_two_names(self.turns)


class FactsReader:
    """Reads facts; those of small volumes, which never change, are read once."""

    def __init__(self) -> None:
        self._known: dict[str, Facts] = {}

    def read(self, ledger: Ledger, volumes: list[str]) -> Facts:
        new = [volume for volume in volumes if volume not in self._known]
        small = [v for v in new if ledger.manifest.volumes[v].rows.get("turns", 0) <= FEW_TURNS]
        if small:
            self._known |= _split(_read(ledger, small), small)
        read_before = [self._known[volume] for volume in volumes if volume in self._known]
        if len(read_before) == len(volumes) == 1:
            return read_before[0]
        newly_read = _read(ledger, [volume for volume in volumes if volume not in self._known])
        columns = zip(*map(structs.astuple, [*read_before, newly_read]), strict=True)
        return Facts(*(pl.concat(frames) for frames in columns))

    def forget(self, manifest: Manifest) -> None:
        """Lets go of volumes that the ledger no longer has."""
        self._known = {v: f for v, f in self._known.items() if v in manifest.volumes}


def _read(ledger: Ledger, volumes: list[str]) -> Facts:
    """Each table is read once for all volumes: to open files one by one takes longer."""
    repeating = read_volumes(ledger, HELD + "trajectories", volumes, TRAJECTORY_FACTS)
    frames = []
    for table, columns in (("turns", TURN_FACTS), ("trajectories", TRAJECTORY_FACTS)):
        rows = read_volumes(ledger, table, volumes, columns)
        if len(repeating):
            as_read = read_volumes(ledger, HELD + table, volumes, columns)
            rows = pl.concat([rows.join(repeating, on=[ID, VOLUME], how="anti"), as_read])
        frames.append(rows)
    repeats = read_volumes(ledger, "repeats", volumes, [c.name for c in TABLES["repeats"]])
    turns, trajectories = frames
    return Facts(turns, trajectories, repeats)


def _split(facts: Facts, volumes: list[str]) -> dict[str, Facts]:
    if len(volumes) == 1:
        return {volumes[0]: facts}
    frames = structs.astuple(facts)
    parts = [(frame.partition_by(VOLUME, as_dict=True), frame.clear()) for frame in frames]
    return {v: Facts(*(part.get((v,), none) for part, none in parts)) for v in volumes}


def read_volumes(
    ledger: Ledger, table: str, volumes: list[str], columns: Sequence[str]
) -> pl.DataFrame:
    """Some columns of volumes in a table, and the volume of each row behind them."""
    if not any(ledger.manifest.volumes[volume].rows.get(table, 0) for volume in volumes):
        return _none(table, tuple(columns))  # A query of nothing takes a while, too.
    return ledger.read_volumes(table, volumes, columns)


def read_columns(
    ledger: Ledger, table: str, volume: str, columns: list[str] | tuple[str, ...]
) -> pl.DataFrame:
    """Some columns of a volume in a table."""
    return ledger.scan_volume(table, volume).select(columns).collect()


@cache
def _none(table: str, columns: tuple[str, ...]) -> pl.DataFrame:
    """Not made at import: a query starts threads, which a forked process lacks."""
    return empty_table(table).select(columns).with_columns(pl.lit("").alias(VOLUME))
