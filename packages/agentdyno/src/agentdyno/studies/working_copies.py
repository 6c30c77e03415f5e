"""One repository in several working copies: paths in, the paths of its main copy out.

Agents work side by side in worktrees that stand inside the repository; what they read there is the
same file, and their sessions are of the same project. Worked: `/home/ann/shop/.worktrees/2/a.py`
and `/home/ann/shop/.claude/worktrees/till/a.py` are `/home/ann/shop/a.py`. Windows has no case of
drives: `c:\\shop` is `C:\\shop`. A clone at the same place of another home, of this machine or
another, holds the same files: `/Users/bob/shop/a.py` too. Hidden folders of a home are its own.
Checkouts elsewhere are told by what was read in them: folders of one name in which three files of
the same name and place, or more, were read are one repository.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

import polars as pl

_HOME = r"^(?:/home/|/Users/|[A-Za-z]:[/\\]Users[/\\])[^/\\]+"
_COPY = r"[/\\](?:\.worktrees|\.claude[/\\]worktrees|\.git[/\\]worktrees)[/\\][^/\\]+"


def in_main_copy(path: pl.Expr) -> pl.Expr:
    """Paths with the folder of a nested worktree taken out."""
    main = path.str.replace(_COPY, "")
    on_drive = main.str.contains(r"^[a-z]:[/\\]")
    return (
        pl.when(on_drive)
        .then(main.str.head(1).str.to_uppercase() + main.str.slice(1))
        .otherwise(main)
    )


def below_home(path: pl.Expr) -> pl.Expr:
    """Paths with the home folder as `~`, by which clones in several homes are one."""
    is_own = path.str.contains(_HOME + r"[/\\]\.")
    below = path.str.replace(_HOME, "~").str.replace_all("\\", "/", literal=True)
    return pl.when(is_own).then(path).otherwise(below)


SHARED_FILES = 3
"""Files of one place in two folders of one name, to say that both hold one repository."""


def find_checkouts(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Of projects with the files that were read in them, the checkout that stands for each: the
    first of its repository. Those that are alone are left out."""
    read: defaultdict[str, set[str]] = defaultdict(set)
    for project, path in files:
        read[project].add(path)
    names: defaultdict[str, list[str]] = defaultdict(list)
    for project in sorted(read):
        names[project.rpartition("/")[2]].append(project)
    first: dict[str, str] = {}
    for projects in names.values():
        for one, other in combinations(projects, 2):
            if len(read[one] & read[other]) >= SHARED_FILES and other not in first:
                first[other] = first.get(one, one)
    return first
