"""Makes every response of a ledger count once, whichever files it stands in.

Takes a ledger whose volumes are all there; keeps those rows in its tables that count, the rows of
trajectories that repeat something as they were read in `held_…`, and a row in `repeats` for every
occurrence that is left out. Everything that a change may concern (`connections`) is decided anew
from what was read, so a file that is added, changed or gone leads to the same ledger as if all had
come at once.
"""

from collections.abc import Callable
from functools import partial

import polars as pl
from msgspec import Struct, structs

from agentdyno.ledger.checks import of_volume
from agentdyno.ledger.connections import Connections
from agentdyno.ledger.facts import ID, VOLUME, Facts, read_columns, read_volumes
from agentdyno.ledger.kinship import kinship
from agentdyno.ledger.manifest import Volume
from agentdyno.ledger.reader import Ledger, empty_table, scan_files
from agentdyno.ledger.repeats import KEYS, fill_in, find_repeats, has_two_names
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.records import InputError
from agentdyno.records.ledger import CALL_TIMES, COUNTED, HELD, KIN, TABLES

Frames = dict[str, pl.DataFrame]
"""Tables by name."""
Without = Callable[[Frames, pl.DataFrame, "FilledFacts"], Frames]
"""Takes tables, turns that do not count and what became known of others; returns the tables
computed again."""


class FilledFacts(Struct, frozen=True):
    """Facts about counted turns that only their uncounted occurrences hold."""

    turns: pl.DataFrame
    """Cells to fill in, by trajectory and turn."""
    calls: pl.DataFrame
    """Times of tools, by trajectory and the provider's id of the call."""

    def of(self, trajectories: pl.Series) -> "FilledFacts":
        is_among = pl.col(ID).is_in(trajectories.implode())
        return FilledFacts(self.turns.filter(is_among), self.calls.filter(is_among))


class _Scope(Struct, frozen=True):
    """The volumes and trajectories that may count otherwise than before."""

    volumes: list[str]
    trajectories: pl.Series | None = None
    """Their ids; None for all."""


def deduplicate(
    writer: LedgerWriter, without: Without, connections: Connections | None = None
) -> int:
    """Brings the ledger's tables in line with its volumes; returns how many turns are left out.
    `connections`: of this ledger, from whoever has looked before."""
    if not writer.manifest.settled:  # Else nothing came or went since all responses were counted.
        connected = connections or Connections()
        scope = _find_scope(writer, connected)
        if scope.trajectories is None and _is_plain(writer):
            writer.deduplicate()
        else:
            _count_again(writer, scope, connected, without)
    return sum(volume.rows.get("repeats", 0) for volume in writer.manifest.volumes.values())


def _count_again(
    writer: LedgerWriter, scope: _Scope, connections: Connections, without: Without
) -> None:
    ledger = Ledger(writer.folder, writer.manifest)
    facts = connections.facts.read(ledger, scope.volumes)
    if scope.trajectories is not None:
        facts = facts.select(scope.trajectories)
        if facts.are_plain():
            writer.deduplicate()
            return
    repeats = find_repeats(facts.turns, facts.trajectories)
    kin = _kin(ledger, scope.volumes, facts, repeats)
    filled = fill_in(facts.turns, repeats)
    changed = _find_changed(facts, repeats, filled)
    stale = _find_stale_volumes(ledger, scope.volumes, facts, changed, kin)
    if scope.trajectories is not None and _has_filled(ledger, stale, facts):
        _count_again(writer, _Scope(list(writer.manifest.volumes)), connections, without)
        return
    extra = FilledFacts(filled, _find_times(ledger, facts, repeats, filled))
    within = None if scope.trajectories is None else facts.trajectories[ID]
    choice = _Choice(repeats, extra, kin, within)
    recounted = facts.trajectories.filter(pl.col(ID).is_in(changed.implode()))
    counts = {v: partial(_deduplicate, ledger, v, choice, without) for v in stale}
    writer.deduplicate(counts, set(recounted["source"]))


