"""Takes rows and texts out of a ledger's tables, and removes every file that still holds them.

Takes an open writer and what is to go; each volume that holds some of it is written anew without
it. Nothing is published here: whoever calls does all of it in one step, so that a kill leaves the
ledger as it was, and lets earlier generations go afterwards. Finds nothing itself.
"""

from collections.abc import Iterable
from pathlib import Path

import polars as pl
from msgspec import Struct, structs

from agentdyno.ledger.checks import find_named_files
from agentdyno.ledger.cleaning import Find, change_frame
from agentdyno.ledger.derived import Rows, write_derived
from agentdyno.ledger.disk import sync_folder
from agentdyno.ledger.drafts import start_draft
from agentdyno.ledger.file_names import (
    FOLDERS,
    FORMER_COPY,
    LAST_RUN,
    LIMITS,
    OURS,
    RECENT,
    SESSIONS,
    SPENT,
    STORE,
    SUMS,
    refuse_link,
)
from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.manifest import DerivedFile, Manifest, Piece, Provenance, keeps_secrets
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.records.ledger import DERIVED, TABLES


class Removal(Struct, frozen=True):
    """The rows and texts to remove."""

    find_texts: Find
    find_names: Find
    """Replacements of names and ids."""
    trajectories: frozenset[str] = frozenset()
    """Trajectories that go with all their rows."""
    inputs: frozenset[str] = frozenset()
    """Inputs of which nothing is left."""
    sources: frozenset[str] = frozenset()
    """The same, as the tables call them."""
    redacts: bool = False
    """True when rows that were measured with their secrets are like others from now on."""
    spares_kept: bool = False
    """True when these stay as they are."""
    drops_kin: bool = False
    """True when the remaining ones stop naming a removed one as their parent or predecessor:
    only when it is known who else is."""


class Removed(Struct):
    """Counts of what was removed from the tables."""

    rows: int = 0
    texts: int = 0
    """Cells of those that stay that hold another text now."""
    volumes: dict[str, str | None] = {}
    """By volume: the one in its place; None where nothing of it is left."""


def remove_from_tables(writer: LedgerWriter, removal: Removal) -> Removed:
    """Writes every volume anew that holds some of it, and names inputs as they are called now."""
    removed, manifest = Removed(), writer.manifest
    names = removal.find_names({*manifest.inputs, *(e.path for e in manifest.inputs.values())})
    manifest.inputs = {
        names.get(name, name): structs.replace(entry, path=names.get(entry.path, entry.path))
        for name, entry in manifest.inputs.items()
        if name not in removal.inputs
    }
    for volume in list(manifest.volumes):
        removed.volumes[volume] = _rewrite(writer, volume, removal, names, removed)
    for table, entry in [(t, e) for t, entries in manifest.derived.items() for e in entries]:
        if entry.volume is None and (files := _rewrite_derived(writer, [(table, entry)], removal)):
            writer.drop_derived([(table, entry.file)])
            manifest.derived[table] = [*manifest.derived[table], *files[table]]
    return removed


def _rewrite(
    writer: LedgerWriter, volume: str, removal: Removal, names: dict[str, str], removed: Removed
) -> str | None:
    """The volume that holds the remaining rows, which may be the same."""
    entry, ledger = writer.manifest.volumes[volume], Ledger(writer.folder, writer.manifest)
    if removal.spares_kept and keeps_secrets(entry.making):
        return volume
    remaining = [piece for piece in entry.pieces if piece.name not in removal.inputs]
    if not remaining and entry.pieces:
        removed.rows += sum(entry.rows.values())
        writer.drop({volume})
        return None
    before = {table: ledger.scan_volume(table, volume).collect() for table in TABLES}
    after = {table: _without(frame, removal) for table, frame in before.items()}
    pieces = [Piece(names.get(p.name, p.name), p.start, p.stop) for p in remaining]
    making = _redacted(entry.making) if removal.redacts else entry.making
    listed = writer.manifest.derived.items()
    derived = [(table, e) for table, entries in listed for e in entries if e.volume == volume]
    draft = start_draft(writer.unfinished, pieces, keep_secrets=True)
    files = _rewrite_derived(writer, derived, removal, draft.volume, names)
    is_same = all(after[table] is frame for table, frame in before.items())
    if is_same and not files and (pieces, making) == (entry.pieces, entry.making):
        return volume
    draft.add(after)
    removed.rows += sum(len(before[table]) - len(frame) for table, frame in after.items())
    removed.texts += sum(_count_changed(before[table], frame) for table, frame in after.items())
    if not files:  # Nothing of it changes, but it speaks of another volume now.
        same = Removal(_keep, _keep)
        files = _rewrite_derived(writer, derived, same, draft.volume, names, always=True)
    writer.exchange([volume], draft, files, making)
    return draft.volume


