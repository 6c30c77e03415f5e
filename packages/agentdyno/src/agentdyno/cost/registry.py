"""The architectures that come with the package, read from their table.

Imported by whoever loads the entry points `agentdyno.architectures`; ours is one of them.
"""

from typing import Any

import msgspec

from agentdyno.cost.shape import Architecture
from agentdyno.cost.toml_files import read_bundled

_NOT_INHERITED = ("same_as", "aliases", "paper_rows", "paper_head_ratio", "paper_gamma")


def _read(name: str, rows: dict[str, dict[str, Any]]) -> Architecture:
    entry = rows[name]
    parent = rows[entry["same_as"]] if "same_as" in entry else {}
    inherited = {key: value for key, value in parent.items() if key not in _NOT_INHERITED}
    row = {"name": name, **inherited, **entry}
    row.pop("same_as", None)
    row.setdefault("full_attention_layers", row["layers"] - row.get("window_layers", 0))
    embedding = row["vocabulary"] * row["hidden_size"]
    row["active_params"] = row["published_active_params"] - row["embeddings_counted"] * embedding
    return msgspec.convert(row, Architecture)


def _read_all(rows: dict[str, dict[str, Any]]) -> tuple[Architecture, ...]:
    return tuple(_read(name, rows) for name in rows)


LISTED = _read_all(read_bundled("architectures.toml"))
"""Entered by hand, in the order of the table; the stand-in for closed models is their median."""
WALKED = _read_all(read_bundled("walked_architectures.toml"))
"""Counted by building the model; `bench/walk_architectures.py` writes them."""
ARCHITECTURES = (*LISTED, *WALKED)
"""All that come with the package."""