def _find_scope(writer: LedgerWriter, connections: Connections) -> _Scope:
    """Everything connected with what came, went or changed; all, where that is unknown or most of
    it.
    """
    before, now = writer.counted, writer.manifest.volumes
    new = {name: volume for name, volume in now.items() if name not in (before or {})}
    if before is None or 2 * _count_turns(new) > _count_turns(now):
        return _Scope(list(now))
    gone = {name: volume for name, volume in before.items() if name not in now}
    both = structs.replace(writer.manifest, volumes={**now, **gone})
    ledger = Ledger(writer.folder, both)
    try:
        facts_now, facts_before = (
            connections.facts.read(ledger, list(some)) for some in (new, gone)
        )
        changed = facts_now.find_differences(facts_before)
        connections.update(writer.folder, both)
    except (InputError, OSError, pl.exceptions.PolarsError):
        return _Scope(list(now))  # What went cannot be read any more.
    connected = connections.find(changed)
    connections.update(writer.folder, writer.manifest)
    ids = pl.Series([i for ids in connected.values() for i in ids], dtype=pl.String)
    return _Scope([volume for volume in now if volume in connected], ids)


def _count_turns(volumes: dict[str, Volume]) -> int:
    return sum(volume.rows.get("turns", 0) for volume in volumes.values())


def _is_plain(writer: LedgerWriter) -> bool:
    """True when no response occurs twice, none was left out before, and nobody has kin to find.

    Most ledgers are like that, and two columns show it.
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


def _kin(ledger: Ledger, volumes: list[str], facts: Facts, repeats: pl.DataFrame) -> pl.DataFrame:
    """The parent of each trajectory; calls are looked through only where there are sub-agents."""
    expected = facts.trajectories["parent_call_id"].drop_nulls().unique()
    calls = [empty_table("calls").select(ID, "turn", "call_id")]
    if len(expected):
        for table in ("calls", HELD + "calls"):
            rows = ledger.scan_volumes(table, volumes).select(ID, "turn", "call_id")
            calls.append(rows.filter(pl.col("call_id").is_in(expected.implode())).collect())
    counted = pl.concat(calls).unique().join(repeats, on=[ID, "turn"], how="anti").sort(ID, "turn")
    return kinship(facts.trajectories, facts.turns, repeats, counted)


def _has_filled(ledger: Ledger, volumes: list[str], facts: Facts) -> bool:
    """True when volumes hold turns, outside of these facts, that were filled in from others: it is
    not written down with what, so those are looked at too."""
    for volume in volumes:
        as_read = read_columns(ledger, HELD + "trajectories", volume, [ID])
        gone = read_columns(ledger, "repeats", volume, [ID])
        examined = pl.concat([gone[ID], facts.trajectories[ID]])
        if len(as_read.filter(~pl.col(ID).is_in(examined.implode()))):
            return True
    return False


def _find_times(
    ledger: Ledger, facts: Facts, repeats: pl.DataFrame, filled: pl.DataFrame
) -> pl.DataFrame:
    """When tools ran, by occurrences that do not count of turns that take something over."""
    uncounted = repeats.filter(pl.col("counted_id").is_in(filled[ID].implode()))
    uncounted = uncounted.select(ID, "turn", "counted_id")
    their_turns = facts.turns.filter(pl.col(ID).is_in(uncounted[ID].implode()))
    times = [empty_table("calls").select(ID, "call_id", *CALL_TIMES)]
    for volume in their_turns[VOLUME].unique():
        for table in ("calls", HELD + "calls"):
            rows = read_columns(ledger, table, volume, [ID, "turn", "call_id", *CALL_TIMES])
            timed = rows.drop_nulls(["call_id", "wait_seconds"]).join(uncounted, on=[ID, "turn"])
            times.append(timed.select(pl.col("counted_id").alias(ID), "call_id", *CALL_TIMES))
    return pl.concat(times).sort(ID, "call_id", *CALL_TIMES).unique([ID, "call_id"], keep="first")


def _find_changed(facts: Facts, repeats: pl.DataFrame, filled: pl.DataFrame) -> pl.Series:
    """Trajectories of which other turns are left out, or filled in, than before."""
    columns = [ID, "turn", "counted_id", "counted_turn"]
    now, before = repeats.select(columns), facts.repeats.select(columns)
    came = now.join(before, on=columns, how="anti")
    went = before.join(now, on=columns, how="anti")
    newly_filled = came.filter(pl.col("counted_id").is_in(filled[ID].implode()))["counted_id"]
    return pl.concat([came[ID], went[ID], newly_filled, went["counted_id"]])


def _find_stale_volumes(
    ledger: Ledger, volumes: list[str], facts: Facts, changed: pl.Series, kin: pl.DataFrame
) -> list[str]:
    """Volumes of trajectories whose rows say something else than they should."""
    written = read_volumes(ledger, "trajectories", volumes, [ID, *KIN])
    moved = kin.join(written, on=[ID, *KIN], how="anti", nulls_equal=True)[ID]
    touched = pl.concat([changed, moved]).unique()
    stale = facts.trajectories.filter(pl.col(ID).is_in(touched.implode()))
    return sorted(stale[VOLUME].unique())


# What is written ----------------------------------------------------------------------------------


class _Choice(Struct, frozen=True):
    repeats: pl.DataFrame
    """Turns that do not count."""
    filled_facts: FilledFacts
    """The facts that they add to those that do."""
    kin: pl.DataFrame
    trajectories: pl.Series | None
    """Of which it was; None for all."""

    def in_volume(self, ledger: Ledger, volume: str) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The turns of a volume that do not count, and the kin of its trajectories: as they were
        where nothing was decided."""
        written = read_columns(ledger, "trajectories", volume, [ID, *KIN])
        as_read = read_columns(ledger, HELD + "trajectories", volume, [ID])
        every = pl.concat([written[ID], as_read[ID]]).unique()
        gone = self.repeats.filter(pl.col(ID).is_in(every.implode()))
        if self.trajectories is None:
            return gone, self.kin
        other = ~pl.col(ID).is_in(self.trajectories.implode())
        before = read_columns(ledger, "repeats", volume, gone.columns).filter(other)
        return pl.concat([gone, before]).sort(KEYS), pl.concat([self.kin, written.filter(other)])


