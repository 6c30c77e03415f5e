"""What of a ledger has to be read again, and whether it still can be.

Takes an open writer, returns inputs and pieces for it to expect. A volume is read again whole: its
files belong together, and rows of a damaged one are not to be believed. Reads no trace itself.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from agentdyno.intake.format import load_formats
from agentdyno.intake.source import Source
from agentdyno.ledger.checks import Damage, damage_in_words, sources_of
from agentdyno.ledger.manifest import Manifest, Piece
from agentdyno.ledger.writer import Expected, LedgerWriter
from agentdyno.pipelines.source_access import SourceAccess
from agentdyno.pipelines.sources import find_missing_reason, source_of
from agentdyno.records import InputError
from agentdyno.records.ledger import DERIVED, REBUILT


class Again(Struct, frozen=True):
    """What is read again."""

    inputs: dict[str, Expected]
    """The inputs, as they were when they were read."""
    groups: list[set[str]]
    """Inputs that share a volume and are replaced together."""
    sources: list[Source]
    lost: dict[str, dict[str, str]]
    """By volume: its inputs that cannot be read again, with the reason."""


def find_damaged_inputs(
    writer: LedgerWriter, names: set[str]
) -> tuple[dict[str, Expected], list[set[str]], list[Source]]:
    """For `measure`: what is damaged and is not among the inputs given anyway.

    Raises when a source of it is gone: nobody asked for its rows to be deleted.
    """
    damages = writer.damage()
    if not damages:
        return {}, [], []
    drop_rederivable(writer, damages)
    again = read_again(writer.folder, writer.manifest, find_damaged_volumes(damages), names)
    paid = [d for d in damages if is_paid_for(d)]
    if paid or again.lost:
        raise InputError(damage_in_words(writer.folder, writer.manifest, paid or damages))
    return again.inputs, again.groups, again.sources


def find_damaged_volumes(damages: Iterable[Damage]) -> list[str]:
    """Volumes with a damaged file of their own."""
    damaged = (d.file.volume for d in damages if d.file.table not in DERIVED)
    return list(dict.fromkeys(volume for volume in damaged if volume is not None))


def is_paid_for(damage: Damage) -> bool:
    """Whether the file holds what cannot be made again for nothing: verdicts, depth, rollouts."""
    return damage.file.table in DERIVED and damage.file.table not in REBUILT


def drop_rederivable(writer: LedgerWriter, damages: Iterable[Damage]) -> None:
    """Damaged files of tables that the next report makes anew."""
    writer.drop_derived(
        (d.file.table, d.file.path.name) for d in damages if d.file.table in REBUILT
    )


def read_again(
    folder: Path, manifest: Manifest, volumes: Iterable[str], texts: Iterable[str] = ()
) -> Again:
    """The inputs of these volumes, those `given` by somebody else left out of the sources."""
    again, handed, formats = Again({}, [], [], {}), set(texts), load_formats()
    access = SourceAccess(folder, manifest.volumes)
    for volume in volumes:
        names = list(sources_of(manifest, volume))
        unhanded = [name for name in names if name not in handed]
        theirs = {name: find_missing_reason(manifest, access, name, formats) for name in unhanded}
        reasons = {name: why for name, why in theirs.items() if why is not None}
        if reasons:
            again.lost[volume] = reasons
            continue
        again.groups.append(set(names))
        for name in names:
            if name not in handed:
                handed.add(name)
                _add(again, manifest, access, name)
    return again


def _add(again: Again, manifest: Manifest, access: SourceAccess, name: str) -> None:
    entry = manifest.inputs[name]
    places = [(p, v) for v, e in manifest.volumes.items() for p in e.pieces if p.name == name]
    again.inputs[name] = Expected(entry, [piece for piece, _ in places])
    again.sources.extend(source_of(manifest, access, *place) for place in _in_order(places))


def _in_order(places: list[tuple[Piece, str]]) -> list[tuple[Piece, str]]:
    return sorted(places, key=lambda place: place[0].start)
