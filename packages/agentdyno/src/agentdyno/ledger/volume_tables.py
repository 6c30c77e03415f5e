"""A ledger a volume at a time: tables that every study takes for a ledger's own, and their sums.

Takes an open ledger, returns `VolumeTables`. Whoever asks for sums that were kept has the rows
behind them checked all the same: no figure is made of a damaged file.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from agentdyno.ledger.checks import Named, current_files, of_volume, refuse_damage
from agentdyno.ledger.disk import digest
from agentdyno.ledger.given_paths import open_options
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.volume_sums import Sums, VolumeSums
from agentdyno.records.ledger import SCHEMA_VERSION
from agentdyno.records.local_days import describe_clock
from agentdyno.records.stages import STAGES
from agentdyno.regular_files import read_regular
from agentdyno.version import __version__

SUMS_VERSION = 15
"""Raised when a study's sums of a volume mean something else."""
CHECKED = ("trajectories", "turns", "parts", "calls", "repeats", "bad_records")
"""Tables whose files must be what was written for kept sums to be used."""
Scan = Callable[[str, list[str]], pl.LazyFrame]
"""A table and volumes -> their rows."""


class VolumeTables:
    """The tables of one volume, or of several, or one `piece` of so many of their trajectories."""

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        volumes: list[str],
        scan: Scan,
        piece: tuple[int, int] = (0, 1),
    ) -> None:
        self._folder, self._manifest, self._volumes, self._scan = folder, manifest, volumes, scan
        self._piece = piece
        self.options: dict[str, Any] = open_options(folder, manifest.volumes, manifest.options)
        self._is_checked = False

    @property
    def name(self) -> str:
        return str(self._folder)

    def has(self, table: str) -> bool:
        return bool(self._manifest.derived.get(table))

    def missing(self, table: str) -> dict[str, str]:
        """Inputs of the volume that a derived table could not speak of."""
        entries = current_files(self._manifest, table)
        return {n: w for e in entries if e.volume in self._volumes for n, w in e.missing.items()}

    def scan(self, table: str) -> pl.LazyFrame:
        rows, (number, pieces) = self._scan(table, self._volumes), self._piece
        is_own = pl.col("trajectory_id").hash() % pieces == number
        return rows.filter(is_own) if pieces > 1 else rows

    def read(self, table: str) -> pl.DataFrame:
        return self.scan(table).collect()

    def keep(
        self,
        name: str,
        work: Callable[["VolumeTables"], Sums],
        rests_on: object = None,
        derived: Sequence[str] = (),
    ) -> Sums:
        """The result of `work` on the volume, from an earlier run where that still holds.
        `rests_on` is what else decides it, `derived` names tables besides the measured ones."""
        key = self._find_key(rests_on, derived)
        if key is None:
            return work(self)
        sums = self._sums.find(name, key)
        if sums is None:
            sums = work(self)
            self._sums.add(name, key, sums)
        elif not self._is_checked:
            files = [file for table in CHECKED for file in self._files(table)]
            refuse_damage(self._folder, self._manifest, files)
            self._is_checked = True
        return sums

    def hint(self, name: str, work: Callable[["VolumeTables"], Sums]) -> Sums:
        """The same of what only says whether the volume is worth opening: where it was kept, no
        file of the volume is looked at."""
        key = self._find_key(None, ()) if len(self._volumes) == 1 else None
        if key is None:
            return work(self)
        sums = self._sums.find(name, key)
        if sums is None:
            sums = work(self)
            self._sums.add(name, key, sums)
        return sums

    def save_sums(self) -> None:
        """Keeps what was worked out for the next run."""
        if "_sums" in self.__dict__:
            self._sums.save()

    def _files(self, table: str) -> list[Named]:
        by_volume = (of_volume(self._folder, self._manifest, table, v) for v in self._volumes)
        return [file for files in by_volume for file in files]

    @cached_property
    def _sums(self) -> VolumeSums:
        [volume] = self._volumes
        return VolumeSums(self._folder, volume, self._piece[0])

    @cached_property
    def _identity(self) -> str | None:
        """Of the measured rows and how they are read; None where a file may have changed."""
        seals = [self._manifest.volumes[name].seals for name in self._volumes]
        if not all(seals):
            return None
        versions = (SUMS_VERSION, __version__, SCHEMA_VERSION, STAGES)
        facts = (*versions, self.options, seals, describe_clock())  # Sums are by local days.
        # Another version of polars may cut a volume otherwise.
        cut = (self._piece, pl.__version__) if self._piece[1] > 1 else ()
        files = _digest_files(self.options)
        return digest(msgspec.json.encode(msgspec.to_builtins((facts, files, *cut))))

    def _find_key(self, rests_on: object, derived: Sequence[str]) -> str | None:
        entries = [e for t in derived for e in current_files(self._manifest, t)]
        seals = [(e.file, e.seal) for e in entries if e.volume in self._volumes]
        if self._identity is None or any(seal is None for _, seal in seals):
            return None
        return digest(msgspec.json.encode(msgspec.to_builtins((self._identity, rests_on, seals))))


def _digest_files(options: dict[str, Any]) -> dict[str, str]:
    """Price tables and the like as they are now: a path may hold another one than it did."""
    file_options = {k: v for k, v in options.items() if k in ("hardware", "arch", "prices") and v}
    paths = {name: Path(str(value)) for name, value in file_options.items()}
    return {name: digest(read_regular(path)) for name, path in paths.items() if path.is_file()}
