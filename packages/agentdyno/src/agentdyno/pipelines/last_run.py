"""What `measure` prints when nothing has changed, kept from the run before.

Takes paths and a ledger, returns a digest of all that decides the answer: every file's size and
time, the ledger's generation and files, options, and the versions of stages and plug-ins. A run
whose digest is that of the last one prints what is kept and opens no table. Imports neither polars
nor numpy: loading them takes longer than all of this.
"""

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.cost.user_prices import read_table, user_table
from agentdyno.engines.storage import url_of
from agentdyno.intake.format import load_formats
from agentdyno.ledger.disk import add_digest, replace_synced, strip_digest
from agentdyno.ledger.file_names import LAST_RUN, STORE, refuse_link
from agentdyno.ledger.generations import choose, find_newest
from agentdyno.ledger.manifest import read_manifest
from agentdyno.pipelines.source_access import SourceAccess
from agentdyno.plugins import list_entry_points
from agentdyno.records import InputError
from agentdyno.records.stages import STAGES
from agentdyno.regular_files import read_regular
from agentdyno.version import __version__


class LastRun(Struct, frozen=True):
    """The answer of a run, as one that finds nothing new gives it."""

    traces: str
    """A digest of the files that were given, as they were before they were read."""
    ledger: str
    """A digest of the ledger after the run."""
    lines: list[tuple[str, str]]
    """What is printed, each line with its style."""
    notes: list[str]
    json: str
    """What `--json` prints."""
    changes: list[tuple[str, float]] = []
    """What to change in words, and the dollars that it saves."""


def digest_traces(paths: list[Path], ledger: Path, options: object) -> str | None:
    """Of everything that is given; None where something is not on this disk."""
    if any(url_of(path) for path in (*paths, ledger)):
        return None
    readers = {name: format.version for name, format in load_formats().items()}
    digest = blake2b(digest_size=16)
    own_prices = read_table(user_table())[2]
    setup = (__version__, STAGES, readers, own_prices, list_entry_points(), options)
    digest.update(msgspec.json.encode(msgspec.to_builtins(setup)))
    try:
        for line in _files(paths, os.path.realpath(ledger)):
            digest.update(line.encode("utf-8", "surrogateescape"))
    except OSError:
        return None
    return digest.hexdigest()


def _files(paths: list[Path], ledger: str) -> Iterator[str]:
    # However a path is written, it is the same file.
    for root in map(os.path.realpath, paths):
        yield f"{root}\n"
        if not os.path.isdir(root):
            yield _describe(root)
        for folder, folders, files in os.walk(root):
            subfolders = [name for name in folders if os.path.join(folder, name) != ledger]
            folders[:] = sorted(subfolders)
            for name in sorted(files):
                yield _describe(os.path.join(folder, name))


def _describe(path: str) -> str:
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}\n"


def digest_ledger(ledger: Path) -> str | None:
    """Of the ledger's newest generation, its files, and which of its sources are still there; None
    where a run was left unfinished."""
    newest, read = find_newest(ledger), choose(ledger)
    if newest is None or read is None or newest != read.path:
        return None
    digest = blake2b(digest_size=16)
    try:
        manifest = read_manifest(newest)
        for line in (_describe(os.path.realpath(newest)), *_files([ledger / STORE], "")):
            digest.update(line.encode("utf-8", "surrogateescape"))
    except (InputError, OSError):
        return None
    access = SourceAccess(ledger, manifest.volumes)
    for entry in manifest.inputs.values():
        path = access.find_given(entry)
        digest.update(bytes([path is not None and os.path.exists(path.partition("!/")[0])]))
    return digest.hexdigest()


def keep_answer(ledger: Path, answer: LastRun) -> None:
    """Writes the answer for the next run."""
    replace_synced(refuse_link(ledger / LAST_RUN), add_digest(msgspec.json.encode(answer)))


def find_answer(ledger: Path, traces: str | None) -> LastRun | None:
    """The kept answer, if it still holds."""
    stored = read_kept(ledger / LAST_RUN)
    if stored is None or traces is None or stored.traces != traces:
        return None
    return stored if stored.ledger == digest_ledger(ledger) else None


def read_kept(path: Path) -> LastRun | None:
    """What the last run kept, whether it still holds or not; None where it kept nothing."""
    try:
        data = strip_digest(read_regular(refuse_link(path)))
        return None if data is None else msgspec.json.decode(data, type=LastRun)
    except (OSError, InputError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
