"""The thresholds behind the patterns, each with its reason. Precision goes before recall."""

import tomllib
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from msgspec import Struct, ValidationError, convert, field

from agentdyno.records import InputError


# A tool that no glob fits has no family. So an airline desk with fourteen look-ups is not mixing
# tools, while `web_search` beside `python` is.
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


CHARACTERS_PER_TOKEN = 3.2
"""Of tool results in the o200k vocabulary: identifiers, numbers and brackets are dear."""


class PatternOptions(Struct, frozen=True):
    """What the detectors may be told."""

    families: Families = field(default_factory=default_families)
    """Which tools belong together."""
    oversized_tokens: int = 2_000
    """A result is large from here on: about 6,400 characters, three screens of text."""
    oversized_used_share: float = 0.1
    """It is mostly unused when less than this share of its distinct words is used later."""
    unread_characters: int = 240
    """Shorter results are receipts and empty answers, read in a glance, and cost little."""
    unread_turns: int = 2
    """An unread result must burden at least this many later turns to be worth a finding."""
    loop_calls: int = 2
    """So many calls in a row without news make a loop; with the one that had news, three."""
    loop_characters: int = 20
    """Shorter results (`34`, `[]`, `OK`) agree by chance."""
    unproven: bool = False
    """Whether patterns are looked for that were right less than four times in five, or that no
    real trace has shown yet."""
