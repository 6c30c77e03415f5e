"""Opens a ledger for reading: only what its manifest names, and only as it was written."""

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Self

import polars as pl

from agentdyno.ledger.checks import Named, find_named_files, of_volume, refuse_damage
from agentdyno.ledger.drafts import find_fresh
from agentdyno.ledger.given_paths import open_options
from agentdyno.ledger.manifest import DerivedFile, Manifest, Seal, open_generation
from agentdyno.ledger.volume_tables import VolumeTables
from agentdyno.records import InputError
from agentdyno.records.ledger import DERIVED, FORMER_NAMES, TABLES
from agentdyno.records.local_days import EARLIEST, LATEST
from agentdyno.records.schema import schema_of


class Ledger:
    def __init__(
        self, folder: Path, manifest: Manifest | None = None, as_of: str | None = None
    ) -> None:
        """`manifest`: by whoever is changing it; None reads the newest generation, or the one
        `as_of` a number or a day."""
        self.folder = folder
        self.manifest: Manifest = manifest or open_generation(folder, as_of)
        self._held: dict[str, pl.DataFrame] | None = None

    @property
    def name(self) -> str:
        return str(self.folder)

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options it was measured with, without files of somebody else."""
        return open_options(self.folder, self.manifest.volumes, self.manifest.options)

    def has(self, table: str) -> bool:
        return bool(self.manifest.derived.get(table))

    def missing(self, table: str) -> dict[str, str]:
        """Inputs that no file of a derived table could speak of, with the reason."""
        return missing_in(self.manifest.derived.get(table, []))

    def hold_tables(self) -> Self:
        """Reads small tables once, for whoever asks for them again and again."""
        self._held = {}
        return self

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily; its files are checked now."""
        files = find_named_files(self.folder, self.manifest, table)
        if self._held is None or not _are_few(files):
            return self._scan(table, files)
        if table not in self._held:
            self._held[table] = self._scan(table, files).collect()
        return self._held[table].lazy()

    def scan_volume(self, table: str, volume: str) -> pl.LazyFrame:
        """The rows of one volume in a table that `measure` wrote."""
        return self._scan_some(table, [volume])

    def scan_volumes(self, table: str, volumes: list[str]) -> pl.LazyFrame:
        """The rows of several volumes in a table that `measure` wrote, each with its `volume`."""
        return self._scan_volumes(table, self._find_files(table, volumes))

    def read_volumes(self, table: str, volumes: list[str], columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of several volumes, with the `volume` of each row behind them."""
        files = self._find_files(table, volumes)
        if files and (fresh := _find_fresh(table, files)):
            pairs = zip(fresh, files, strict=True)
            return pl.concat(_with_volume(frame, file, columns) for frame, file in pairs)
        return self._scan_volumes(table, files).select(*columns, "volume").collect()

    def _find_files(self, table: str, volumes: list[str]) -> list[Named]:
        """Those with rows; they are checked now."""
        files = [f for v in volumes for f in of_volume(self.folder, self.manifest, table, v)]
        refuse_damage(self.folder, self.manifest, files)
        return _with_rows(files)

    def _scan_volumes(self, table: str, files: list[Named]) -> pl.LazyFrame:
        if not files:
            return empty_table(table).with_columns(volume=pl.lit("")).lazy()
        if fresh := _find_fresh(table, files):
            pairs = zip(fresh, files, strict=True)
            return pl.concat(_with_volume(f, file, f.columns) for f, file in pairs).lazy()
        # A file's name begins with its volume's.
        volume = pl.col("file").str.extract(r"([0-9a-f]{16})-\d+\.parquet$", 1)
        rows = scan_files(table, [file.path for file in files], "file")
        return rows.with_columns(volume=volume).drop("file")

    @cached_property
    def volumes(self) -> list[VolumeTables]:
        """The ledger a volume at a time; a large one is cut by trajectories."""
        sizes = {name: v.rows.get("parts", 0) for name, v in self.manifest.volumes.items()}
        pieces = {name: -(-parts // MOST_PARTS) or 1 for name, parts in sizes.items()}
        return [
            self._choose([name], (n, pieces[name])) for name in sizes for n in range(pieces[name])
        ]

    def stretches(self) -> list[VolumeTables]:
        """The ledger in stretches of about as many parts: small volumes together, a large one cut
        by trajectories."""
        stretches: list[VolumeTables] = []
        group: list[str] = []
        for name in self.manifest.volumes:
            group.append(name)
            parts = sum(self.manifest.volumes[volume].rows.get("parts", 0) for volume in group)
            if parts >= STRETCH_PARTS or name == next(reversed(self.manifest.volumes)):
                pieces = -(-parts // (2 * STRETCH_PARTS)) or 1
                stretches += [self._choose(group, (n, pieces)) for n in range(pieces)]
                group = []
        return stretches

    def save_sums(self) -> None:
        """Keeps what was worked out of volumes for the next run, and lets go of them: they refer to
        the ledger, which would stay in memory with all that was read of it."""
        for volume in self.__dict__.pop("volumes", ()):
            volume.save_sums()

    def _choose(self, volumes: list[str], piece: tuple[int, int] = (0, 1)) -> VolumeTables:
        return VolumeTables(self.folder, self.manifest, volumes, self._scan_some, piece)

    def _scan_some(self, table: str, volumes: list[str]) -> pl.LazyFrame:
        if table in DERIVED:
            files = find_named_files(self.folder, self.manifest, table)
            return self._scan(table, [file for file in files if file.volume in volumes])
        by_volume = (of_volume(self.folder, self.manifest, table, volume) for volume in volumes)
        return self._scan(table, [file for files in by_volume for file in files])

    def scan_derived(self, table: str, volume: str | None) -> pl.LazyFrame:
        """The rows of a derived table that speak of one volume."""
        files = find_named_files(self.folder, self.manifest, table)
        return self._scan(table, [file for file in files if file.volume == volume])

    def scan_file(self, table: str, entry: DerivedFile) -> pl.LazyFrame:
        """The rows of one file of a derived table."""
        files = find_named_files(self.folder, self.manifest, table)
        return self._scan(table, [file for file in files if file.path.name == entry.file])

    def _scan(self, table: str, files: list[Named]) -> pl.LazyFrame:
        refuse_damage(self.folder, self.manifest, files)
        if not (files := _with_rows(files)):
            return empty_table(table).lazy()
        if fresh := _find_fresh(table, files):
            return pl.concat(fresh).lazy()
        return scan_files(table, [file.path for file in files])

    def read(self, table: str) -> pl.DataFrame:
        try:
            return self.scan(table).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(
                f"{self.folder / table}: expected the Parquet files that the manifest names, "
                f"found: {error}. Run: agentdyno ledger verify {self.folder}"
            ) from None


def _find_fresh(table: str, files: list[Named]) -> list[pl.DataFrame]:
    """The rows of these files from memory, where all of them are there."""
    fresh = [f for file in files if (f := _find_rows(table, file.seal)) is not None]
    return fresh if len(fresh) == len(files) else []


def _find_rows(table: str, seal: Seal | None) -> pl.DataFrame | None:
    rows = find_fresh(seal)
    return rows if rows is not None and _fits(table, seal) else None


@lru_cache(maxsize=64)  # To compare columns one by one takes longer than to read some of them.
def _fits(table: str, seal: Seal | None) -> bool:
    rows = find_fresh(seal)
    return rows is not None and rows.schema == empty_table(table).schema


def _with_volume(frame: pl.DataFrame, file: Named, columns: Sequence[str]) -> pl.DataFrame:
    """Put together column by column: a query takes ten times as long."""
    volume = pl.Series("volume", [file.volume] * len(frame), pl.String)
    return pl.DataFrame([*map(frame.get_column, columns), volume])


def _with_rows(files: list[Named]) -> list[Named]:
    """Many volumes have nothing for some tables; to open a file takes longer than to know it."""
    return [file for file in files if file.seal is None or file.seal.rows]


def _are_few(files: list[Named]) -> bool:
    return sum(file.seal.rows if file.seal else FEW_ROWS for file in files) < FEW_ROWS


TIMES = ("started_at", "ended_at")
FEW_ROWS = 100_000
"""Of a table that is held in memory."""
MOST_PARTS = 120_000
"""Parts that are summed up at once and kept; a volume of short chats has more."""
STRETCH_PARTS = 30_000
"""Parts that are read together where nothing is kept, up to twice as many."""


def missing_in(entries: Sequence[DerivedFile]) -> dict[str, str]:
    """Inputs that no file among these speaks of, with the reason; a volume may have several."""
    missing: dict[str, str] = {}
    by_volume: dict[str | None, list[dict[str, str]]] = {}
    for entry in entries:
        by_volume.setdefault(entry.volume, []).append(entry.missing)
    for first, *more in by_volume.values():
        missing |= {n: why for n, why in first.items() if all(n in other for other in more)}
    return missing


def scan_files(table: str, files: list[Path], path_column: str | None = None) -> pl.LazyFrame:
    """Files of a table, lazily; one that is older than a column has nulls there. `path_column`:
    the name of one more, for the path that a row comes from."""
    schema, former = _schema_of_files(table)
    rows = pl.scan_parquet(
        files,
        schema=schema,
        missing_columns="insert",
        extra_columns="ignore",
        include_file_paths=path_column,
    )
    renamed = [pl.coalesce(new, old).alias(new) for new, old in former.items()]
    rows = rows.with_columns(renamed).drop(former.values()) if former else rows
    # Older readers let any time in.
    plausible = [_clear_implausible(name) for name in TIMES if name in schema]
    return rows.with_columns(plausible) if plausible else rows


def _clear_implausible(column: str) -> pl.Expr:
    time = pl.col(column)
    return pl.when(time.is_between(EARLIEST, LATEST, closed="left")).then(time).alias(column)


@cache  # Every scan needs it, and one of a hundred columns takes as long to build as a small file.
def _schema_of_files(table: str) -> tuple[pl.Schema, dict[str, str]]:
    """Columns of today and of earlier ledgers, and today's names of those with their former."""
    today = empty_table(table).schema
    former = {new: old for new, old in FORMER_NAMES.items() if new in today}
    return pl.Schema({**today, **{old: today[new] for new, old in former.items()}}), former


def empty_table(table: str) -> pl.DataFrame:
    """A table without rows, in the ledger's shape."""
    return _build_empty(table).clone()


@cache  # To build one takes longer than to read a small file, and every scan needs one.
def _build_empty(table: str) -> pl.DataFrame:
    return pl.DataFrame(schema=schema_of((TABLES | DERIVED)[table]))
