"""Puts bytes on disk so that a power cut leaves the old or the new, and nothing in between.

Takes bytes and paths, returns digests. Every file of a ledger is written here: its bytes are synced
before its name counts, and the folder that holds the name is synced before anything that relies on
it. In a folder that only its owner can open, a new file or folder is its owner's alone, too. Knows
nothing of tables or manifests.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO

from agentdyno.records import InputError

_CHUNK = 1 << 22
DIGEST_LENGTH = 32
"""Characters of a digest."""


def digest(data: bytes | memoryview) -> str:
    """A digest that tells these bytes from all others."""
    return start_digest(data).hexdigest()


def start_digest(data: bytes | memoryview) -> blake2b:
    """The digest of bytes that others may follow."""
    return blake2b(data, digest_size=16)


def digest_of(path: Path) -> str:
    """The digest of a file's bytes, a stretch at a time."""
    hasher = blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            hasher.update(chunk)
    return hasher.hexdigest()


def add_digest(data: bytes | memoryview) -> bytes:
    """The bytes behind a digest of them, so that a file says itself whether it is whole."""
    return digest(data).encode() + data


def strip_digest(data: bytes) -> memoryview | None:
    """The bytes without their digest; None where they are not those that were written."""
    body = memoryview(data)[DIGEST_LENGTH:]
    return body if digest(body).encode() == data[:DIGEST_LENGTH] else None


def write_synced(path: Path, data: bytes | memoryview) -> None:
    """Writes a file whose bytes are on the disk when this returns; its name may not be."""
    with _create(path) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_file(path: Path, data: bytes | memoryview) -> None:
    """Writes a file that anybody can make again, so nothing waits for the disk."""
    with _create(path) as file:
        file.write(data)


@contextmanager
def _create(path: Path) -> Iterator[IO[bytes]]:
    """A file of our own: what is left under the name may be a link to somewhere else. One that the
    disk has no room for goes again."""
    try:
        file = _open_new(path)
    except FileExistsError:
        path.unlink()
        file = _open_new(path)
    try:
        with file:
            yield file
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise


def _open_new(path: Path) -> IO[bytes]:
    mode = PRIVATE_FILE if is_private(path.parent) else 0o666
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))


PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


def is_private(folder: Path) -> bool:
    """True when only its owner can open the folder."""
    return os.stat(folder).st_mode & 0o077 == 0


def make_folder(path: Path) -> None:
    """A folder, and those above it that are missing, each as private as the one it is in."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(PRIVATE_FOLDER if is_private(path.parent) else 0o777, exist_ok=True)


def make_private(folder: Path) -> None:
    """Leaves a folder and all that is in it to its owner alone."""
    _restrict(folder, PRIVATE_FOLDER)
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            make_private(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            _restrict(Path(entry.path), PRIVATE_FILE)


def _restrict(path: Path, mode: int) -> None:
    try:
        if os.stat(path).st_mode & 0o777 != mode:
            path.chmod(mode)
    except FileNotFoundError:
        return  # Another process has removed it meanwhile.


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder as lasting as the files behind them."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return  # Windows opens no folders, and keeps their names without being asked.
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(opened)


_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
"""Errors of disks (network ones, mostly) that cannot sync a folder."""


def replace_synced(path: Path, data: bytes | memoryview) -> None:
    """Replaces a file in one step: a reader sees the old one or the new one."""
    staging = path.with_name(f".{path.name.lstrip('.')}.new")
    write_synced(staging, data)
    staging.replace(path)
    sync_folder(path.parent)


@contextmanager
def plainly(folder: Path) -> Iterator[None]:
    """Says in one line what the disk refused; what the ledger held before, it still holds."""
    try:
        yield
    except OSError as error:
        refusal = _REFUSALS.get(error.errno or 0)
        if refusal is None:
            raise
        raise InputError(
            f"{folder}: {refusal} ({error.strerror}). The ledger is as it was after the last "
            f"finished step; {_REMEDIES.get(error.errno, '')}run the command again to go on."
        ) from None


_REFUSALS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the system allows no larger file",
    errno.EROFS: "the disk can only be read",
    errno.EACCES: "the ledger's folder may not be written",
    errno.EPERM: "the ledger's folder may not be written",
    errno.EIO: "the disk failed",
}
_REMEDIES: dict[int | None, str] = {
    errno.ENOSPC: "free some space there and ",
    errno.EDQUOT: "free some space there and ",
}
