"""Paths that this user gave to `measure` on this machine, by ledger.

A manifest may come from anybody, so a path or a URL in it is no reason to open anything. That the
user typed it is one: files, folders and URLs that were given are recorded in the user's own state
folder, by the ledger's path and some of its volumes, whose names are random, so that another ledger
put in the same place is not taken for it. Knows nothing of formats; imports neither polars nor
numpy, since a run that finds nothing new comes by here.
"""

import os
import sys
from collections.abc import Collection, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.engines.storage import url_of
from agentdyno.ledger.disk import replace_synced
from agentdyno.regular_files import read_regular

OPTION_FILES = ("hardware", "arch", "tokenizer", "prices")
"""Options of `measure` that may name a file."""
MOST_VOLUMES = 64
"""Volumes by which a ledger is known again; one that is still there is enough."""
_INSIDE = "!/"


class _Record(Struct, frozen=True):
    ledger: str
    volumes: list[str]
    roots: list[str]


class GivenPaths:
    """The paths given for a ledger, as long as it is still that ledger."""

    def __init__(self, folder: Path, volumes: Collection[str]) -> None:
        record = _read(folder)
        is_other = record is None or (volumes and set(record.volumes).isdisjoint(volumes))
        self.roots = [] if record is None or is_other else record.roots

    def has(self, location: str) -> bool:
        """True when a manifest's location is one of the given paths or below one; opens no file."""
        url = url_of(location)
        outer = (url or location).partition(_INSIDE)[0]
        if ".." in outer.replace(os.sep, "/").split("/"):
            return False
        between = "/" if url else os.sep
        return any(outer == root or outer.startswith(root + between) for root in self.roots)


def record_given(folder: Path, volumes: Collection[str], paths: Collection[str]) -> None:
    """Adds paths to what was given for the ledger, and notes by which volumes it is known from now
    on; a state folder that cannot be written costs a reader `--sources` each time."""
    names = (url_of(path) or _write_name(os.path.realpath(path)) for path in paths)
    roots = [*GivenPaths(folder, ()).roots, *(name.rstrip("/") for name in names)]
    if not roots:
        return
    ledger = _write_name(os.path.realpath(folder))
    record = _Record(ledger, list(volumes)[:MOST_VOLUMES], list(dict.fromkeys(roots)))
    if _read(folder) == record:
        return
    path = _file(folder)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.chmod(0o700)
        replace_synced(path, msgspec.json.encode(record))
        path.chmod(0o600)
    except OSError:
        return


def forget_other(folder: Path, volumes: Collection[str]) -> None:
    """Removes what was given for another ledger that was in the same place."""
    if not GivenPaths(folder, volumes).roots:
        _file(folder).unlink(missing_ok=True)


def open_options(folder: Path, volumes: Collection[str], options: dict[str, Any]) -> dict[str, Any]:
    """A ledger's options without files that nobody gave; `closed` names those that were left out.

    The bundled ones take their place, but GPU-seconds are not known then: another card has others.
    """
    closed = find_closed_options(folder, volumes, options)
    opened = {name: value for name, value in options.items() if name not in closed}
    return opened | {"closed": sorted(closed)} if closed else opened


def find_closed_options(
    folder: Path, volumes: Collection[str], options: Mapping[str, Any]
) -> dict[str, str]:
    """Options that name a file which nobody gave, by name."""
    paths = {name: str(options[name]) for name in OPTION_FILES if options.get(name)}
    paths = {name: path for name, path in paths.items() if _is_path(path)}
    given_paths = GivenPaths(folder, volumes) if paths else None
    return {
        name: path
        for name, path in paths.items()
        if given_paths is None or not given_paths.has(_write_name(os.path.realpath(path)))
    }


def _is_path(value: str) -> bool:
    return "/" in value or os.sep in value or value.endswith((".toml", ".json"))


def _read(folder: Path) -> _Record | None:
    try:
        record = msgspec.json.decode(read_regular(_file(folder)), type=_Record)
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return None
    return record if record.ledger == _write_name(os.path.realpath(folder)) else None


def _write_name(path: str) -> str:
    """Names on disk need not be valid text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _file(folder: Path) -> Path:
    name = blake2b(os.fsencode(os.path.realpath(folder)), digest_size=16).hexdigest()
    return state_folder() / "sources" / f"{name}.json"


def state_folder() -> Path:
    """Where AgentDyno notes what this user did on this machine."""
    if named := os.environ.get("XDG_STATE_HOME"):
        return Path(named) / "agentdyno"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "agentdyno" / "state"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(local) / "agentdyno" / "state"
    return Path.home() / ".local" / "state" / "agentdyno"
