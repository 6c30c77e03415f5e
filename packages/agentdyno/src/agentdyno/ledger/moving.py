"""Moves the files of a draft into the tables' folders, and says which trajectories moved where.

Takes a ledger's folder and drafts; changes no manifest, so nothing that is moved counts yet.
Whoever calls syncs the folders of the tables before the manifest names what is in them.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from agentdyno.ledger.disk import sync_folder
from agentdyno.ledger.drafts import Draft
from agentdyno.ledger.file_names import EMPTY, table_file
from agentdyno.ledger.reader import Ledger, empty_table, scan_files
from agentdyno.records.ledger import HELD, TABLES
from agentdyno.records.secrets import clean_name

_NO_HOMES = pl.DataFrame(schema={"trajectory_id": pl.String, "volume": pl.String})


def make_tables(folder: Path, staging: Path) -> None:
    """A folder for every table, each with an empty file, so that a glob always finds one."""
    for table in TABLES:
        (folder / table).mkdir(exist_ok=True)
        empty, path = empty_table(table), table_file(folder, table, EMPTY)
        # An older ledger's lacks the columns that came since.
        if not _has_schema(path, empty):
            empty.write_parquet(staging / EMPTY)
            (staging / EMPTY).replace(path)
    sync_folder(folder)


def _has_schema(path: Path, empty: pl.DataFrame) -> bool:
    try:
        return pl.read_parquet_schema(path) == empty.schema
    except (pl.exceptions.PolarsError, OSError):
        return False


def move_in(folder: Path, draft: Draft) -> None:
    """The draft's measured tables."""
    # Trajectories come last: whoever looks in between finds no trajectory without its turns.
    for table in reversed(TABLES):
        for index, path in enumerate(_paths(folder, draft, table)):
            draft.path(table, index).replace(path)


def _paths(folder: Path, draft: Draft, table: str) -> list[Path]:
    """Where the draft's files of a table go."""
    many = len(draft.seals.get(table, []))
    return [table_file(folder, table, f"{draft.volume}-{index}.parquet") for index in range(many)]


def move_in_derived(folder: Path, draft: Draft) -> None:
    """What was derived while the draft was measured; syncs these folders itself."""
    for table, entry in draft.derived.items():
        if not (folder / table).is_dir():
            (folder / table).mkdir()
            sync_folder(folder)
        draft.path(table, 0).replace(table_file(folder, table, entry.file))
        sync_folder(folder / table)


def homes_of(folder: Path, draft: Draft, names: set[str] | None = None) -> pl.DataFrame:
    """The trajectories of a draft that has been moved in, of these inputs or of all."""
    found = []
    for table in ("trajectories", HELD + "trajectories"):
        if files := _paths(folder, draft, table):
            rows = scan_files(table, files).select("trajectory_id", "source").collect()
            theirs = rows if names is None else rows.filter(_is_from(names))
            found.append(theirs.select("trajectory_id", volume=pl.lit(draft.volume)))
    return all_homes(found).unique(maintain_order=True)


def all_homes(found: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Homes of several drafts in one frame, which may be empty."""
    return pl.concat([_NO_HOMES, *found])


def rows_without(ledger: Ledger, volume: str, names: set[str]) -> dict[str, pl.DataFrame]:
    """The rows of a volume that do not come from the inputs of these names."""
    frames = {table: ledger.scan_volume(table, volume).collect() for table in TABLES}
    theirs = _is_from(names)
    listed = [frames["trajectories"], frames[HELD + "trajectories"]]
    gone = pl.concat([frame.filter(theirs)["trajectory_id"] for frame in listed])
    kept = {}
    for table, frame in frames.items():
        if "source" in frame.columns:
            kept[table] = frame.filter(~theirs)
        else:
            kept[table] = frame.filter(~pl.col("trajectory_id").is_in(gone.implode()))
    return kept


def _is_from(names: set[str]) -> pl.Expr:
    """Whether a row comes from one of these inputs; a name may hold a secret, too."""
    return pl.col("source").is_in([*names, *map(clean_name, names)])
