"""Whether a ledger is whole: every byte, row and source is checked, and nothing changed."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import polars as pl
from msgspec import Struct

from agentdyno.ledger.checks import all_files, find_damaged, find_named_files
from agentdyno.ledger.file_names import FORMER_COPY, GENERATIONS, NAME
from agentdyno.ledger.generations import find_newest
from agentdyno.ledger.manifest import Manifest, load, read_manifest
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.whole_folder import check_folder
from agentdyno.pipelines.source_access import SourceAccess
from agentdyno.pipelines.sources import find_missing_traces
from agentdyno.pipelines.versions import old_rows
from agentdyno.records import InputError
from agentdyno.records.ledger import DERIVED, TABLES
from agentdyno.studies.outdated import OldRows


class Health(Struct, frozen=True):
    """What `verify` found."""

    ledger: Path
    files: int
    """Files that were read to their last byte."""
    damaged: list[str]
    """Files that are not what was written, each with its problem."""
    contradictions: list[str]
    """Where the tables contradict each other or the manifest."""
    not_covered: dict[str, str]
    """Files that no digest covers, by their place in the folder, with the reason."""
    unsealed: int
    """Files of an older version that have no digest to be checked against."""
    sources_missing: dict[str, str]
    """Inputs that are gone or changed, with the reason; their rows stay."""
    makings: dict[str, int]
    """Volumes by what made them."""
    old: OldRows | None
    """What an older version measured; None where nothing is old. No damage."""

    @property
    def is_sound(self) -> bool:
        """Whether every figure of the ledger rests on what was written."""
        return not self.damaged and not self.contradictions


def verify(folder: Path) -> Health:
    """Reads everything the ledger holds and compares it with what was written."""
    manifest = load(folder)
    files = all_files(folder, manifest)
    damages = find_damaged(files)
    problems = [f"{d.file.path}: {d.problem}" for d in damages]
    check = check_folder(folder, manifest)
    problems += [f"{damage.path}: {damage.problem}" for damage in check.damaged]
    return Health(
        ledger=folder,
        files=len(files) + check.files,
        damaged=[*_manifest_problems(folder, manifest), *problems],
        contradictions=[] if damages else find_contradictions(folder, manifest),
        not_covered=check.not_covered,
        unsealed=sum(file.seal is None for file in files),
        sources_missing=find_missing_traces(manifest, SourceAccess(folder, manifest.volumes)),
        makings=_makings(manifest),
        old=old_rows(manifest),
    )


def _manifest_problems(folder: Path, manifest: Manifest) -> list[str]:
    problems = []
    copies = {1: [], 2: [FORMER_COPY], 3: [FORMER_COPY]}.get(manifest.layout)
    newest = [find_newest(folder)] if copies is None else [folder / name for name in copies]
    for path in (folder / NAME, *newest):
        try:
            if path is None:
                raise FileNotFoundError
            read_manifest(path)
        except FileNotFoundError:
            problems.append(f"{path or folder / GENERATIONS}: expected the file, found none")
        except (InputError, OSError) as error:
            problems.append(str(error))
    return problems


def _makings(manifest: Manifest) -> dict[str, int]:
    counted: dict[str, int] = {}
    for volume in manifest.volumes.values():
        reading = msgspec.json.encode(volume.making.reading).decode()
        key = f"{volume.making.software}, schema {volume.making.schema_version}, {reading}"
        counted[key] = counted.get(key, 0) + 1
    return counted


def find_contradictions(folder: Path, manifest: Manifest) -> list[str]:
    """Where tables that are as they were written make no sense together, in sentences."""
    ledger = Ledger(folder, manifest)
    return [*_row_counts(ledger), *_orphans(ledger), *_sums(ledger)]


def _row_counts(ledger: Ledger) -> Iterator[str]:
    for table in (*TABLES, *DERIVED):
        files = find_named_files(ledger.folder, ledger.manifest, table)
        for file in files:
            rows = pl.scan_parquet(file.path).select(pl.len()).collect().item()
            if file.seal is not None and rows != file.seal.rows:
                yield f"{file.path}: expected {file.seal.rows:,} rows, found {rows:,}"


def _orphans(ledger: Ledger) -> Iterator[str]:
    trajectory_ids = ledger.scan("trajectories").select("trajectory_id").collect()
    twice = len(trajectory_ids) - trajectory_ids["trajectory_id"].n_unique()
    if twice:
        yield f"{ledger.folder}: {twice:,} trajectory ids stand twice"
    for table in ("turns", "calls", "parts"):
        lost = ledger.scan(table).join(trajectory_ids.lazy(), on="trajectory_id", how="anti")
        if many := lost.select(pl.len()).collect().item():
            yield f"{ledger.folder}: {many:,} rows of {table} belong to no trajectory"


def _sums(ledger: Ledger) -> Iterator[str]:
    trajectories = ledger.scan("trajectories").select("turns", "calls").sum().collect()
    for table in ("turns", "calls"):
        expected = trajectories[table].item() or 0
        actual = ledger.scan(table).select(pl.len()).collect().item()
        if expected != actual:
            yield (
                f"{ledger.folder}: trajectories have {expected:,} {table}, the table has {actual:,}"
            )
