"""Ledgers of several machines as one, in which every response counts once.

Takes ledgers, writes another; the ones that it takes stay as they are. Files of the same name keep
it in the first ledger and have their ledger's name before it in the others. No trace is read: rows
come as they were read from the traces, and which responses count is worked out anew. What was
derived comes along where it still speaks of the same turns.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from msgspec import Struct, structs

from agentdyno.ledger.checks import all_files, current_files, find_damaged
from agentdyno.ledger.counted_rows import read_as_measured
from agentdyno.ledger.derived import Rows, write_derived
from agentdyno.ledger.drafts import start_draft
from agentdyno.ledger.manifest import DerivedFile, exists
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.deduplicate import deduplicate_ledger
from agentdyno.pipelines.session_states import keep_states
from agentdyno.records import InputError
from agentdyno.records.ledger import HELD, TABLES
from agentdyno.records.secrets import clean_name

ID = "trajectory_id"
REFER = (ID, "parent_id", "continues_id", "counted_id")
"""Columns that name a trajectory."""


class Merged(Struct, frozen=True):
    """What a merge did."""

    ledger: Path
    files: int
    """Traces behind it, copies included."""
    turns: int
    repeats: int
    """Responses that stood in several places, and count once."""


def merge_ledgers(sides: Sequence[Path], out: Path) -> Merged:
    """Writes the ledger; all of it appears in one step."""
    if exists(out) or (out.is_dir() and any(out.iterdir())):
        raise InputError(f"{out}: expected a new or an empty folder, found files in it.")
    ledgers = [Ledger(side) for side in sides]
    for ledger in ledgers:
        if damages := find_damaged(all_files(ledger.folder, ledger.manifest)):
            raise InputError(
                f"{ledger.folder}: expected a sound ledger, found {len(damages)} damaged files. "
                f"Run: agentdyno ledger verify {ledger.folder}"
            )
    options = ledgers[0].manifest.options
    with LedgerWriter(out, options) as writer:
        with writer.in_one_step():
            for index, ledger in enumerate(ledgers):
                _take_in(writer, ledger, f"{index + 1}-{ledger.folder.resolve().name}")
        repeats = deduplicate_ledger(writer, options.get("cache", "evicted"))
        volumes = writer.manifest.volumes.values()
        turns = sum(volume.rows.get("turns", 0) for volume in volumes)
        files = len(writer.manifest.inputs)
    keep_states(out)
    return Merged(out, files, turns, repeats)


def _take_in(writer: LedgerWriter, ledger: Ledger, label: str) -> None:
    """Every volume of a ledger, under names that are free."""
    manifest = ledger.manifest
    used = writer.manifest.inputs.keys()
    names = {name: f"{label}/{name}" if name in used else name for name in manifest.inputs}
    ids = _rename_ids(ledger, names)
    for volume, entry in manifest.volumes.items():
        pieces = [structs.replace(piece, name=names.get(piece.name, piece.name))
                  for piece in entry.pieces]  # fmt: skip
        draft = start_draft(writer.unfinished, pieces, keep_secrets=True)
        frames = read_as_measured(ledger, volume)
        bad = ledger.scan_volume("bad_records", volume).collect()
        every = {**frames, "bad_records": bad}
        empty = {table: ledger.scan_volume(table, volume).head(0).collect() for table in TABLES}
        draft.add({table: _rename(every.get(table, empty[table]), names, ids) for table in TABLES})
        derived = _carry(writer, ledger, volume, draft.volume, names, ids)
        writer.take_in(draft, entry.making, derived)
    for name, source in manifest.inputs.items():
        writer.manifest.inputs[names[name]] = source


def _rename_ids(ledger: Ledger, names: dict[str, str]) -> dict[str, str]:
    """Trajectories by their new ids; those that keep theirs are not among them."""
    moved = {clean_name(old): new for old, new in names.items() if old != new}
    if not moved:
        return {}
    tables = (ledger.read(table).select(ID, "source") for table in
              ("trajectories", f"{HELD}trajectories"))  # fmt: skip
    rows = pl.concat([*tables]).unique().filter(pl.col("source").is_in([*moved]))
    return {id: f"{moved[source].removesuffix(source)}{id}" for id, source in rows.iter_rows()}


def _rename(frame: pl.DataFrame, names: dict[str, str], ids: dict[str, str]) -> pl.DataFrame:
    moved = {clean_name(old): new for old, new in names.items() if old != new}
    if not moved:
        return frame
    columns = [pl.col(name).replace(ids) for name in REFER if name in frame.columns]
    if "source" in frame.columns:
        columns.append(pl.col("source").replace(moved))
    return frame.with_columns(columns)


def _carry(
    writer: LedgerWriter,
    ledger: Ledger,
    volume: str,
    home: str,
    names: dict[str, str],
    ids: dict[str, str],
) -> dict[str, list[DerivedFile]]:
    """What was said of the volume, said of its copy."""
    derived: dict[str, list[DerivedFile]] = {}
    for table in ledger.manifest.derived:
        for entry in current_files(ledger.manifest, table):
            if entry.volume == volume:
                rows = _rename(ledger.scan_file(table, entry).collect(), names, ids)
                missing = {names.get(name, name): why for name, why in entry.missing.items()}
                written = Rows(rows, home, missing, entry.versions)
                derived.setdefault(table, []).append(write_derived(writer.folder, table, written))
    return derived
