"""Bytes in object storage, by fsspec: what is there, stretches of it, whole files in and out.

Takes URLs (`s3://bucket/traces`, `gs://…`, `memory://…`), returns sizes and bytes, or lays files
out on this disk. A file of which only stretches were fetched is *sparse*: as long as the whole, the
rest empty, so that whoever reads it finds every byte at its own place. Knows nothing of traces.

`Path` folds the two slashes of a URL into one; `url_of` puts the second back.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError, printable

CHUNK = 8 * 2**20
EDGE = 64 * 1024
"""As much of a file's beginning and end as tells it from others of the same size."""
_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+):/+(.*)", re.DOTALL)


class Stored(Struct, frozen=True):
    url: str
    size: int
    modified: float | None
    """When it was written, in seconds; None where the storage does not say."""


def url_of(path: str | os.PathLike[str]) -> str | None:
    """The URL that a path stands for; None for a path on this machine."""
    match = _URL.fullmatch(os.fspath(path))
    return f"{match[1].lower()}://{match[2]}" if match else None


def files_under(url: str) -> list[Stored]:
    """Every file at or under the URL, by name; raises `InputError` when there is none."""
    files = list_stored(url)
    if not files:
        raise InputError(f"{url}: no such file or folder in the storage.")
    return files


def list_stored(url: str) -> list[Stored]:
    """The same, or nothing."""
    system, path = open_storage(url)
    with plainly(url):
        listing = system.find(path, detail=True)
    root = url.rstrip("/")
    # Names come without the scheme and its slashes, which each storage writes in its own way.
    inside = {name[len(path.rstrip("/")) :]: report_line for name, report_line in listing.items()}
    return [
        _list_stored(root + suffix, report_line) for suffix, report_line in sorted(inside.items())
    ]


def _list_stored(url: str, reported: dict[str, Any]) -> Stored:
    names = ("LastModified", "mtime", "updated", "last_modified", "created")
    when: Any = next((reported[name] for name in names if reported.get(name)), None)
    seconds = when.timestamp() if hasattr(when, "timestamp") else when
    modified = float(seconds) if isinstance(seconds, int | float) else None
    return Stored(url, int(reported["size"]), modified)


def is_there(url: str) -> bool:
    system, path = open_storage(url)
    with plainly(url):
        return bool(system.exists(path))


def read_stretch(url: str, start: int, stop: int) -> bytes:
    """The bytes of a file from one place up to another."""
    system, path = open_storage(url)
    with plainly(url):
        data: bytes = system.cat_file(path, start=start, end=stop)
    return data


def write_stretches(target: Path, size: int, stretches: Sequence[tuple[int, bytes]]) -> None:
    """Puts stretches, each by the place where it begins, into a sparse file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("r+b" if target.exists() else "wb") as file:
        file.truncate(size)
        for start, data in stretches:
            file.seek(start)
            file.write(data)


def fetch_lines(url: str, target: Path, size: int, start: int, stop: int) -> None:
    """Lays out a sparse file with the lines that begin in a stretch, up to the last one's end, and
    with the edges by which the file is known."""
    first = max(start - 1, 0)  # The byte before tells whether a line begins right at the start.
    data = [read_stretch(url, first, stop)]
    end = stop
    while end < size and not data[-1].endswith(b"\n"):
        more = read_stretch(url, end, min(end + CHUNK, size))
        end += len(more)
        newline = more.find(b"\n")
        data.append(more if newline < 0 else more[: newline + 1])
    head, tail = min(EDGE, size), max(size - EDGE, 0)
    edges = [(0, read_stretch(url, 0, head)), (tail, read_stretch(url, tail, size))]
    write_stretches(target, size, [*edges, (first, b"".join(data))])


def fetch(url: str, target: Path) -> None:
    """Lays out a whole file."""
    system, path = open_storage(url)
    target.parent.mkdir(parents=True, exist_ok=True)
    with plainly(url):
        system.get_file(path, str(target))


def put(source: Path, url: str) -> None:
    """Writes a whole file into the storage; it counts when all of it is there."""
    system, path = open_storage(url)
    with plainly(url):
        if not _makes_folders_itself(system):
            system.makedirs(path.rpartition("/")[0], exist_ok=True)
        system.put_file(str(source), path)


def remove(url: str) -> None:
    """Takes a file out of the storage, if it is there."""
    system, path = open_storage(url)
    with plainly(url):
        if system.exists(path):
            system.rm_file(path)


def open_storage(url: str) -> tuple[Any, str]:
    """The file system behind a URL, and the path in it."""
    if "::" in url:  # fsspec would chain storages, some of which keep copies on this disk.
        raise InputError(f"{url}: expected the URL of one storage, found several with `::`.")
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise InputError(f"{url}: {_INSTALL.format('fsspec')}") from None
    try:
        # What another process wrote since the last look must be seen.
        system, path = url_to_fs(url, use_listings_cache=False)
    except ImportError as error:
        raise InputError(f"{url}: {error}.") from None
    except ValueError as error:
        raise InputError(f"{url}: expected a storage that fsspec knows, found: {error}.") from None
    return system, path


_INSTALL = "reading from object storage needs {}: pip install 'agentdyno[scale]'."


def _makes_folders_itself(system: Any) -> bool:
    """Object stores have no folders; asking some of them for one would make a bucket."""
    protocol = system.protocol
    names = {protocol} if isinstance(protocol, str) else set(protocol)
    return not names & {"file", "local", "memory", "sftp", "hdfs", "smb"}


@contextmanager
def plainly(url: str) -> Iterator[None]:
    """Says in one line what the storage refused."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{url}: no such file or folder in the storage.") from None
    except Exception as error:  # Each storage has errors of its own.
        message = str(error).strip() or type(error).__name__
        raise InputError(f"{url}: the storage refused it: {printable(message, 300)}") from None
