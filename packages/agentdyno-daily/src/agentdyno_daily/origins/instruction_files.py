"""Instruction files of a project that is on this machine: their sections, with their texts.

A section begins with a heading of the first or second level; what stands before the first is named
by its file alone. A file that stands outside a nested worktree as well is loaded twice.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from agentdyno.regular_files import read_regular

FILES = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")
AGAIN = "again from around the worktree"
LARGEST = 256 * 1024
_HEADING = re.compile(r"^##? +(.+?) *#*$", re.MULTILINE)
_WORKTREE = re.compile(r"^(.+?)/(?:\.worktrees|\.claude/worktrees)/[^/]+")


@lru_cache(maxsize=1024)
def read_sections(project: str | None) -> tuple[tuple[str, str], ...]:
    """`CLAUDE.md # Testing` and its text, for all of them."""
    if project is None or not Path(project).is_absolute() or not Path(project).is_dir():
        return ()
    nested = _WORKTREE.match(project)
    sections = [pair for name, text in _read(Path(project)) for pair in _split(name, text)]
    if nested is not None:
        sections += [(f"{name}, {AGAIN}", text) for name, text in _read(Path(nested[1]))]
    return tuple(sections)


def _read(folder: Path) -> Iterator[tuple[str, str]]:
    for name in FILES:
        file = folder / name
        try:
            text = read_regular(file, LARGEST, follow_link=False)
            yield name, text.decode(errors="replace")
        except OSError:
            continue


def _split(name: str, text: str) -> Iterator[tuple[str, str]]:
    heads = [*_HEADING.finditer(text)]
    begins = [match.start() for match in heads]
    if not heads or begins[0] > 0:
        yield name, text[: begins[0]] if heads else text
    for head, until in zip(heads, [*begins[1:], len(text)], strict=True):
        yield f"{name} # {head[1]}", text[head.start() : until]
