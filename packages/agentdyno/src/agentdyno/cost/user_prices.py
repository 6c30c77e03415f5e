"""The user's own price table: one TOML file that every command reads.

    [aliases]
    "my-deployment" = "gpt-5"

    ["dashscope/qwen-max"]
    input = 1.6
    output = 6.4
    as_of = 2026-11-18
    source = "LiteLLM 1.109.1"

It states prices and nothing else. `AGENTDYNO_PRICES` names another file. A ledger notes when
the table that priced its rows was last written, so that a table written since is noticed.
"""

import os
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.cost.prices import Price
from agentdyno.cost.toml_files import read_toml
from agentdyno.records import InputError, printable

REVISION, ALIASES = "revision", "aliases"
"""Keys of the file that are no model; earlier versions counted changes in the first."""


def user_table() -> Path:
    """Path of the user's own price table, which may not exist yet."""
    if named := os.environ.get("AGENTDYNO_PRICES"):
        return Path(named)
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "agentdyno" / "prices.toml"


def read_table(path: Path) -> tuple[dict[str, Price], dict[str, str], int]:
    """The prices, the aliases and when a table was written, in seconds since 1970; nothing and 0
    where there is none."""
    if not path.is_file():
        return {}, {}, 0
    rows = read_toml(path)
    aliases = rows.pop(ALIASES, {})
    rows.pop(REVISION, None)
    where = printable(str(path))
    if not isinstance(aliases, dict) or not all(isinstance(v, str) for v in aliases.values()):
        raise InputError(f"{where}: [{ALIASES}]: expected a name in quotes for each name.")
    written = int(path.stat().st_mtime)
    prices = {model: _parse_price(where, model, row) for model, row in rows.items()}
    return prices, {name.lower(): model for name, model in aliases.items()}, written


def _parse_price(where: str, model: str, row: Any) -> Price:
    where = f"{where}: [{printable(model, 60)}]"
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected a table with input, output and as_of, found a value.")
    if cut := [key for key, inner in row.items() if isinstance(inner, dict) and key != "tiers"]:
        name = printable(f"{model}.{cut[0]}", 60)
        raise InputError(f'{where}: expected a name with a dot in quotes: ["{name}"].')
    try:
        return msgspec.convert({"model": model, **row}, Price)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: {error}.") from error
