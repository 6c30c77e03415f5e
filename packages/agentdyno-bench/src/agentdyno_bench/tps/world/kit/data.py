"""Data files that lie beside the servers, read once."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

_HERE = Path(__file__).resolve().parents[1]


@cache
def load(name: str) -> Any:
    """The content of `NAME.json` beside the servers; never to be changed by whoever reads it."""
    return msgspec.json.decode((_HERE / f"{name}.json").read_bytes())
