"""The ledger's own record of what it holds. A volume that it does not name does not exist."""

import errno
import os
import stat
import time
from collections.abc import Set
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

from agentdyno.ledger.disk import replace_synced
from agentdyno.ledger.file_names import (
    DERIVED_PATTERN,
    FILE_PATTERN,
    FORMER_COPY,
    NAME,
    STORE,
    VOLUME_PATTERN,
    refuse_links,
)
from agentdyno.ledger.generations import choose, find_newest, hold, list_generations, publish
from agentdyno.ledger.manifest_bytes import encode_with_digest
from agentdyno.ledger.older import first_layout
from agentdyno.ledger.options import check_options
from agentdyno.records import InputError, printable
from agentdyno.records.ledger import DERIVED, FORMER_TABLES, REMOVED_TABLES, SCHEMA_VERSION, TABLES
from agentdyno.version import __version__

LAYOUT = 4
"""The version of this file's own fields."""
FIRST_LAYOUT = 1
"""Of manifests that had neither seals nor a copy."""
_EDGE_BYTES = 64 * 1024

# A manifest may come from anybody, so what it names is checked while it is decoded.
Count = Annotated[int, Meta(ge=0, le=2**62)]
FileCount = Annotated[int, Meta(ge=0, le=100_000)]
Version = Annotated[int, Meta(ge=0, le=2**31)]
VolumeName = Annotated[str, Meta(pattern=VOLUME_PATTERN)]
DerivedName = Annotated[str, Meta(pattern=DERIVED_PATTERN)]
FileName = Annotated[str, Meta(pattern=FILE_PATTERN)]
InputPath = Annotated[str, Meta(pattern=r"\A[^\x00]*\Z")]


class Fingerprint(Struct, frozen=True):
    """Enough of a file to tell whether it changed."""

    size: Count
    modified_ns: int
    """When it was last written, in nanoseconds since 1970."""
    edges: str
    """A digest of its first and last 64 KB."""


class InputEntry(Struct, frozen=True, omit_defaults=True):
    """A file that was read into the ledger."""

    path: InputPath
    format: str
    """The format it was read as."""
    fingerprint: Fingerprint
    """Its size, time and edges then."""
    changed_ns: int = 0
    """When the system noted its last change, in nanoseconds since 1970; no program can set that.
    0 in layouts before 4."""

    def is_same(self, other: "InputEntry") -> bool:
        """True when both hold the same, wherever they are."""
        return self.format == other.format and self.fingerprint == other.fingerprint


class Piece(Struct, frozen=True, array_like=True):
    """A stretch of a file, from one byte up to another."""

    name: str
    start: Count
    """First byte."""
    stop: Count
    """One beyond the last byte."""


class Seal(Struct, frozen=True, array_like=True):
    """Size and digest of a file when it was written; anything else is damage."""

    bytes: Count
    rows: Count
    digest: str
    """A digest of its bytes."""


class Provenance(Struct, frozen=True, omit_defaults=True):
    """The software, versions and options that made a volume; volumes may differ in them."""

    software: str
    """The version of AgentDyno, for people; what is old is decided by `versions`."""
    schema_version: int
    """The version of the tables' columns."""
    reading: dict[str, Any]
    """The options that decide what is read and how it is counted."""
    versions: dict[str, Version] = {}
    """The stages that decided its rows (`records.stages`), each with its version; empty for a
    volume older than these."""


def keeps_secrets(provenance: Provenance) -> bool:
    """True when texts are in the volume as they came."""
    return bool(provenance.reading.get("keep_secrets"))


def keeps_equal(provenance: Provenance) -> bool:
    """True when byte-equal files without ids or times count as samples of their own."""
    return bool(provenance.reading.get("keep_equal"))


class Volume(Struct, frozen=True):
    """Parquet files written together."""

    pieces: list[Piece]
    """The pieces that were read into it."""
    files: FileCount
    """How many files it has in each table's folder."""
    rows: dict[str, Count]
    seals: dict[str, list[Seal]]
    """Per table, one for each file; empty for a volume older than seals."""
    making: Provenance


class DerivedFile(Struct, frozen=True, omit_defaults=True):
    """A Parquet file of a table that was added after measuring."""

    file: DerivedName
    """Its name in the table's folder."""
    volume: VolumeName | None
    """The volume whose trajectories it speaks of; it goes when that goes. None: it stays."""
    rows: Count
    missing: dict[str, str]
    """Inputs of the volume that it could not speak of, with the reason."""
    seal: Seal | None = None
    """Its size and digest when it was written; None for a file older than seals."""
    versions: dict[str, Version] = {}
    """The rules that made its rows, each with its version; empty for what is never made again,
    and for files older than versions."""


