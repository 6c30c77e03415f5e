"""What a repository says of itself: commits, what each changed, and where lines stand later.

Values alone; who reads a repository is `pipelines/repository.py`. Texts of files are lists of
lines, and a path is as git has it, with `/` and from the root of the repository.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct


class FileChange(Struct, frozen=True):
    """What a commit did to one file."""

    path: str
    added: list[str]
    """Lines that the file before it has not, or not so often, in order."""
    removed: list[str]
    """Lines that the file after it has not, or not so often."""


class Commit(Struct, frozen=True, kw_only=True):
    """One commit that is no merge."""

    name: str
    """Its hash."""
    subject: str
    """The first line of its message."""
    at: float
    """When it was committed, in seconds since 1970; a rebase or an amend sets it anew."""
    on_main: bool
    """Whether the main branch holds it."""
    unit: str
    """The pull request or merged branch by which it came to the main branch, or the branch that
    holds it where the main branch does not; the main branch's name for a commit made there."""
    changes: list[FileChange]
    """What it changed, in order of paths."""


class History(Struct, frozen=True, kw_only=True):
    """What was read of a repository."""

    main: str
    """The main branch."""
    commits: list[Commit]
    """Commits that are no merges, each after its parents."""
    paths: frozenset[str]
    """Every path that any of them touched or that stood before them."""
    skipped: int
    """Files that were binary or too large to be compared."""
    read_at: float
    """When the main branch was last committed to: nothing is known of later days."""
    lines_before: Callable[[str, float], Sequence[str] | None]
    """What a file held at the last commit before a moment; None where there was no such file."""
    lines_on_main: Callable[[str, float], Sequence[str]]
    """What a file held on the main branch at a moment; nothing where there was no such file."""
