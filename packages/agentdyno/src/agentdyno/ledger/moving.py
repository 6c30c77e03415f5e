"""Moves files into a ledger's store and links them into the tables' folders; says which
trajectories moved where.

Takes a ledger's folder and drafts; changes no manifest, so nothing that is moved counts yet.
Whoever calls syncs the store's folders before the manifest names what is in them. The tables'
folders are for other tools: they are brought in line when a writer opens the ledger.
"""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import polars as pl

from agentdyno.ledger.checks import find_named_files
from agentdyno.ledger.disk import make_folder, sync_folder, write_file
from agentdyno.ledger.drafts import Draft
from agentdyno.ledger.empty_files import encode_empty
from agentdyno.ledger.file_names import (
    EMPTY,
    GENERATIONS,
    OURS,
    STORE,
    SUMS,
    TEXTS,
    refuse_link,
    table_file,
)
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger, scan_files
from agentdyno.ledger.volume_sums import drop_sums
from agentdyno.records.ledger import DERIVED, HELD, REBUILT, TABLES
from agentdyno.records.secrets import clean_name
from agentdyno.records.secrets.cleaning import is_marked

LEFTOVER_SECONDS = 60
_NO_HOMES = pl.DataFrame(schema={"trajectory_id": pl.String, "volume": pl.String})


def make_tables(folder: Path, staging: Path) -> None:
    """A folder for every table, each with an empty file, so that a glob always finds one."""
    for table in TABLES:
        make_folder(folder / table)
        make_folder(folder / STORE / table)
        path = table_file(folder, table, EMPTY)
        # An older ledger's lacks the columns that came since.
        if _read(path) != encode_empty(table):
            write_file(staging / EMPTY, encode_empty(table))
            (staging / EMPTY).replace(path)
    sync_folder(folder / STORE)
    sync_folder(folder)


def link_files(folder: Path, manifest: Manifest) -> None:
    """Brings the tables' folders in line with the manifest: a link for each file that it names.
    What an earlier process wrote and never named goes, others' files stay."""
    retired = {entry.file for entry in manifest.retired}
    for table in (*TABLES, *DERIVED):
        named = {file.path.name for file in find_named_files(folder, manifest, table)}
        public, store = folder / table, folder / STORE / table
        if named:
            make_folder(store)
        for name in named:
            _link(store / name, public / name)
            _link(public / name, store / name)
        if table in TABLES or table in REBUILT:
            _remove_unnamed(public, named)
            _remove_unnamed(store, named | {n for n in _names(store) if f"{table}/{n}" in retired})
        else:
            _remove_unnamed(store, {n for n in _names(store) if not n.startswith(".")})
    for home in (folder, folder / GENERATIONS, folder / TEXTS):
        _remove_leftovers(home)
    current = {*manifest.volumes, *(file.partition("/")[2][:16] for file in retired)}
    drop_sums(folder, {name[:16] for name in _names(folder / SUMS)} - current)


def _link(source: Path, target: Path) -> None:
    """The same file under a second name; a copy on disks that have no such links."""
    if _has_bytes(target) or not _has_bytes(source):
        return
    target.unlink(missing_ok=True)
    try:
        os.link(refuse_link(source), target)
    except FileExistsError:
        return
    except OSError:
        staging = target.with_name(f".{target.name}")
        write_file(staging, source.read_bytes())
        staging.replace(target)


def _has_bytes(path: Path) -> bool:
    """Whether the file is there: without a byte it is what a full disk left of a copy."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def _names(folder: Path) -> list[str]:
    return os.listdir(folder) if folder.is_dir() else []


def _remove_unnamed(folder: Path, named: set[str]) -> None:
    for name in _names(folder):
        if name not in named and OURS.fullmatch(name.lstrip(".")):
            (folder / name).unlink(missing_ok=True)


def _remove_leftovers(folder: Path) -> None:
    """What a process that was killed had begun to write; what is young, another may be writing."""
    for path in folder.glob(".*.new"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > LEFTOVER_SECONDS:
                path.unlink()


def place(staging: Path, folder: Path, table: str, name: str) -> None:
    """Moves a file into the store, and links it where any tool finds it; the store's folder is the
    caller's to sync."""
    for home in (folder / STORE / table, folder / table):
        if not refuse_link(home).is_dir():
            make_folder(home)
            sync_folder(home.parent)
    stored = table_file(folder, table, name)
    staging.replace(stored)
    _link(stored, folder / table / name)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def move_in(folder: Path, draft: Draft) -> None:
    """The draft's measured tables."""
    # Trajectories come last: whoever looks in between finds no trajectory without its turns.
    for table in reversed(TABLES):
        for index, path in enumerate(_paths(folder, draft, table)):
            place(draft.path(table, index), folder, table, path.name)


def _paths(folder: Path, draft: Draft, table: str) -> list[Path]:
    """Target paths of the draft's files of a table."""
    many = len(draft.seals.get(table, []))
    return [table_file(folder, table, f"{draft.volume}-{index}.parquet") for index in range(many)]


def move_in_derived(folder: Path, draft: Draft) -> None:
    """Move in files derived while the draft was measured; syncs these folders itself."""
    for table, entry in draft.derived.items():
        place(draft.path(table, 0), folder, table, entry.file)
        sync_folder(folder / STORE / table)


def homes_of(folder: Path, drafts: Sequence[tuple[Draft, set[str] | None]]) -> pl.DataFrame:
    """The volumes of the trajectories of moved-in drafts, of these inputs or of all."""
    homes = [_NO_HOMES]
    for draft, names in drafts:
        for table in ("trajectories", HELD + "trajectories"):
            if files := _paths(folder, draft, table):
                rows = scan_files(table, files).select("trajectory_id", "source").collect()
                selected = rows if names is None else rows.filter(_is_from(names))
                homes.append(selected.select("trajectory_id", volume=pl.lit(draft.volume)))
    return pl.concat(homes).unique(maintain_order=True)


def rows_without(ledger: Ledger, volume: str, names: set[str]) -> dict[str, pl.DataFrame]:
    """The rows of a volume that do not come from the inputs of these names."""
    frames = {table: ledger.scan_volume(table, volume).collect() for table in TABLES}
    is_from_them = _is_from(names)
    listed = [frames["trajectories"], frames[HELD + "trajectories"]]
    gone = pl.concat([frame.filter(is_from_them)["trajectory_id"] for frame in listed])
    remaining = {}
    for table, frame in frames.items():
        if "source" in frame.columns:
            remaining[table] = frame.filter(~is_from_them)
        else:
            remaining[table] = frame.filter(~pl.col("trajectory_id").is_in(gone.implode()))
    return remaining


def _is_from(names: set[str]) -> pl.Expr:
    """True for rows from one of these inputs; a name may hold a secret, too."""
    source = pl.col("source")
    if any(map(is_marked, names)):  # With other options the rows have it as it was.
        source = source.map_elements(clean_name, pl.String)
    return source.is_in([*names, *map(clean_name, names)])