def _rewrite_derived(
    writer: LedgerWriter,
    entries: Iterable[tuple[str, DerivedFile]],
    removal: Removal,
    home: str | None = None,
    names: dict[str, str] | None = None,
    always: bool = False,
) -> dict[str, list[DerivedFile]]:
    """Files of derived tables anew; none where nothing in any of them changes."""
    ledger = Ledger(writer.folder, writer.manifest)
    rows = [(table, e, ledger.scan_file(table, e).collect()) for table, e in entries]
    after = [_without(frame, removal) for _, _, frame in rows]
    if not always and all(new is old for new, (_, _, old) in zip(after, rows, strict=True)):
        return {}
    files: dict[str, list[DerivedFile]] = {}
    for new, (table, entry, _) in zip(after, rows, strict=True):
        missing = {(names or {}).get(name, name): why for name, why in entry.missing.items()}
        new_rows = Rows(new, home, missing, entry.versions)
        files.setdefault(table, []).append(write_derived(writer.folder, table, new_rows))
        sync_folder(writer.folder / STORE / table)
    return files


def _keep(texts: object) -> dict[str, str]:
    return {}


def _redacted(making: Provenance) -> Provenance:
    reading = {name: value for name, value in making.reading.items() if name != "keep_secrets"}
    return structs.replace(making, reading=reading)


def _without(frame: pl.DataFrame, removal: Removal) -> pl.DataFrame:
    """The rows that stay, with other texts; the same frame where all stay as they are."""
    remaining = frame
    for column, gone in (("trajectory_id", removal.trajectories), ("source", removal.sources)):
        if gone and column in remaining.columns:
            remaining = remaining.filter(~pl.col(column).is_in(list(gone)).fill_null(False))
    if len(remaining) == len(frame):
        remaining = frame
    return change_frame(_without_kin(remaining, removal), removal.find_texts, removal.find_names)


def _without_kin(frame: pl.DataFrame, removal: Removal) -> pl.DataFrame:
    """Nobody's parent or predecessor is one that is gone."""
    gone = list(removal.trajectories) if removal.drops_kin else []
    kin = {"parent_id": ("parent_id", "parent_call_id"), "continues_id": ("continues_id",)}
    for column, cells in kin.items():
        if gone and column in frame.columns and frame[column].is_in(gone).any():
            is_gone = pl.col(column).is_in(gone)
            frame = frame.with_columns(
                pl.when(is_gone).then(None).otherwise(pl.col(cell)).alias(cell)
                for cell in (*cells[1:], cells[0])
            )
    return frame


def _count_changed(before: pl.DataFrame, after: pl.DataFrame) -> int:
    if before is after or len(before) != len(after):
        return 0
    texts = [name for name, dtype in before.schema.items() if dtype == pl.String]
    return sum(int(before[name].ne_missing(after[name]).sum()) for name in texts)


# What still holds it ------------------------------------------------------------------------------


def sweep(folder: Path, manifest: Manifest) -> list[int]:
    """Removes what no generation names, what killed runs left half-written, and what was worked out
    of rows; returns earlier generations that somebody is reading, whose files stay."""
    named = {
        f"{file.path.parent.name}/{file.path.name}"
        for table in (*TABLES, *DERIVED)
        for file in find_named_files(folder, manifest, table)
    }
    retired = {entry.file for entry in manifest.retired}
    for table in FOLDERS:
        for home, needed in ((folder / table, named), (folder / STORE / table, named | retired)):
            for path in _list_files(home):
                if OURS.fullmatch(path.name.lstrip(".")) and f"{table}/{path.name}" not in needed:
                    path.unlink(missing_ok=True)
    for name in (LAST_RUN, SESSIONS, SPENT, RECENT, LIMITS, FORMER_COPY):
        refuse_link(folder / name).unlink(missing_ok=True)
    for path in _list_files(folder / SUMS):
        path.unlink(missing_ok=True)
    for path in folder.rglob(".*.new"):
        refuse_link(path).unlink(missing_ok=True)
    return [g.number for g in list_generations(folder) if g.number != manifest.generation]


def _list_files(folder: Path) -> list[Path]:
    paths = refuse_link(folder).iterdir() if folder.is_dir() else ()
    return [refuse_link(path) for path in paths if path.is_file()]