def _deduplicate(ledger: Ledger, volume: str, choice: _Choice, without: Without) -> Frames:
    """All tables of a volume, with only what counts in those that are added up."""
    frames = read_as_measured(ledger, volume)
    gone, kin = choice.in_volume(ledger, volume)
    facts = choice.filled_facts.of(frames["trajectories"][ID])
    touched = pl.col(ID).is_in(pl.concat([gone[ID], facts.turns[ID]]).unique().implode())
    repeating = {table: frame.filter(touched) for table, frame in frames.items()}
    counted = without(repeating, gone, facts) if len(gone) or len(facts.turns) else repeating
    tables = {
        table: pl.concat([frame.filter(~touched), counted[table]])
        for table, frame in frames.items()
    }
    tables["trajectories"] = _with_kin(tables["trajectories"], kin)
    bad = read_columns(ledger, "bad_records", volume, [c.name for c in TABLES["bad_records"]])
    return {
        **tables,
        **{HELD + table: frame for table, frame in repeating.items()},
        "bad_records": bad,
        "repeats": gone,
    }


def read_as_measured(ledger: Ledger, volume: str) -> Frames:
    """The rows of a volume as they were read, whether they count or not."""
    frames = {}
    repeating = read_columns(ledger, HELD + "trajectories", volume, [ID])[ID]
    for table, columns in COUNTED.items():
        names = [column.name for column in columns]
        as_read = read_columns(ledger, HELD + table, volume, names)
        rows = read_columns(ledger, table, volume, names)
        frames[table] = pl.concat([rows.filter(~pl.col(ID).is_in(repeating.implode())), as_read])
    return frames


def _with_kin(trajectories: pl.DataFrame, kin: pl.DataFrame) -> pl.DataFrame:
    without_kin = trajectories.drop(KIN)
    return without_kin.join(kin, on=ID, how="left", maintain_order="left").select(
        trajectories.columns
    )
