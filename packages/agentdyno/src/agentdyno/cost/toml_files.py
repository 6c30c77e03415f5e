"""Reads the registries: TOML bundled with the package, or a user's own.

Takes a name of a bundled file, or a path, returns plain tables. It does not know what they mean.
"""

import tomllib
from pathlib import Path
from typing import Any

from agentdyno.records import InputError, printable, shortened
from agentdyno.regular_files import read_regular

DATA = Path(__file__).with_name("data")
"""Data files of the package."""
LARGEST_BYTES = 1_000_000
"""A registry is small; anything beyond this is another kind of file."""


def read_bundled(name: str) -> dict[str, dict[str, Any]]:
    """A registry that ships with the package."""
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


def read_bundled_folder(name: str) -> list[dict[str, Any]]:
    """Every table of a bundled folder, by file name."""
    files = sorted((DATA / name).glob("*.toml"))
    return [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]


def read_toml(path: Path) -> dict[str, Any]:
    """A user's TOML file; `InputError` says what is wrong with it."""
    displayed = shortened(path, 120)
    try:
        return tomllib.loads(read_regular(path, LARGEST_BYTES).decode())
    except OSError as error:
        raise InputError(f"{displayed}: cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = printable(str(error))
        raise InputError(f"{displayed}: expected TOML, found something else: {problem}.") from error
