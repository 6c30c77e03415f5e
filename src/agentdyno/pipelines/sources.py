"""Reads the trajectories of a ledger again, from the files that it was measured from.

The ledger keeps numbers, not texts. Verbs that need the texts (patterns, judges) come here; a file
that changed or is gone since is left out and named.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
from msgspec import structs

from agentdyno.intake.cutting import without
from agentdyno.intake.discover import Found, pieces_of
from agentdyno.intake.format import Source, load_formats
from agentdyno.ledger.manifest import Manifest, fingerprint
from agentdyno.ledger.reader import Ledger, volume_files
from agentdyno.records import InputError, Trajectory, printable


class ReadableLedger(Ledger):
    """A ledger with the texts behind it, for studies that need some."""

    def unreadable(self) -> dict[str, str]:
        """Inputs that cannot be read again as they were, with the reason."""
        return missing_inputs(self.manifest)

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory whose input still stands."""
        missing = self.unreadable()
        for volume in sorted(self.manifest.volumes):
            yield from volume_trajectories(self, volume, missing)

    def trajectory(self, trajectory_id: str) -> Trajectory:
        """One trajectory, read again from its input alone."""
        named = self.scan("trajectories").filter(pl.col("trajectory_id") == trajectory_id)
        sources = named.select("source").collect()["source"].to_list()
        if not sources:
            raise InputError(f"{self.folder}: no trajectory {printable(trajectory_id)!r} in it.")
        others = {name: "" for name in self.manifest.inputs if name != sources[0]}
        if (reason := self.unreadable().get(sources[0])) is None:
            for volume in self.manifest.volumes:
                for found in volume_trajectories(self, volume, others):
                    if found.trajectory_id == trajectory_id:
                        return found
        raise InputError(
            f"{self.folder}: {printable(trajectory_id)} cannot be read again from "
            f"{printable(self.manifest.inputs[sources[0]].path)}: {reason or 'it reads otherwise'}."
        )


def missing_inputs(manifest: Manifest) -> dict[str, str]:
    """Inputs that cannot be read again as they were, with the reason."""
    reasons = {}
    for name, entry in manifest.inputs.items():
        path = Path(entry.path)
        if not path.is_file():
            reasons[name] = "the file is gone"
        elif fingerprint(path).edges != entry.fingerprint.edges:
            reasons[name] = "the file changed since it was measured"
    return reasons


def volume_trajectories(
    ledger: Ledger, volume: str, missing: dict[str, str]
) -> Iterator[Trajectory]:
    """The trajectories of one volume, with the ids that they have in the ledger.

    What counts elsewhere is left out of them, as it is in the ledger's tables.
    """
    formats, manifest = load_formats(), ledger.manifest
    left_out = _left_out(ledger, volume)
    for piece in manifest.volumes[volume].pieces:
        if piece.name not in missing:
            source = _source(manifest, piece.name, piece.start, piece.stop)
            for item in formats[manifest.inputs[piece.name].format].read(source):
                if isinstance(item, Trajectory):
                    counts = without(item, left_out.get(item.trajectory_id, set()))
                    if counts is not None:
                        yield counts


def _left_out(ledger: Ledger, volume: str) -> dict[str, set[int]]:
    """The places of turns that count elsewhere, by trajectory."""
    found: dict[str, set[int]] = {}
    files = volume_files(ledger.folder, "repeats", volume, ledger.manifest)
    if files:
        for name, turn in pl.read_parquet(files).select("trajectory_id", "turn").iter_rows():
            found.setdefault(name, set()).add(turn)
    return found


def _source(manifest: Manifest, name: str, start: int, stop: int) -> Source:
    """The piece as it was cut; the numbers of its lines are part of the ids."""
    entry = manifest.inputs[name]
    limit = int(manifest.options.get("max_record_mb", 64)) * 2**20
    whole = Source(Path(entry.path), name, start, stop, max_record_bytes=limit)
    if start == 0:
        return whole
    found = Found(whole.path, name, entry.fingerprint.size, entry.format, by_line=True)
    cut = next(piece for piece in pieces_of(found) if piece.start == start)
    return structs.replace(whole, first_line=cut.first_line)
