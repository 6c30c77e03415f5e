"""Reads the trajectories of a ledger again, from the files that it was measured from.

The ledger keeps numbers, not texts. Verbs that need the texts (patterns, judges) come here; a file
that changed or is gone since is left out and named.
"""

from collections.abc import Container, Iterable, Iterator, Set
from itertools import islice
from pathlib import Path

import polars as pl

from agentdyno.engines.storage import files_under, url_of
from agentdyno.intake.cleaning import clean_ids, clean_trajectories
from agentdyno.intake.cutting import without
from agentdyno.intake.format import load_formats
from agentdyno.intake.opening import INSIDE, locate
from agentdyno.intake.source import Source
from agentdyno.intake.stated_fields import state_fields
from agentdyno.ledger.manifest import Manifest, Piece, fingerprint, is_untouched, keeps_secrets
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.stored_texts import StoredTexts, text_key
from agentdyno.pipelines.kept_texts import KeptVolume
from agentdyno.pipelines.source_access import SourceAccess
from agentdyno.records import InputError, Part, Trajectory, printable, shortened
from agentdyno.records.ledger import HELD
from agentdyno.records.rows import as_rows
from agentdyno.records.secrets import clean_name

TOGETHER_PARTS = 8_000
"""Trajectories are cleaned of secrets together until they have so many parts…"""
TOGETHER_CHARACTERS = 16 * 2**20
"""…or this much text."""


