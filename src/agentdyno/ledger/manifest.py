"""The ledger's own record of what it holds. A volume that it does not name does not exist."""

import os
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno.records.ledger import SCHEMA_VERSION
from agentdyno.version import __version__

NAME = "manifest.json"
_EDGE_BYTES = 64 * 1024


class Fingerprint(Struct, frozen=True):
    """Enough of a file to tell whether it changed."""

    size: int
    """Bytes."""
    modified_ns: int
    """When it was last written, in nanoseconds since 1970."""
    edges: str
    """A digest of its first and last 64 KB."""


class InputEntry(Struct, frozen=True):
    """A file that was read into the ledger."""

    path: str
    """Where it was."""
    format: str
    """The format it was read as."""
    fingerprint: Fingerprint
    """What it looked like then."""

    def is_same(self, other: "InputEntry") -> bool:
        """Whether both hold the same, wherever they are."""
        return self.format == other.format and self.fingerprint == other.fingerprint


class Piece(Struct, frozen=True, array_like=True):
    """A stretch of a file, from one byte up to another."""

    name: str
    """The input's name."""
    start: int
    """First byte."""
    stop: int
    """One beyond the last byte."""


class Volume(Struct, frozen=True):
    """Parquet files written together."""

    pieces: list[Piece]
    """What was read into it."""
    files: int
    """How many files it has in each table's folder."""
    rows: dict[str, int]
    """Rows by table."""


class DerivedFile(Struct, frozen=True, omit_defaults=True):
    """A Parquet file of a table that was added after measuring."""

    file: str
    """Its name in the table's folder."""
    volume: str | None
    """The volume whose trajectories it speaks of; it goes when that goes. None: it stays."""
    rows: int
    """How many rows it has."""
    missing: dict[str, str]
    """Inputs of the volume that it could not speak of, with the reason."""
    versions: dict[str, int] = {}
    """What made its rows, each with the version of its rule; empty for what is never made again,
    and for files older than versions."""


class Manifest(Struct):
    """What the ledger holds. No field has a default: other software has manifests too."""

    schema_version: int
    """The version of the tables' columns."""
    software: str
    """The version of AgentDyno that wrote it last."""
    options: dict[str, Any]
    """What the costs were computed with; a ledger has one set of options."""
    inputs: dict[str, InputEntry]
    """Files by name."""
    volumes: dict[str, Volume]
    """Volumes by id."""
    derived: dict[str, list[DerivedFile]]
    """Files of tables that were added after measuring, by table."""

    def done(self) -> dict[str, set[Piece]]:
        """Every piece that is in some volume, by the name of its input."""
        pieces: dict[str, set[Piece]] = {}
        for volume in self.volumes.values():
            for piece in volume.pieces:
                pieces.setdefault(piece.name, set()).add(piece)
        return pieces


def new_manifest(
    options: dict[str, Any], derived: dict[str, list[DerivedFile]] | None = None
) -> Manifest:
    """The manifest of a ledger that holds no volume yet; derived files without one are kept."""
    kept = {
        table: [file for file in files if file.volume is None]
        for table, files in (derived or {}).items()
    }
    return Manifest(SCHEMA_VERSION, __version__, options, {}, {}, kept)


def fingerprint(path: Path) -> Fingerprint:
    """What the file looks like now."""
    stat = path.stat()
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        digest.update(file.read(_EDGE_BYTES))
        file.seek(max(stat.st_size - _EDGE_BYTES, 0))
        digest.update(file.read(_EDGE_BYTES))
    return Fingerprint(stat.st_size, stat.st_mtime_ns, digest.hexdigest())


def load(folder: Path) -> Manifest:
    """The manifest of a ledger; says what is wrong when there is none or it is not readable."""
    path = folder / NAME
    if not path.is_file():
        raise InputError(
            f"{folder}: expected a ledger (a folder with {NAME}), found none. "
            f"Make one with: agentdyno measure PATH --out {folder}"
        )
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: expected a ledger's manifest, found: {error}. Choose another folder."
        ) from None
    if manifest.schema_version != SCHEMA_VERSION:
        raise InputError(
            f"{path}: expected schema version {SCHEMA_VERSION}, found {manifest.schema_version}. "
            "Measure the traces again into a new ledger."
        )
    return manifest


def save(folder: Path, manifest: Manifest) -> None:
    """Replaces the manifest in one step, so that a reader sees the old one or the new one."""
    temporary = folder / f".{NAME}.new"
    with temporary.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / NAME)
