"""Ledgers as earlier versions of AgentDyno left them."""

import shutil
from pathlib import Path

import msgspec

from agentdyno.ledger.file_names import GENERATIONS, NAME, STORE
from agentdyno.ledger.manifest import load


def as_first_layout(ledger: Path, software: str = "0.0.9") -> Path:
    """Rewrites the manifest as it was before there were seals."""
    manifest = msgspec.to_builtins(load(ledger))
    for field in ("layout", "settled", "digest", "generation", "published_at", "retired"):
        manifest.pop(field, None)
    manifest |= {"schema_version": 1, "software": software}
    for volume in manifest["volumes"].values():
        del volume["seals"], volume["making"]
    for files in manifest["derived"].values():
        for entry in files:
            del entry["seal"]
            entry.pop("versions", None)
    (ledger / NAME).write_bytes(msgspec.json.encode(manifest))
    for folder in (GENERATIONS, STORE):
        shutil.rmtree(ledger / folder)
    return ledger