class Retired(Struct, frozen=True, array_like=True):
    """A file that the ledger no longer names, and that a reader of an older generation may need."""

    file: FileName
    """Its table and its name."""
    born: Count
    """The first generation that names it; 0 where that is not known."""
    died: Count
    """The first that does not."""


class Manifest(Struct, omit_defaults=True):
    """The contents of a ledger. Fields of the first layouts have no default: other software has
    manifests too."""

    layout: int
    """The version of these fields."""
    schema_version: int
    """The version of the tables' columns."""
    software: str
    """The version of AgentDyno that wrote it last."""
    options: dict[str, Any]
    """The options of the tables' costs when the ledger was begun, and how traces were
    read last. Other costs are a view; another reading is another `Provenance`."""
    inputs: dict[str, InputEntry]
    """Files by name."""
    volumes: dict[VolumeName, Volume]
    derived: dict[str, list[DerivedFile]]
    """Files of tables that were added after measuring, by table."""
    settled: bool
    """True when every response counts once. False from the first volume that a run adds until that
    run has looked which of its responses stand elsewhere, too."""
    digest: str
    """A digest of all fields."""
    generation: Count = 0
    """How many manifests were published before it, and this one; 0 in layouts before 4."""
    published_at: float = 0.0
    """When, in seconds since 1970."""
    retired: list[Retired] = []
    """Files that went out and may still be read."""

    def done(self, names: Set[str] | None = None) -> dict[str, set[Piece]]:
        """Every piece that is in some volume, by the name of its input; or those of some inputs."""
        pieces: dict[str, set[Piece]] = {}
        for volume in self.volumes if names is None else self.find_volumes(names):
            for piece in self.volumes[volume].pieces:
                if names is None or piece.name in names:
                    pieces.setdefault(piece.name, set()).add(piece)
        return pieces

    def find_volumes(self, names: Set[str]) -> list[str]:
        """The volumes that hold something of these inputs."""
        named = ((name, [p.name for p in volume.pieces]) for name, volume in self.volumes.items())
        return [name for name, pieces in named if not names.isdisjoint(pieces)]


def new_manifest(options: dict[str, Any]) -> Manifest:
    """The manifest of a ledger that holds no volume yet."""
    return Manifest(LAYOUT, SCHEMA_VERSION, __version__, options, {}, {}, {}, True, "")


def fingerprint(path: Path) -> Fingerprint:
    """Size, time and edges of the file now."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):  # A pipe would be waited for, a device has no end.
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    edges = _edges(path, status.st_size)
    # The newest rows of a database whose writer runs stand in a file beside it.
    beside = path.with_name(f"{path.name}-wal")
    if beside.is_file() and (size := beside.stat().st_size):
        edges += _edges(beside, size)
    looks = blake2b(b"".join(edges), digest_size=16).hexdigest()
    return Fingerprint(status.st_size, status.st_mtime_ns, looks)


def is_untouched(path: Path, entry: "InputEntry") -> bool:
    """True when size and times are as they were when the entry was noted; the file is not opened. A
    program that changes it and puts its time back changes the time that the system notes."""
    status, seen = path.stat(), entry.fingerprint
    same = (status.st_size, status.st_mtime_ns) == (seen.size, seen.modified_ns)
    # The newest rows of a database whose writer runs stand in a file beside it.
    is_whole = same and not os.path.exists(f"{path}-wal")
    return is_whole and status.st_ctime_ns == entry.changed_ns


def _edges(path: Path, size: int) -> list[bytes]:
    with path.open("rb") as file:
        beginning = file.read(_EDGE_BYTES)
        file.seek(max(size - _EDGE_BYTES, 0))
        return [beginning, file.read(_EDGE_BYTES)]


def load(folder: Path) -> Manifest:
    """The newest manifest of a ledger, duplicates counted or not; says what is wrong when there is
    none or it is not readable."""
    refuse_links(folder)
    newest = find_newest(folder)
    copies = [folder / NAME, folder / FORMER_COPY]
    paths = [path for path in [newest, *copies] if path is not None and path.is_file()]
    if not paths:
        # What is there may be the traces themselves: a ledger is not made among them.
        is_other = folder.exists() and not (folder / STORE).exists()
        arguments = f"{folder} --out LEDGER" if is_other else f"PATH --out {folder}"
        raise InputError(
            f"{folder}: expected a ledger (a folder with {NAME}), found none. "
            f"Make one with: agentdyno measure {arguments}"
        )
    for path in paths:
        _refuse_newer(path, path.read_bytes())
    for path in paths[:-1]:
        try:
            return read_manifest(path)
        except (InputError, OSError):
            continue
    return read_manifest(paths[-1])


def open_generation(folder: Path, as_of: str | None = None) -> Manifest:
    """The manifest to read, which stays as it is meanwhile: the newest manifest in which every
    response counts once, or the one `as_of` a generation's number or a day."""
    refuse_links(folder)
    while (generation := choose(folder, as_of)) is not None:
        if not hold(generation):
            continue  # A newer one was published meanwhile.
        try:
            return read_manifest(generation.path)
        except (InputError, OSError):
            if as_of is not None:
                raise
            break
    if as_of is not None:
        load(folder)
        raise InputError(
            f"{folder}: expected a generation as of {printable(as_of, 40)!r}, found none that old. "
            f"Those that are kept are of: {_list_days(folder)}."
        )
    return load(folder)