class ReadableLedger(Ledger):
    """A ledger with the texts behind it, for studies that need some."""

    def unreadable(self) -> dict[str, str]:
        """Inputs that cannot be read again as they were, with the reason."""
        return find_missing_inputs(self)

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory whose input still stands."""
        missing = self.unreadable()
        for volume in sorted(self.manifest.volumes):
            yield from volume_trajectories(self, volume, missing)

    def trajectory(self, trajectory_id: str, only_counted: bool = False) -> Trajectory:
        """One trajectory, read again from its input alone; with `only_counted` its texts are as
        they stand in the trace, for whoever cleans what is displayed of them."""
        named = self.scan("trajectories").filter(pl.col("trajectory_id") == trajectory_id)
        sources = named.select("source").collect()["source"].to_list()
        if not sources:
            raise InputError(f"{self.folder}: no trajectory {printable(trajectory_id)!r} in it.")
        # The tables have a file's name without what the rules take for a secret.
        inputs = {clean_name(name): name for name in self.manifest.inputs}
        source = sources[0] if sources[0] in self.manifest.inputs else inputs.get(sources[0], "")
        access = open_access(self)
        reason = find_missing_reason(self.manifest, access, source, load_formats())
        if reason is not None and not find_missing_texts(self, {source}):
            reason = None
        if reason is None:
            for volume, entry in self.manifest.volumes.items():
                pieces = {piece.name: "" for piece in entry.pieces if piece.name != source}
                if len(pieces) < len(entry.pieces):
                    for trajectory in volume_trajectories(self, volume, pieces, only_counted):
                        if trajectory.trajectory_id == trajectory_id:
                            return trajectory
        known = self.manifest.inputs.get(source)
        location = shortened(known.path if known else sources[0], 120)
        raise InputError(
            f"{self.folder}: {printable(trajectory_id)} cannot be read again from {location}: "
            f"{reason or 'it reads otherwise'}."
        )


def find_missing_inputs(ledger: Ledger) -> dict[str, str]:
    """Inputs whose texts cannot be had again, with the reason."""
    missing = find_missing_traces(ledger.manifest, open_access(ledger))
    unkept = find_missing_texts(ledger, missing.keys()) if missing else set()
    return {name: reason for name, reason in missing.items() if name in unkept}


def find_missing_texts(ledger: Ledger, names: Set[str]) -> Set[str]:
    """Those of the inputs of which the ledger has not kept all texts."""
    stored, manifest = StoredTexts(ledger.folder), ledger.manifest
    if not stored.keys:
        return names
    return {
        piece.name
        for volume, entry in manifest.volumes.items()
        for piece in entry.pieces
        if piece.name in names and text_key(manifest, volume, piece) not in stored.keys
    }


def open_access(ledger: Ledger) -> SourceAccess:
    """Which traces of the ledger may be opened."""
    return SourceAccess(ledger.folder, ledger.manifest.volumes)


def count_closed(folder: Path) -> tuple[int, int]:
    """Inputs that nobody allowed to be opened and whose texts the ledger has not kept, of how many;
    opens none of them."""
    ledger = Ledger(folder)
    access, inputs = open_access(ledger), ledger.manifest.inputs
    closed = {name for name, entry in inputs.items() if not access.is_given(entry)}
    return len(find_missing_texts(ledger, closed)) if closed else 0, len(inputs)


def find_missing_traces(manifest: Manifest, access: SourceAccess) -> dict[str, str]:
    """Traces that cannot be read again as they were, with the reason."""
    named = (piece.name for volume in manifest.volumes.values() for piece in volume.pieces)
    names = dict.fromkeys([*manifest.inputs, *named])
    formats = load_formats()
    reasons = {name: find_missing_reason(manifest, access, name, formats) for name in names}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def find_missing_reason(
    manifest: Manifest, access: SourceAccess, name: str, formats: Container[str]
) -> str | None:
    """Why an input cannot be read again as it was; None when it can."""
    entry = manifest.inputs.get(name)
    if entry is None:
        return "the file is gone"
    if entry.format not in formats:
        return f"its format {printable(entry.format, 40)} is not installed"
    place = access.find_place(entry)
    if place is None:
        return access.why_closed
    if url := url_of(place):
        return _check_storage(url, entry.fingerprint.size)
    try:
        path = locate(place)
        same = is_untouched(path, entry) or fingerprint(path).edges == entry.fingerprint.edges
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return "the file is gone"
    except OSError as error:
        return f"the file cannot be read ({error.strerror})"
    except InputError as error:
        return f"the file cannot be read ({error})"
    return None if same else "the file changed since it was measured"


def _check_storage(url: str, size: int) -> str | None:
    """By its size alone: fetching every file to compare it would cost more than reading it."""
    try:
        files = files_under(url.partition(INSIDE)[0])
    except InputError:
        return "it is not in the storage, or the storage cannot be reached"
    same = INSIDE in url or [file.size for file in files] == [size]
    return None if same else "the file changed since it was measured"


def volume_trajectories(
    ledger: Ledger,
    volume: str,
    missing: dict[str, str],
    only_counted: bool = False,
    pieces: slice = slice(None),
    kept: KeptVolume | None = None,
) -> Iterator[Trajectory]:
    """The trajectories of one volume, with the ids that they have in the ledger.

    What counts elsewhere is left out of them, as it is in the ledger's tables. Their secrets are
    replaced by marks, unless the texts are `only_counted` and not shown. `pieces` are those of the
    volume that are read; files of which nothing counts never are. What this run `kept` of them is
    not read again.
    """
    with_secrets = keeps_secrets(ledger.manifest.volumes[volume].making)
    left_out, repeated = _left_out(ledger, volume), _list_known(ledger, volume)
    unread = {*missing, *find_repeated_inputs(ledger, volume)}

    def counting() -> Iterator[Trajectory]:
        for trajectory in _as_written(ledger, volume, unread, pieces, kept):
            name = (trajectory if with_secrets else clean_ids(trajectory)).trajectory_id
            counts = without(trajectory, left_out.get(name, set())) if name in repeated else None
            if counts is not None:
                yield counts

    if with_secrets:
        yield from counting()
    elif only_counted:
        yield from map(clean_ids, counting())
    else:
        for cleaned in clean_together([trajectory] for trajectory in counting()):
            yield from cleaned


def clean_together(groups: Iterable[list[Trajectory]]) -> Iterator[list[Trajectory]]:
    """Groups of trajectories without secrets, in order. Many are cleaned at a time: one look for
    secrets over many texts takes a third of a look at each."""
    waiting: list[list[Trajectory]] = []
    parts = characters = 0
    for group in groups:
        waiting.append(group)
        for trajectory in group:
            parts += len(trajectory.parts)
            characters += sum(map(len, as_rows(Part, trajectory.parts).column("text")))
        if parts >= TOGETHER_PARTS or characters >= TOGETHER_CHARACTERS:
            yield from _clean(waiting)
            waiting, parts, characters = [], 0, 0
    yield from _clean(waiting)


def _clean(groups: list[list[Trajectory]]) -> Iterator[list[Trajectory]]:
    cleaned = iter(clean_trajectories([trajectory for group in groups for trajectory in group]))
    return ([*islice(cleaned, len(group))] for group in groups)


def _list_known(ledger: Ledger, volume: str) -> set[str]:
    """The trajectories of a volume: a file may hold others, which the ledger has forgotten."""
    tables = ("trajectories", f"{HELD}trajectories")
    rows = (ledger.scan_volume(t, volume).select("trajectory_id").collect() for t in tables)
    return {name for frame in rows for name in frame["trajectory_id"]}


def find_repeated_inputs(ledger: Ledger, volume: str) -> set[str]:
    """Inputs of a volume of which nothing counts: all that they hold, others hold too."""
    counted, stored = (
        set(ledger.scan_volume(table, volume).select("source").collect()["source"])
        for table in ("trajectories", f"{HELD}trajectories")
    )
    if not (repeated := stored - counted):
        return set()
    names = {piece.name for piece in ledger.manifest.volumes[volume].pieces}
    return {name for name in names if name in repeated or clean_name(name) in repeated}


def _as_written(
    ledger: Ledger,
    volume: str,
    unread: Container[str],
    pieces: slice,
    kept: KeptVolume | None,
) -> Iterator[Trajectory]:
    stored = StoredTexts(ledger.folder)
    access = open_access(ledger)
    for piece in ledger.manifest.volumes[volume].pieces[pieces]:
        if piece.name not in unread:
            yield from read_piece(ledger.manifest, access, volume, piece, stored, kept)


def read_piece(
    manifest: Manifest,
    access: SourceAccess,
    volume: str,
    piece: Piece,
    stored: StoredTexts,
    kept: KeptVolume | None = None,
) -> Iterator[Trajectory]:
    """The trajectories of a piece: as this run read them, as the ledger keeps them, or from the
    trace."""
    key = text_key(manifest, volume, piece) if stored.keys else None
    if kept is not None:
        yield from kept.read(piece)
    elif key in stored.keys:
        yield from stored.read(key)
    else:
        source = source_of(manifest, access, piece, volume)
        items = load_formats()[manifest.inputs[piece.name].format].read(source)
        trajectories = (item for item in items if isinstance(item, Trajectory))
        yield from (state_fields(item, source.stated) for item in trajectories)


def _left_out(ledger: Ledger, volume: str) -> dict[str, set[int]]:
    """The places of turns that count elsewhere, by trajectory."""
    numbers: dict[str, set[int]] = {}
    rows = ledger.scan_volume("repeats", volume).select("trajectory_id", "turn").collect()
    for name, turn in rows.iter_rows():
        numbers.setdefault(name, set()).add(turn)
    return numbers


def source_of(manifest: Manifest, access: SourceAccess, piece: Piece, volume: str) -> Source:
    """The piece as it was cut; raises `InputError` where its trace may not be opened."""
    entry = manifest.inputs[piece.name]
    place = access.find_place(entry)
    if place is None:
        raise InputError(f"{shortened(entry.path, 120)}: {access.why_closed}.")
    reading = manifest.volumes[volume].making.reading
    limit = int(reading.get("max_record_mb") or 64) * 2**20
    path = locate(place)
    options = tuple((reading.get("stated") or {}).items())
    return Source(
        path, piece.name, piece.start, piece.stop, entry.format,
        max_record_bytes=limit, stated=options,
    )  # fmt: skip


def piece_of(source: Source) -> Piece:
    """What the ledger calls that stretch of a file."""
    return Piece(source.name, source.start, source.stop or 0)
