"""Where the traces of a ledger may be opened again.

Two things allow it: that this user gave the path to `measure` on this machine
(`ledger.given_paths`), and that the reader names a folder with `--sources`, under which the traces
are then looked up. Nothing else that a manifest names is opened, be it a path or a URL.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from agentdyno.engines.storage import url_of
from agentdyno.intake.discover import write_name
from agentdyno.intake.opening import INSIDE, locate
from agentdyno.ledger.given_paths import GivenPaths, forget_other, record_given
from agentdyno.ledger.manifest import InputEntry, fingerprint
from agentdyno.records import InputError
from agentdyno.records.secrets.batch import find_changed_names
from agentdyno.records.secrets.cleaning import is_marked

if TYPE_CHECKING:
    from agentdyno.ledger.writer import LedgerWriter

SOURCES = "AGENTDYNO_SOURCES"
"""The folder that the reader named; an environment variable, so that worker processes have it."""
CLOSED = "not opened: not measured by you on this machine; --sources FOLDER allows it"


class SourceAccess:
    """What may be opened of one ledger, and where it is."""

    def __init__(self, folder: Path, volumes: Collection[str]) -> None:
        self._given = GivenPaths(folder, volumes)
        self._folder = os.environ.get(SOURCES) or None
        self._found: dict[str, str | None] = {}
        self._marked: dict[str, list[str]] | None = None

    @property
    def why_closed(self) -> str:
        """Why a trace has no place."""
        return CLOSED if self._folder is None else "not in the folder that --sources names"

    def is_given(self, entry: InputEntry) -> bool:
        """Whether this user gave the path to `measure`; looks at no file, but for names in folders
        where the ledger has a path without its secrets."""
        return self.find_given(entry) is not None

    def find_given(self, entry: InputEntry) -> str | None:
        """Where the trace is, if this user gave that place to `measure`."""
        if not is_marked(entry.path):
            return entry.path if self._given.has(entry.path) else None
        if self._marked is None:
            self._marked = _list_marked(self._given.roots)
        outer, inside, inner = entry.path.partition(INSIDE)
        places = [f"{path}{inside}{inner}" for path in self._marked.get(outer, [])]
        return next((p for p in places if _has_contents(p, entry)), next(iter(places), None))

    def find_place(self, entry: InputEntry) -> str | None:
        """Where the trace may be opened, as the ledger writes places; None where nowhere."""
        if (path := self.find_given(entry)) is not None:
            return path
        if self._folder is None:
            return None
        if entry.path not in self._found:
            self._found[entry.path] = _look_under(Path(self._folder), entry)
        return self._found[entry.path]


def _list_marked(roots: Collection[str]) -> dict[str, list[str]]:
    """Files under these roots whose paths hold secrets, by the path without them: the ledger does
    not say what they are called."""
    paths = [root for root in roots if os.path.isfile(root)]
    for root in roots:
        paths += [os.path.join(home, name) for home, _, names in os.walk(root) for name in names]
    marked: dict[str, list[str]] = {}
    for path, clean in find_changed_names(map(write_name, map(Path, paths))).items():
        marked.setdefault(clean, []).append(path)
    return marked


def _look_under(folder: Path, entry: InputEntry) -> str | None:
    """The file with the longest part of the path that the folder has, and the same contents; one
    with other contents where there is no better one."""
    outer, inside, inner = (url_of(entry.path) or entry.path).partition(INSIDE)
    parts = [part for part in PurePosixPath(outer.replace("\\", "/")).parts if part.strip("/")]
    if ".." in parts:
        return None
    root, other = os.path.realpath(folder), None
    for start in range(len(parts)):
        path = os.path.realpath(os.path.join(root, *parts[start:]))
        # A folder that somebody else packed may hold links to anywhere.
        if not path.startswith(root + os.sep) or not os.path.isfile(path):
            continue
        location = f"{path}{inside}{inner}"
        if _has_contents(location, entry):
            return location
        other = other or location
    return other


def _has_contents(path: str, entry: InputEntry) -> bool:
    try:
        return fingerprint(locate(path)).edges == entry.fingerprint.edges
    except (OSError, InputError):
        return False


@contextmanager
def keep_access(writer: "LedgerWriter", paths: Collection[str] = ()) -> Iterator[None]:
    """While a ledger is written: `paths` were given by this user, and so may be opened from now on;
    with its new volumes it is still the ledger that it was."""
    forget_other(writer.folder, writer.manifest.volumes)
    record_given(writer.folder, writer.manifest.volumes, paths)
    try:
        yield
    finally:
        record_given(writer.folder, writer.manifest.volumes, ())
