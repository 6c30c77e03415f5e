"""Tool suites as words: `default`, `no-mcp:-mcp_*`, `lean:-search,-visit`, `only:+python`.

After the colon stand globs with a sign: `-` takes tools away from the benchmark's own, `+` takes
only these; without a colon the suite is the benchmark's own.
"""

import re
from fnmatch import fnmatchcase

from msgspec import Struct

from agentdyno.records import InputError, printable

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Variant(Struct, frozen=True):
    """A suite by what is changed."""

    name: str
    """Its name, which the ledger keeps."""
    without: tuple[str, ...] = ()
    """Globs of tools that go."""
    only: tuple[str, ...] = ()
    """Globs of tools that stay; empty for all."""


def parse_variant(text: str) -> Variant:
    """A variant as it is written on the command line."""
    name, _, changes = text.partition(":")
    if not _NAME.fullmatch(name):
        raise InputError(
            f"--variant {printable(text, 60)!r}: expected a name of letters, digits, '.', '_' and "
            "'-', as in no-mcp:-mcp_*."
        )
    words = [word.strip() for word in changes.split(",") if word.strip()]
    for word in words:
        if word[0] not in "+-" or len(word) < 2:
            raise InputError(
                f"--variant {printable(text, 60)!r}: expected -NAME or +NAME after the colon, "
                f"found {printable(word, 40)!r}."
            )
    return Variant(
        name,
        tuple(word[1:] for word in words if word[0] == "-"),
        tuple(word[1:] for word in words if word[0] == "+"),
    )


def suite_of(variant: Variant, tools: tuple[str, ...]) -> tuple[str, ...]:
    """The tools that the variant leaves of a benchmark's own."""
    for glob in (*variant.without, *variant.only):
        if not any(fnmatchcase(tool, glob) for tool in tools):
            available = ", ".join(tools[:20])
            raise InputError(
                f"--variant {variant.name}: no tool fits {printable(glob, 40)!r}. "
                f"There are: {available}."
            )
    selected = [tool for tool in tools if not variant.only or _fits(tool, variant.only)]
    return tuple(tool for tool in selected if not _fits(tool, variant.without))


def _fits(tool: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(tool, glob) for glob in globs)
