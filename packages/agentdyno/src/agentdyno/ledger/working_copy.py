"""A ledger in object storage: a copy on this disk to work on, brought in line at both ends.

Takes a ledger's place, returns a folder. A URL's copy lies among the user's cached files; what it
lacks is fetched before the work, what is new is put into the storage after it, the manifest last.
Files of a ledger never change once they are named, so a name that is there needs no second look.
A kill in between leaves the storage with the ledger as it was, and the copy with what was done:
the next run goes on from there.
"""

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from agentdyno.engines.storage import (
    fetch,
    files_under,
    is_there,
    list_stored,
    put,
    read_stretch,
    remove,
    url_of,
)
from agentdyno.ledger.file_names import GENERATIONS, NAME, is_table_file
from agentdyno.records import InputError

AT_ONCE = 16
_LAST_SEEN = ".in-storage"
"""In the copy: the storage's manifest as it was when both were last the same."""


@contextmanager
def open_working_copy(ledger: Path) -> Iterator[Path]:
    """The ledger's folder, or that of its copy, from which the storage is brought up to date."""
    url = url_of(ledger)
    if url is None:
        yield ledger
        return
    copy = pull(url)
    try:
        yield copy
    finally:
        if (copy / NAME).exists():
            _push(copy, url.rstrip("/"))


def pull(url: str) -> Path:
    """The copy of a stored ledger, with all that the storage has."""
    root = url.rstrip("/")
    copy = _folder(root)
    now, seen = _manifest(root), copy / _LAST_SEEN
    if now is None and seen.exists():
        shutil.rmtree(copy)  # Somebody took the ledger out of the storage.
    copy.mkdir(parents=True, exist_ok=True)
    if now is not None and (not seen.exists() or seen.read_bytes() != now):
        _fetch_missing(root, copy)
        (copy / NAME).write_bytes(now)
        shutil.rmtree(copy / GENERATIONS, ignore_errors=True)
        seen.write_bytes(now)
    return copy


def local_folder(ledger: Path) -> Path:
    """A folder to read a ledger from: its own, or a local copy of the storage."""
    url = url_of(ledger)
    if url is None:
        return ledger
    if not is_there(f"{url.rstrip('/')}/{NAME}"):
        raise InputError(f"{url}: expected a ledger (with {NAME}), found none.")
    return pull(url)


def _folder(root: str) -> Path:
    cached = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root_digest = blake2b(root.encode(), digest_size=8).hexdigest()
    return Path(cached) / "agentdyno" / "ledgers" / f"{root.rpartition('/')[2]}-{root_digest}"


def _manifest(root: str) -> bytes | None:
    url = f"{root}/{NAME}"
    if not is_there(url):
        return None
    (stored,) = files_under(url)
    return read_stretch(url, 0, stored.size)


def _fetch_missing(root: str, copy: Path) -> None:
    missing = {}
    for stored in files_under(root):
        name = stored.url[len(root) :].lstrip("/")
        # A store's keys may hold `..`, and other files may lie beside the ledger.
        if is_table_file(name) and not (copy / name).exists():
            missing[stored.url] = copy / name
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(_fetch_whole, missing.keys(), missing.values()))


def _fetch_whole(url: str, target: Path) -> None:
    """A file that is there under its name is there whole."""
    part = target.with_name(f".{target.name}.part")
    fetch(url, part)
    part.replace(target)


def _push(copy: Path, root: str) -> None:
    """Files first, then the manifest that names them, then what it no longer names goes."""
    _refuse_other_writer(copy, root)
    written = {path.relative_to(copy).as_posix(): path for path in copy.glob("*/*.parquet")}
    local = {name: path for name, path in written.items() if is_table_file(name)}
    remote = {s.url[len(root) :].lstrip("/") for s in list_stored(root)}
    new = sorted(local.keys() - remote)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda name: put(local[name], f"{root}/{name}"), new))
        put(copy / NAME, f"{root}/{NAME}")
        (copy / _LAST_SEEN).write_bytes((copy / NAME).read_bytes())
        gone = filter(is_table_file, remote - local.keys())
        list(pool.map(lambda name: remove(f"{root}/{name}"), gone))


def _refuse_other_writer(copy: Path, root: str) -> None:
    """Object stores have no locks; another's work shows in the manifest."""
    now, seen = _manifest(root), copy / _LAST_SEEN
    if now != (seen.read_bytes() if seen.exists() else None):
        raise InputError(
            f"{root}: another process has written this ledger since this run began, so nothing was "
            f"put there. What this run measured is in {copy}."
        )
