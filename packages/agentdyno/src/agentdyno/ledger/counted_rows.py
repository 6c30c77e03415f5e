"""Makes every response of a ledger count once, whichever files it stands in.

Takes a ledger whose volumes are all there; keeps those rows in its tables that count, the rows of
trajectories that repeat something as they were read in `held_…`, and a row in `repeats` for every
occurrence that is left out. Everything is decided anew from what was read each time, so a file that
is added, changed or gone leads to the same ledger as if all had come at once.
"""

from collections.abc import Callable

import polars as pl
from msgspec import Struct

from agentdyno.ledger.checks import of_volume
from agentdyno.ledger.kinship import kinship
from agentdyno.ledger.reader import Ledger, empty_table, scan_files
from agentdyno.ledger.repeats import (
    TRAJECTORY_FACTS,
    TURN_FACTS,
    fill_in,
    has_two_names,
    left_out,
)
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.records.ledger import CALL_TIMES, COUNTED, HELD, KIN, TABLES

ID = "trajectory_id"
Frames = dict[str, pl.DataFrame]
"""Tables by name."""
Without = Callable[[Frames, pl.DataFrame, "Known"], Frames]
"""Takes tables, turns that do not count and what became known of others; returns the tables
computed again."""


class Known(Struct, frozen=True):
    """What occurrences that do not count know of those that do."""

    turns: pl.DataFrame
    """Cells to fill in, by trajectory and turn."""
    calls: pl.DataFrame
    """Times of tools, by trajectory and the provider's id of the call."""

    def of(self, trajectories: pl.Series) -> "Known":
        """What is known of these."""
        mine = pl.col(ID).is_in(trajectories.implode())
        return Known(self.turns.filter(mine), self.calls.filter(mine))


class _Facts(Struct, frozen=True):
    """What the choice rests on, of the whole ledger, as it was read."""

    turns: pl.DataFrame
    """`TURN_FACTS`, and the volume of each."""
    trajectories: pl.DataFrame
    """`TRAJECTORY_FACTS`, what is written of each one's kin, and its volume."""
    repeats: pl.DataFrame
    """What was left out before."""


def deduplicate(writer: LedgerWriter, without: Without) -> int:
    """Brings the ledger's tables in line with its volumes; returns how many turns are left out."""
    if writer.manifest.settled:  # Nothing came or went since all responses were counted.
        return sum(volume.rows.get("repeats", 0) for volume in writer.manifest.volumes.values())
    if _is_plain(writer):
        writer.settle({})
        return 0
    facts = _facts(writer)
    repeats = left_out(facts.turns, facts.trajectories)
    kin = _kin(writer, facts, repeats)
    filled = fill_in(facts.turns, repeats)
    known = Known(filled, _find_times(writer, facts, repeats, filled))
    changed = _find_changed(facts, repeats, filled)
    stale = _stale_volumes(facts, changed, kin)
    deduplicated = {
        volume: _deduplicate(writer, volume, repeats, known, kin, without) for volume in stale
    }
    theirs = facts.trajectories.filter(pl.col(ID).is_in(changed.implode()))
    writer.settle(deduplicated, set(theirs["source"]))
    return len(repeats)


def _is_plain(writer: LedgerWriter) -> bool:
    """Whether no response stands twice, none was left out before, and nobody has kin to find.

    Most ledgers are like that, and two columns tell.
    """
    if any(volume.rows.get("repeats") for volume in writer.manifest.volumes.values()):
        return False
    kin = _everywhere(writer, "trajectories", ["parent_id", "begins_midway"])
    if kin["parent_id"].count() or kin["begins_midway"].any():
        return False
    turns = _everywhere(writer, "turns", ["identity", "request_id"])
    return bool(turns["identity"].is_unique().all()) and not has_two_names(turns)


def _everywhere(writer: LedgerWriter, table: str, columns: list[str]) -> pl.DataFrame:
    files = [
        file.path
        for volume in writer.manifest.volumes
        for file in of_volume(writer.folder, writer.manifest, table, volume)
    ]
    if not files:
        return empty_table(table).select(columns)
    return scan_files(table, files).select(columns).collect()


# What is known ------------------------------------------------------------------------------------


def _facts(writer: LedgerWriter) -> _Facts:
    turns: list[pl.DataFrame] = []
    trajectories: list[pl.DataFrame] = []
    repeats: list[pl.DataFrame] = []
    written = [*dict.fromkeys([*TRAJECTORY_FACTS, *KIN])]
    for volume in writer.manifest.volumes:
        label = pl.lit(volume).alias("volume")
        held = _table(writer, HELD + "trajectories", volume, written)
        theirs = held[ID].implode()
        for table, columns, into in (
            ("turns", TURN_FACTS, turns),
            ("trajectories", written, trajectories),
        ):
            rows = _table(writer, table, volume, columns)
            untouched = rows.filter(~pl.col(ID).is_in(theirs)) if len(held) else rows
            as_read = _table(writer, HELD + table, volume, columns)
            into += [untouched.with_columns(label), as_read.with_columns(label)]
        repeats.append(_table(writer, "repeats", volume, [c.name for c in TABLES["repeats"]]))
    return _Facts(
        _concat(turns, "turns", TURN_FACTS),
        _concat(trajectories, "trajectories", written),
        pl.concat([empty_table("repeats"), *repeats]),
    )


