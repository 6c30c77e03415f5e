"""The published manifests of a ledger: which one a reader reads, and which may go.

Takes a ledger's folder and the bytes of manifests. Every change of a ledger publishes one more file
here, and none is ever changed. A reader holds a shared lock on the one that it reads, which the
system lets go when the process ends, however it ends. A generation goes when nobody holds it and
it is not the last of its day; the newest days are kept, for `--as-of`. Knows no fields of a
manifest.
"""

import os
import re
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from agentdyno.ledger.disk import make_folder, replace_synced, sync_folder
from agentdyno.ledger.file_names import GENERATIONS, refuse_link

DAYS = 8
"""Of so many days on which a ledger changed, the last generation is kept."""
HELD = 16
"""Generations that a process holds at most: a server opens its ledger again and again."""
_NAME = re.compile(r"(\d{10})-(\d{8})(-open)?\.json")


class Generation(Struct, frozen=True):
    number: int
    """How many were published up to it."""
    day: str
    """The day on which it was, in UTC: 20261117."""
    is_deduplicated: bool
    """True when every response counts once in it; False in the middle of a run."""
    path: Path


def list_generations(folder: Path) -> list[Generation]:
    """All that are there, oldest first."""
    home = refuse_link(folder / GENERATIONS)
    try:
        names = sorted(os.listdir(home))
    except (FileNotFoundError, NotADirectoryError):
        return []
    matches = [match for name in names if (match := _NAME.fullmatch(name))]
    return [Generation(int(m[1]), m[2], m[3] is None, refuse_link(home / m[0])) for m in matches]


def find_newest(folder: Path) -> Path | None:
    """The file of the newest generation; None for a ledger older than generations."""
    generations = list_generations(folder)
    return generations[-1].path if generations else None


def publish(folder: Path, number: int, at: float, is_deduplicated: bool, data: bytes) -> None:
    """Adds a generation; from here on readers see it."""
    home = refuse_link(folder / GENERATIONS)
    if not home.is_dir():
        make_folder(home)
        sync_folder(folder)
    day = datetime.fromtimestamp(at, UTC).strftime("%Y%m%d")
    path = home / f"{number:010}-{day}{'' if is_deduplicated else '-open'}.json"
    replace_synced(refuse_link(path), data)


def choose(folder: Path, as_of: str | None = None) -> Generation | None:
    """The generation to read: the newest in which every response counts once, or the newest of all
    where there is none yet. `as_of`: a generation's number, or the newest up to a day
    (2026-11-17)."""
    generations = list_generations(folder)
    if as_of is not None and as_of.isdecimal():
        generations = [generation for generation in generations if generation.number == int(as_of)]
    elif as_of is not None:
        generations = [
            generation for generation in generations if generation.day <= as_of.replace("-", "")
        ]
    counted = [generation for generation in generations if generation.is_deduplicated]
    return next(reversed(counted or generations), None)


# Readers ------------------------------------------------------------------------------------------

_held: dict[tuple[int, int], int] = {}


def hold(generation: Generation) -> bool:
    """Keeps the generation and its files until this process ends, or has opened many newer ones;
    False when it is gone already."""
    try:
        opened = os.open(refuse_link(generation.path), os.O_RDONLY)
    except FileNotFoundError:
        return False
    status = os.fstat(opened)
    key = status.st_dev, status.st_ino
    if key in _held or not _lock(opened, shared=True) or not os.fstat(opened).st_nlink:
        os.close(opened)
        return key in _held
    _held[key] = opened
    while len(_held) > HELD:
        os.close(_held.pop(next(iter(_held))))
    return True


def release() -> None:
    """Lets go of all that this process holds."""
    while _held:
        os.close(_held.popitem()[1])


def _lock(opened: int, shared: bool) -> bool:
    """True when the lock was free; where a system has none, an open file cannot be removed."""
    try:
        import fcntl

        fcntl.flock(opened, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        pass
    return True


# What may go --------------------------------------------------------------------------------------


def drop_unneeded(folder: Path, current: int, days: int = DAYS) -> list[int]:
    """Removes generations that nobody needs, but for the last of each of so many days; returns the
    numbers of those that stay."""
    generations = list_generations(folder)
    # The newest in which every response counts once is the last of its day.
    last = {g.day: g.number for g in generations if g.is_deduplicated}
    needed = {current, *list(last.values())[-max(days, 1) :]}
    return [g.number for g in generations if g.number in needed or not _remove(g.path)]


def _remove(path: Path) -> bool:
    """Remove a generation; False when somebody holds it."""
    if find_spec("fcntl") is None:
        return _unlink(path)
    try:
        opened = os.open(refuse_link(path), os.O_RDONLY)
    except FileNotFoundError:
        return True
    try:
        return _lock(opened, shared=False) and _unlink(path)
    finally:
        os.close(opened)


def _unlink(path: Path) -> bool:
    try:
        path.unlink(missing_ok=True)
    except PermissionError:  # Windows removes no file that is open.
        return False
    return True
