"""Changes that `agentdyno apply` made: a line for each in the ledger's folder, with the prediction.

What the changed files held before stands beside it, byte for byte, readable by their owner alone. A
line that is no note costs only itself; of several with one id the latest counts.
"""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.ledger.file_names import APPLIED, BACKUPS, refuse_link
from agentdyno.ledger.locking import lock


class ChangedFile(Struct, frozen=True):
    """One file of a change."""

    path: str
    before: str | None
    """The name of its copy from before; None where there was no file."""
    digest: str
    """SHA-256 of what was written."""
    mode: int


class Realised(Struct, frozen=True):
    """The cost of sessions after a change, compared with those before it."""

    outcome: str
    """The verdict of the interval."""
    ratio: float
    """Cost after over cost before."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    sessions: int
    """Sessions after the change that were compared."""


class Applied(Struct, frozen=True, kw_only=True):
    """One change."""

    id: int
    """From 1 on, in the order of the changes."""
    lever: str
    what: str
    """The change, in a few words."""
    at: float
    """When it was made, in seconds since 1970."""
    predicted: float
    """Cost of a session after over before, as `whatif` predicts it: the geometric mean, as in
    `Realised`."""
    files: list[ChangedFile]
    undone_at: float | None = None
    """When it was taken back; None: it is in force."""
    realised: Realised | None = None
    """The measured effect, once enough sessions have come."""


def read_applied(folder: Path) -> list[Applied]:
    """Every change, the first one first."""
    path = refuse_link(folder / APPLIED)
    changes: dict[int, Applied] = {}
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            note = msgspec.json.decode(line, type=Applied)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            continue
        changes[note.id] = note
    return [changes[id] for id in sorted(changes)]


def note_applied(folder: Path, note: Applied) -> None:
    """Notes a change, or what became of it, behind those that are there."""
    with lock(folder), refuse_link(folder / APPLIED).open("ab") as file:
        file.write(msgspec.json.encode(note) + b"\n")


def keep_copy(folder: Path, name: str, data: bytes) -> None:
    """Keep a file's bytes as they were before a change; never over another copy."""
    backups = refuse_link(folder / BACKUPS)
    backups.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(backups / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def read_copy(folder: Path, name: str) -> bytes:
    """The bytes of a file before a change. A note gives the name, so it may name no other
    folder.
    """
    return refuse_link(refuse_link(folder / BACKUPS) / Path(name).name).read_bytes()
