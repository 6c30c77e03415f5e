"""Manifests of earlier versions of AgentDyno, read as today's.

Takes the bytes of a manifest, returns today's fields by their names, or None where it is none of
ours. Volumes of that time have no seals: their rows can be read, but damage in them can only be
seen where it breaks a file. Measuring their traces again seals them.
"""

from typing import Any

import msgspec
from msgspec import Struct, structs

READING = ("count", "tokenizer", "max_record_mb")
"""Options of a first-layout manifest that decided what was read."""


class _Volume(Struct, frozen=True, forbid_unknown_fields=True):
    pieces: list[Any]
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
    inputs: dict[str, Any]
    volumes: dict[str, _Volume]
    derived: dict[str, list[_Derived]]


def _cache(options: dict[str, Any]) -> dict[str, str]:
    """The cache assumption by its name of today."""
    return {"cache": "kept"} if options.get("cache") == "ideal" else {}


def first_layout(data: bytes) -> dict[str, Any] | None:
    try:
        old = msgspec.json.decode(data, type=_Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    reading = {k: v for k, v in old.options.items() if k in READING and v is not None}
    provenance = {
        "software": old.software,
        "schema_version": old.schema_version,
        "reading": reading,
    }
    return {
        "schema_version": old.schema_version,
        "software": old.software,
        "options": old.options | _cache(old.options),
        "inputs": old.inputs,
        "volumes": {
            name: structs.asdict(volume) | {"seals": {}, "making": provenance}
            for name, volume in old.volumes.items()
        },
        "derived": {
            table: [structs.asdict(file) for file in files] for table, files in old.derived.items()
        },
        "settled": True,  # Its rows have no identity to be known by.
        "digest": "",
    }
