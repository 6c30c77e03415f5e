"""Manifests of earlier versions of AgentDyno, read as today's.

Takes the bytes of a manifest, returns a `Manifest`, or None where it is none of ours. Volumes of
that time have no seals: their rows can be read, but damage in them can only be seen where it breaks
a file. `agentdyno ledger migrate` seals them or reads their sources again.
"""

from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.ledger.manifest import (
    LAYOUT,
    DerivedFile,
    InputEntry,
    Making,
    Manifest,
    Piece,
    Volume,
)

READING = ("count", "tokenizer", "max_record_mb")
"""Options of a first-layout manifest that decided what was read."""


class _Volume(Struct, frozen=True, forbid_unknown_fields=True):
    pieces: list[Piece]
    files: int
    rows: dict[str, int]


class _Derived(Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    volume: str | None
    rows: int
    missing: dict[str, str]


# Forbidden, so that a damaged manifest of today never passes for one without seals.
class _Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    schema_version: int
    software: str
    options: dict[str, Any]
    inputs: dict[str, InputEntry]
    volumes: dict[str, _Volume]
    derived: dict[str, list[_Derived]]


def _cache(options: dict[str, Any]) -> dict[str, str]:
    """The cache assumption by its name of today."""
    return {"cache": "kept"} if options.get("cache") == "ideal" else {}


def first_layout(data: bytes) -> Manifest | None:
    """A manifest without seals."""
    try:
        old = msgspec.json.decode(data, type=_Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    chosen = {k: v for k, v in old.options.items() if k in READING and v is not None}
    making = Making(old.software, old.schema_version, chosen)
    volumes = {
        name: Volume(volume.pieces, volume.files, volume.rows, {}, making)
        for name, volume in old.volumes.items()
    }
    derived = {
        table: [DerivedFile(f.file, f.volume, f.rows, f.missing, None) for f in files]
        for table, files in old.derived.items()
    }
    return Manifest(
        layout=LAYOUT,
        schema_version=old.schema_version,
        software=old.software,
        options=old.options | _cache(old.options),
        inputs=old.inputs,
        volumes=volumes,
        derived=derived,
        settled=True,  # Its rows have no identity to be known by.
        digest="",
    )
