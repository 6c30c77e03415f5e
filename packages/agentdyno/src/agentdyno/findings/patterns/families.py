"""Which tools belong together: names in, families out. Bundled globs, or a user's TOML file.

A tool that no glob fits has no family. So an airline desk with fourteen look-ups is not mixing
tools, while `web_search` beside `python` is.
"""

import tomllib
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from msgspec import Struct, ValidationError, convert

from agentdyno.records import InputError


class Families(Struct, frozen=True, cache_hash=True):
    """Families by name, each with its globs; hashable, so that answers can be remembered."""

    globs: tuple[tuple[str, tuple[str, ...]], ...]
    """(family, globs over lower-case tool names), tried in order."""

    def of(self, tool: str) -> str | None:
        """The tool's family; None when no glob fits."""
        return _family(self, tool)


class _File(Struct):
    families: dict[str, list[str]]


def load_families(path: Path | None = None) -> Families:
    """The bundled families, or those of a TOML file with a table `[families]`."""
    where = path or files(__package__).joinpath("families.toml")
    try:
        found = convert(tomllib.loads(where.read_text(encoding="utf-8")), _File)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise InputError(
            f"{where}: expected TOML with [families] and lists of globs, found: {error}"
        ) from None
    return Families(tuple((f, tuple(g.lower() for g in gs)) for f, gs in found.families.items()))


@lru_cache(maxsize=1)
def default_families() -> Families:
    """The bundled ones."""
    return load_families()


@lru_cache(maxsize=4096)
def _family(families: Families, tool: str) -> str | None:
    # `mcp__server__tool` is called by its last part on the server.
    name = tool.lower().rsplit("__", 1)[-1]
    return next(
        (f for f, globs in families.globs if any(fnmatchcase(name, g) for g in globs)), None
    )
