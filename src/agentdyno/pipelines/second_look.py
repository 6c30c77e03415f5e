"""Tables that need the texts again: the traces are read once for all tables that are due.

Enters a ledger and what is wanted of it; leaves the tables brought up to date, volume by volume.
The ledger keeps numbers, not texts, so the files it was measured from are read a second time; those
that are gone or have changed are named. Knows nothing of what the tables say.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.intake.format import load_formats
from agentdyno.ledger.derived import add_derived, covered
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.pipelines.sources import missing_inputs, volume_trajectories
from agentdyno.records import Trajectory

TOGETHER = 2_000
"""Parts of trajectories that are held and looked at together."""

Frames = dict[str, pl.DataFrame]
"""Rows by table."""


class Derivation(Struct, frozen=True):
    """Tables that are made from trajectories in one go."""

    tables: tuple[str, ...]
    """Written for every volume; a volume that has them is done."""
    begin: Callable[[Ledger, str], Callable[[Sequence[Trajectory]], Frames]]
    """Given the ledger and a volume: what makes rows of its trajectories, some at a time."""
    where_any: tuple[str, ...] = ()
    """Written only where there are rows."""


def look_again(folder: Path, derivations: Sequence[Derivation]) -> None:
    """Brings the tables of these derivations up to date with the ledger."""
    ledger = Ledger(folder)
    due = {volume: _due(ledger.manifest, volume, derivations) for volume in ledger.manifest.volumes}
    missing = unreadable_inputs(ledger.manifest) if any(due.values()) else {}
    for volume, wanted in due.items():
        if wanted:
            _derive(ledger, volume, wanted, missing)


def _due(manifest: Manifest, volume: str, derivations: Sequence[Derivation]) -> list[Derivation]:
    return [d for d in derivations if any(volume not in covered(manifest, t) for t in d.tables)]


def _derive(
    ledger: Ledger, volume: str, wanted: Sequence[Derivation], missing: dict[str, str]
) -> None:
    names = {piece.name for piece in ledger.manifest.volumes[volume].pieces}
    gone = {name: reason for name, reason in missing.items() if name in names}
    makers = [derivation.begin(ledger, volume) for derivation in wanted]
    found: dict[str, list[pl.DataFrame]] = {}
    for some in _batches(volume_trajectories(ledger, volume, gone)):
        for make in makers:
            for table, rows in make(some).items():
                found.setdefault(table, []).append(rows)
    for table, rows in _to_write(ledger, volume, wanted, found):
        add_derived(ledger.folder, table, rows, volume, gone)


def _batches(trajectories: Iterable[Trajectory]) -> Iterator[list[Trajectory]]:
    some: list[Trajectory] = []
    for trajectory in trajectories:
        some.append(trajectory)
        if sum(len(each.parts) for each in some) >= TOGETHER:
            yield some
            some = []
    if some:
        yield some


def _to_write(
    ledger: Ledger,
    volume: str,
    wanted: Sequence[Derivation],
    found: dict[str, list[pl.DataFrame]],
) -> Iterator[tuple[str, pl.DataFrame]]:
    """What marks the volume as done comes last, so that an interruption costs only itself."""
    for derivation in wanted:
        for table in (*derivation.where_any, *derivation.tables):
            rows = pl.concat([empty_table(table), *found.get(table, [])])
            is_there = volume in covered(ledger.manifest, table)
            if not is_there and (table in derivation.tables or len(rows)):
                yield table, rows


def unreadable_inputs(manifest: Manifest) -> dict[str, str]:
    """Inputs that cannot be read again, with the reason."""
    formats = load_formats()
    reasons = {
        name: f"its format {entry.format} is not installed"
        for name, entry in manifest.inputs.items()
        if entry.format not in formats
    }
    return reasons | missing_inputs(manifest)


def unread_inputs(ledger: Ledger, table: str) -> dict[str, str]:
    """Inputs that the table could not speak of, with the reason."""
    entries = ledger.manifest.derived.get(table, [])
    return {name: reason for entry in entries for name, reason in entry.missing.items()}


def volume_table(ledger: Ledger, table: str, volume: str) -> pl.LazyFrame:
    """The rows of one volume in a table that `measure` wrote."""
    return ledger.scan_volume(table, volume)
