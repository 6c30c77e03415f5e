"""Opens a trace's bytes, in a file on disk or inside a compressed file or an archive.

A packed file is laid out once per process in a temporary folder, which goes when the process ends.
A file inside one is written `/runs/traces.zip!/deep/a.jsonl`. A file in object storage is written
as its URL, and is fetched in the same way.
"""

import atexit
import errno
import shutil
import tempfile
from functools import cache
from pathlib import Path

from msgspec import Struct

from agentdyno.engines.storage import fetch, is_there, url_of
from agentdyno.intake.packed import Left
from agentdyno.intake.packing import unpack

INSIDE = "!/"


class Unpacked(Struct, frozen=True):
    folder: Path
    left: list[Left]
    """Members that were not unpacked."""


def unpack_file(path: Path) -> Unpacked:
    """The contents of a packed file."""
    stat = path.stat()
    return _unpack(path, stat.st_size, stat.st_mtime_ns)


@cache
def _unpack(path: Path, size: int, modified_ns: int) -> Unpacked:
    folder = Path(tempfile.mkdtemp(prefix="agentdyno-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Unpacked(folder, unpack(path, folder))


def locate(written: str) -> Path:
    """The file behind a path as the ledger writes it; raises `OSError` when there is none."""
    outer, inside, inner = written.rpartition(INSIDE)
    if not inside or Path(written).exists():
        return _on_disk(written)
    return unpack_file(_on_disk(outer)).folder / inner


def _on_disk(written: str) -> Path:
    url = url_of(written)
    return Path(written) if url is None else _fetch(url)


@cache
def _fetch(url: str) -> Path:
    if not is_there(url):
        raise FileNotFoundError(errno.ENOENT, "no such file in the storage", url)
    folder = Path(tempfile.mkdtemp(prefix="agentdyno-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = folder / url.rpartition("/")[2]
    fetch(url, target)
    return target


def origin(path: Path, packed: Path, folder: Path) -> str:
    """The ledger's name for a file that was unpacked into the folder."""
    return f"{packed}{INSIDE}{path.relative_to(folder).as_posix()}"