def _concat(
    frames: list[pl.DataFrame], table: str, columns: tuple[str, ...] | list[str]
) -> pl.DataFrame:
    none = empty_table(table).select(columns).with_columns(volume=pl.lit("", dtype=pl.String))
    return pl.concat([none, *frames])


def _table(
    writer: LedgerWriter, table: str, volume: str, columns: list[str] | tuple[str, ...]
) -> pl.DataFrame:
    ledger = Ledger(writer.folder, writer.manifest)
    return ledger.scan_volume(table, volume).select(columns).collect()


def _kin(writer: LedgerWriter, facts: _Facts, repeats: pl.DataFrame) -> pl.DataFrame:
    """Who started whom; calls are looked through only where there are sub-agents."""
    expected = facts.trajectories["parent_call_id"].drop_nulls().unique()
    calls = [empty_table("calls").select(ID, "turn", "call_id")]
    if len(expected):
        for volume in writer.manifest.volumes:
            for table in ("calls", HELD + "calls"):
                rows = _table(writer, table, volume, [ID, "turn", "call_id"])
                calls.append(rows.filter(pl.col("call_id").is_in(expected.implode())))
    counted = pl.concat(calls).unique().join(repeats, on=[ID, "turn"], how="anti").sort(ID, "turn")
    return kinship(facts.trajectories, facts.turns, repeats, counted)


def _find_times(
    writer: LedgerWriter, facts: _Facts, repeats: pl.DataFrame, filled: pl.DataFrame
) -> pl.DataFrame:
    """When tools ran, by occurrences that do not count of turns that take something over."""
    theirs = repeats.filter(pl.col("counted_id").is_in(filled[ID].implode()))
    theirs = theirs.select(ID, "turn", "counted_id")
    mine = facts.turns.filter(pl.col(ID).is_in(theirs[ID].implode()))
    found = [empty_table("calls").select(ID, "call_id", *CALL_TIMES)]
    for volume in mine["volume"].unique():
        for table in ("calls", HELD + "calls"):
            rows = _table(writer, table, volume, [ID, "turn", "call_id", *CALL_TIMES])
            timed = rows.drop_nulls(["call_id", "wait_seconds"]).join(theirs, on=[ID, "turn"])
            found.append(timed.select(pl.col("counted_id").alias(ID), "call_id", *CALL_TIMES))
    return pl.concat(found).sort(ID, "call_id", *CALL_TIMES).unique([ID, "call_id"], keep="first")


def _find_changed(facts: _Facts, repeats: pl.DataFrame, filled: pl.DataFrame) -> pl.Series:
    """Trajectories of which other turns are left out, or filled in, than before."""
    columns = [ID, "turn", "counted_id", "counted_turn"]
    now, before = repeats.select(columns), facts.repeats.select(columns)
    came = now.join(before, on=columns, how="anti")
    went = before.join(now, on=columns, how="anti")
    theirs = came.filter(pl.col("counted_id").is_in(filled[ID].implode()))["counted_id"]
    return pl.concat([came[ID], went[ID], theirs, went["counted_id"]])


def _stale_volumes(facts: _Facts, changed: pl.Series, kin: pl.DataFrame) -> list[str]:
    """Volumes of trajectories whose rows say something else than they should."""
    written = facts.trajectories.select(ID, *KIN)
    moved = kin.join(written, on=[ID, *KIN], how="anti", nulls_equal=True)[ID]
    touched = pl.concat([changed, moved]).unique()
    found = facts.trajectories.filter(pl.col(ID).is_in(touched.implode()))
    return sorted(found["volume"].unique())


# What is written ----------------------------------------------------------------------------------


def _deduplicate(
    writer: LedgerWriter,
    volume: str,
    repeats: pl.DataFrame,
    known: Known,
    kin: pl.DataFrame,
    without: Without,
) -> Frames:
    """All tables of a volume, with only what counts in those that are added up."""
    frames = _as_read(writer, volume)
    mine = frames["trajectories"][ID]
    gone = repeats.filter(pl.col(ID).is_in(mine.implode()))
    own = known.of(mine)
    touched = pl.col(ID).is_in(pl.concat([gone[ID], own.turns[ID]]).unique().implode())
    held = {table: frame.filter(touched) for table, frame in frames.items()}
    counted = without(held, gone, own) if len(gone) or len(own.turns) else held
    tables = {
        table: pl.concat([frame.filter(~touched), counted[table]])
        for table, frame in frames.items()
    }
    tables["trajectories"] = _with_kin(tables["trajectories"], kin)
    bad = _table(writer, "bad_records", volume, [c.name for c in TABLES["bad_records"]])
    return {
        **tables,
        **{HELD + table: frame for table, frame in held.items()},
        "bad_records": bad,
        "repeats": gone,
    }


def _as_read(writer: LedgerWriter, volume: str) -> Frames:
    frames = {}
    for table, columns in COUNTED.items():
        names = [column.name for column in columns]
        held = _table(writer, HELD + table, volume, names)
        theirs = _table(writer, HELD + "trajectories", volume, [ID])[ID]
        rows = _table(writer, table, volume, names)
        frames[table] = pl.concat([rows.filter(~pl.col(ID).is_in(theirs.implode())), held])
    return frames


def _with_kin(trajectories: pl.DataFrame, kin: pl.DataFrame) -> pl.DataFrame:
    rest = trajectories.drop(KIN)
    return rest.join(kin, on=ID, how="left", maintain_order="left").select(trajectories.columns)
