"""Ledgers as earlier versions of AgentDyno left them."""

from pathlib import Path

import msgspec

from agentdyno.ledger.file_names import COPY, NAME
from agentdyno.ledger.manifest import load


def as_first_layout(ledger: Path, software: str = "0.0.9") -> Path:
    """Rewrites the manifest as it was before there were seals."""
    manifest = msgspec.to_builtins(load(ledger))
    for field in ("layout", "settled", "digest"):
        del manifest[field]
    manifest |= {"schema_version": 1, "software": software}
    for volume in manifest["volumes"].values():
        del volume["seals"], volume["making"]
    for files in manifest["derived"].values():
        for entry in files:
            del entry["seal"]
            entry.pop("versions", None)
    (ledger / NAME).write_bytes(msgspec.json.encode(manifest))
    (ledger / COPY).unlink()
    return ledger
