"""The folder of a run: where logs lie, who may write there, and whether a resumed run fits.

OUT/logs/TASK/MODEL/*.eval      what is measured
OUT/settings/TASK/MODEL.json    what the logs were made with
OUT/locks/TASK/MODEL/           held while a process writes; released by its death
OUT/inspect/                    what Inspect would leave in the user's data directory
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_LEFTOVER = ".inspect_tmp_*"
ORPHANS_SECONDS = 20.0
"""How long the processes of a killed run may take to notice."""


class RunFolder(Struct, frozen=True):
    """The place of one task and one model within the folder of a run."""

    out: Path
    task: str
    model: str
    """The model's name, with its variant."""

    @property
    def logs(self) -> Path:
        """Inspect's logs."""
        return self.out / "logs" / file_name(self.task) / file_name(self.model)

    @property
    def settings(self) -> Path:
        """Settings that the logs were made with."""
        return self.out / "settings" / file_name(self.task) / f"{file_name(self.model)}.json"

    @property
    def locks(self) -> Path:
        """One file for each process that writes logs."""
        return self.out / "locks" / file_name(self.task) / file_name(self.model)

    @property
    def inspect_data(self) -> Path:
        """Inspect's own data."""
        return self.out / "inspect"


def file_name(text: str) -> str:
    """A name as a file name; other names give other file names."""
    plain = _NOT_A_NAME.sub("-", text).strip(".-")[:80] or "unnamed"
    if plain == text:
        return plain
    return f"{plain}~{_short_digest(text)}" if _ambiguous(text) else plain


def _ambiguous(text: str) -> bool:
    """Slashes between plain words are what model names have; anything else may collide."""
    return any(not word or _NOT_A_NAME.search(word) for word in text.split("/")) or len(text) > 80


def _short_digest(text: str) -> str:
    from hashlib import blake2b

    return blake2b(text.encode(errors="surrogatepass"), digest_size=4).hexdigest()


@contextmanager
def sole_writer(folder: RunFolder) -> Iterator[None]:
    """Nobody else writes here meanwhile; processes of a killed run are waited for."""
    with _lock(folder.locks / "run", patience_seconds=0.0):
        for lock in sorted(folder.locks.glob("shard-*")):
            with _lock(lock, ORPHANS_SECONDS):
                pass
        for leftover in folder.logs.glob(_LEFTOVER):
            leftover.unlink()  # A log that was being written when its process was killed.
        yield


@contextmanager
def shard_lock(folder: RunFolder, shard: int) -> Iterator[None]:
    """Held by a process that writes logs, so that a resumed run can wait for its end."""
    with _lock(folder.locks / f"shard-{shard}", ORPHANS_SECONDS):
        yield


@contextmanager
def _lock(path: Path, patience_seconds: float) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        deadline = time.monotonic() + patience_seconds
        while not _try_lock(file):
            if time.monotonic() >= deadline:
                raise InputError(
                    f"{path.parent}: expected no other run with this folder, found one that is "
                    "still going. Wait for its end, or choose another --out."
                )
            time.sleep(0.05)
        yield


def _try_lock(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:
        return True  # No such locks on this system.
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # Nor on this kind of disk.
    return True


def check_settings(folder: RunFolder, settings: dict[str, Any]) -> None:
    """A resumed run must be the same experiment: samples of two would be mixed otherwise."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(settings, enc_hook=repr))
    file = folder.settings
    if not file.exists() or not any(folder.logs.glob("*.eval")):
        file.parent.mkdir(parents=True, exist_ok=True)
        staging = file.with_suffix(".new")
        staging.write_bytes(msgspec.json.format(msgspec.json.encode(plain)))
        os.replace(staging, file)
        return
    had = msgspec.json.decode(file.read_bytes())
    other = sorted(key for key in had.keys() | plain.keys() if had.get(key) != plain.get(key))
    if other:
        changes = "; ".join(f"{k} was {had.get(k)!r} and is {plain.get(k)!r}" for k in other)
        raise InputError(
            f"{folder.logs}: expected the settings that its logs were made with, found others: "
            f"{changes}. Choose another --out, or the same settings to resume."
        )
