"""Which paths belong to a ledger: names of its own pattern, inside its folder, reached by no link.

Takes a ledger's folder and names from its manifest, returns paths. A manifest is data that somebody
else may have written: a name of any other pattern, or one that a symbolic link leads out of the
folder, is refused before anything is opened, written or removed.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from agentdyno.records import InputError, printable
from agentdyno.records.ledger import DERIVED, FORMER_TABLES, REMOVED_TABLES, TABLES

Place = TypeVar("Place", str, Path)

NAME = "manifest.json"
FORMER_COPY = ".manifest.copy.json"
"""The manifest's copy in layout 3; generations are copies of it now."""
GENERATIONS = ".generations"
"""Where every published manifest is that somebody may still read (`generations`)."""
STORE = ".volumes"
"""Where the files of tables are; the tables' own folders hold links to those of the newest
generation, so that `*.parquet` opens it in any tool."""
EMPTY = "empty.parquet"
"""A file without rows in every table's folder, so that `*.parquet` opens also before the first
volume is there."""
MARKS = "marks.jsonl"
"""Findings that a user of an earlier version marked as right or wrong; nothing reads them."""
APPLIED, BACKUPS = "applied.jsonl", ".applied"
"""Changes that `agentdyno apply` made, and what the changed files held before."""
LAST_RUN = ".last-run.json"
"""The output of the last `measure` (`pipelines.last_run`)."""
SESSIONS = ".sessions.json"
"""The state of the newest sessions, for `statusline`."""
SPENT = ".spent.json"
"""The cost of each of the last days, and the prices behind it, for hooks (`session_states`)."""
RECENT = ".recent.json"
"""Usage since the ledger was brought up to date, by a scan (`recent`)."""
BUDGETS = ".budgets.json"
"""The user's budgets."""
LIMITS = ".limits.jsonl"
"""Readings of a subscription's limits that earlier versions wrote; nothing reads them any more."""
VISITS = ".visits.json"
"""When the user last looked at the first screen."""
SUMS = ".sums"
"""Results of studies by volume (`volume_sums`)."""
TEXTS = ".texts"
"""Texts of traces, where the ledger's owner asked for it (`stored_texts`)."""
UNFINISHED = ".aside"
"""Where volumes are written before they are part of the ledger."""

VOLUME_PATTERN = r"\A[0-9a-f]{16}\Z"
DERIVED_PATTERN = r"\A[0-9a-f]{16}\.parquet\Z"
FILE_PATTERN = r"\A[a-z_]{1,40}/[0-9a-f]{16}(?:-[0-9]+)?\.parquet\Z"
OURS = re.compile(r"[0-9a-f]{16}(?:-[0-9]+)?\.parquet")
"""How a ledger names the files of its tables; others are left alone."""

FOLDERS = (*TABLES, *DERIVED, *FORMER_TABLES.values(), *REMOVED_TABLES)
"""Every folder that a table's files may be in."""
_OTHERS = (
    NAME, FORMER_COPY, GENERATIONS, STORE, UNFINISHED, LAST_RUN, SESSIONS, SPENT,
    RECENT, BUDGETS, LIMITS, VISITS, SUMS, TEXTS, ".lock",
    ".in-storage", "judging", "continuations", MARKS, APPLIED, BACKUPS,
)  # fmt: skip


def table_file(folder: Path, table: str, name: str) -> Path:
    """Path of a table's file, which need not exist."""
    if table not in FOLDERS or not (name == EMPTY or OURS.fullmatch(name)):
        raise InputError(
            f"{folder}: expected the name of a table's file (16 hexadecimal digits, .parquet), "
            f"found {printable(f'{table}/{name}', 80)!r}. This ledger was not written by AgentDyno "
            "as it stands; measure its traces into another folder."
        )
    # As texts: there are thousands of files, and paths as values take longer than the disk.
    inside, public = os.path.join(folder, STORE, table), os.path.join(folder, table, name)
    stored = os.path.join(inside, name)
    for path in (public, inside, stored):
        refuse_link(path)
    # A ledger that no writer of this version has opened yet has no store.
    is_public = name == EMPTY or (os.path.exists(public) and not os.path.exists(stored))
    return Path(public if is_public else stored)


def find_ledger(path: Path) -> Path:
    """The folder of the ledger that a file is in or is being written for."""
    inside = (above.parent for above in path.parents if above.name in (UNFINISHED, STORE))
    return next(inside, path.parent)


def is_table_file(name: str) -> bool:
    """True when a path relative to a ledger, written with slashes, is that of a table's file."""
    table, _, file = name.partition("/")
    return table in FOLDERS and (file == EMPTY or OURS.fullmatch(file) is not None)


def refuse_links(folder: Path, names: Iterable[str] = (*FOLDERS, *_OTHERS)) -> None:
    """Raises when one of the ledger's own folders or files is a link."""
    for name in names:
        refuse_link(folder / name)


def refuse_links_under(folder: Path) -> None:
    """Raises when the folder, the one that holds it or anything in it is a link."""
    for path in (folder.parent, folder, *folder.rglob("*")):
        refuse_link(path)


def refuse_link(path: Place) -> Place:
    """The path itself; raises when it is a link, since what is written or removed there would be
    somewhere else."""
    if os.path.islink(path) or _is_junction(path):
        raise InputError(
            f"{path}: expected a file or folder of the ledger itself, found a link. Nothing was "
            "changed. Put what it points to in its place, or measure into another folder."
        )
    return path


def _is_junction(path: str | Path) -> bool:
    """Windows has links of folders that are no symbolic links; Python 3.12 and later see them."""
    check = getattr(os.path, "isjunction", None)
    return bool(check and check(path))