def _list_days(folder: Path) -> str:
    days = dict.fromkeys(each.day for each in list_generations(folder) if each.is_deduplicated)
    return ", ".join(f"{day[:4]}-{day[4:6]}-{day[6:]}" for day in days) or "none"


def exists(folder: Path) -> bool:
    names = (NAME, FORMER_COPY)
    return any((folder / name).exists() for name in names) or find_newest(folder) is not None


def read_manifest(path: Path) -> Manifest:
    """One of the two files, if it is whole and not of a newer AgentDyno."""
    data = path.read_bytes()
    _refuse_newer(path, data)
    try:
        fields = first_layout(data)
        if fields is not None:
            manifest = msgspec.convert(fields | {"layout": FIRST_LAYOUT}, Manifest)
        else:
            manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{path}: expected a ledger's manifest, found: {error}. Choose another folder."
        ) from None
    if manifest.layout != FIRST_LAYOUT and _seal(manifest)[0] != manifest.digest:
        raise InputError(
            f"{path}: expected a ledger's manifest as it was written, found other bytes. "
            f"Run: agentdyno ledger verify {path.parent}"
        )
    return _check(path, _read_as_today(manifest))


def _read_as_today(manifest: Manifest) -> Manifest:
    """Tables that had another name, or that are no longer, whose files stay where they are; and the
    form of gamma, which was that of the width before there was a choice."""
    manifest.options.setdefault("gamma", "width")
    for now, former in FORMER_TABLES.items():
        if files := manifest.derived.pop(former, []):
            manifest.derived[now] = [*files, *manifest.derived.get(now, [])]
    for gone in REMOVED_TABLES:
        manifest.derived.pop(gone, None)
    return manifest


def _check(path: Path, manifest: Manifest) -> Manifest:
    """The manifest, if we know every table and option that it speaks of."""
    measured = (t for v in manifest.volumes.values() for t in (*v.rows, *v.seals))
    unknown = sorted({*manifest.derived} - DERIVED.keys() | {*measured} - TABLES.keys())
    if unknown:
        raise InputError(
            f"{path}: expected tables that AgentDyno {__version__} has, found "
            f"{printable(unknown[0], 60)!r}. The ledger was written by AgentDyno "
            f"{printable(manifest.software, 20)}: use that version or a newer one, or measure the "
            "traces into another folder. Nothing was changed."
        )
    check_options(path, manifest.options)
    for volume in manifest.volumes.values():
        check_options(path, volume.making.reading)
    return manifest


class _Versions(Struct):
    schema_version: int
    software: str
    layout: int = 1


def _refuse_newer(path: Path, data: bytes) -> None:
    try:
        versions = msgspec.json.decode(data, type=_Versions)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return  # Reported by whoever reads the rest.
    if versions.schema_version > SCHEMA_VERSION or versions.layout > LAYOUT:
        raise InputError(
            f"{path}: expected schema version {SCHEMA_VERSION} and layout {LAYOUT} or older, found "
            f"{versions.schema_version} and {versions.layout}: it was written by AgentDyno "
            f"{printable(versions.software, 20)}. Use that version, or choose another folder; "
            "nothing here was changed."
        )


def save(folder: Path, manifest: Manifest) -> None:
    """Publishes the next generation in one step, so that a reader sees the old one or the new one.

    What it names must be synced before.
    """
    manifest.layout = LAYOUT
    manifest.generation += 1
    manifest.published_at = time.time()
    manifest.digest, data = _seal(manifest)
    publish(folder, manifest.generation, manifest.published_at, manifest.settled, data)
    replace_synced(folder / NAME, data)
    (folder / FORMER_COPY).unlink(missing_ok=True)


def _seal(manifest: Manifest) -> tuple[str, bytes]:
    """A digest of all fields but itself, and the manifest's bytes with it."""
    bare = msgspec.json.encode(structs.replace(manifest, digest="", inputs={}))
    return encode_with_digest(bare, manifest.inputs, manifest.settled)
