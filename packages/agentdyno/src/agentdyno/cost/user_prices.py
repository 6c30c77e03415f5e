"""The user's own price table: one TOML file that `agentdyno prices` writes and every command reads.

    [aliases]
    "my-deployment" = "gpt-5"

    ["dashscope/qwen-max"]
    input = 1.6
    output = 6.4
    as_of = 2026-11-18
    source = "LiteLLM 1.109.1"

It states prices and nothing else. `AGENTDYNO_PRICES` names another file. Every change raises its
`revision`, by which a ledger knows that its rows were priced by an older table.
"""

import os
from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.cost.prices import Price
from agentdyno.cost.toml_files import LARGEST_BYTES, read_toml
from agentdyno.records import InputError, printable

REVISION, ALIASES = "revision", "aliases"
"""Keys of the file that are no model."""


def user_table() -> Path:
    """Path of the user's own price table, which may not exist yet."""
    if named := os.environ.get("AGENTDYNO_PRICES"):
        return Path(named)
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "agentdyno" / "prices.toml"


def read_table(path: Path) -> tuple[dict[str, Price], dict[str, str], int]:
    """The prices, the aliases and the revision of a table; nothing where there is none."""
    if not path.is_file():
        return {}, {}, 0
    rows = read_toml(path)
    aliases, revision = rows.pop(ALIASES, {}), rows.pop(REVISION, 0)
    where = printable(str(path))
    if not isinstance(aliases, dict) or not all(isinstance(v, str) for v in aliases.values()):
        raise InputError(f"{where}: [{ALIASES}]: expected a name in quotes for each name.")
    if isinstance(revision, bool) or not isinstance(revision, int) or revision < 0:
        raise InputError(f"{where}: {REVISION}: expected a whole number, found {revision!r:.40}.")
    prices = {model: _parse_price(where, model, row) for model, row in rows.items()}
    return prices, {name.lower(): model for name, model in aliases.items()}, revision


def revise_table(prices: Mapping[str, Price], aliases: Mapping[str, str]) -> Path:
    """Adds prices and aliases to the user's table, those of the same name in place of the old."""
    path = user_table()
    old_prices, old_aliases, revision = read_table(path)
    lines = [f"{REVISION} = {revision + 1}", "", f"[{ALIASES}]"]
    lines += [f"{_text(a)} = {_text(b)}" for a, b in sorted({**old_aliases, **aliases}.items())]
    for model, price in sorted({**old_prices, **prices}.items()):
        fields = msgspec.to_builtins(price, builtin_types=(date, time))
        lines += ["", f"[{_text(model)}]"]
        lines += [f"{k} = {_toml(v)}" for k, v in fields.items() if k != "model" and _is_stated(v)]
    data = ("\n".join(lines) + "\n").encode()
    if len(data) > LARGEST_BYTES:
        raise InputError(
            f"{path}: expected a table under 1 MB, found {len(data):,} bytes of prices."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(data)
    draft.replace(path)
    return path


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


def _toml(value: Any) -> str:
    """A value as TOML writes it within a line; None is left out of tables."""
    if isinstance(value, dict):
        inner = (f"{_text(k)} = {_toml(v)}" for k, v in value.items() if _is_stated(v))
        return "{ " + ", ".join(inner) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return _text(value) if isinstance(value, str) else str(value)


def _is_stated(value: Any) -> bool:
    return bool(value) or value == 0


def _text(value: str) -> str:
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
