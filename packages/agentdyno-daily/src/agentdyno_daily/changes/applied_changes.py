"""Changes that `agentdyno apply` made, noted in the user's own state folder.

A ledger may come from anybody, so nothing that lies in one says which file to write, or with what.
A note is a file of its own: a damaged one costs only itself. It is on the disk before a settings
file is written, and so is a copy of what the file held, which counts only while its digest is the
one in the note. Copies are readable by their owner alone, and go once a change is undone.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.engines.locking import hold
from agentdyno.ledger.disk import replace_synced, sync_folder, write_synced
from agentdyno.ledger.file_names import APPLIED, BACKUPS
from agentdyno.ledger.given_paths import state_folder
from agentdyno.records import InputError
from agentdyno.regular_files import read_regular

_NOTE = re.compile(r"([1-9][0-9]{0,8})\.json")


class ChangedFile(Struct, frozen=True):
    path: str
    before: str | None
    """SHA-256 of what it held before, and of the copy; None where there was no file."""
    after: str
    """SHA-256 of what was written."""
    mode: int


class Applied(Struct, frozen=True, kw_only=True):
    id: int
    """From 1 on, in the order of this user's changes."""
    ledger: str
    """The folder of the ledger whose lever it is."""
    lever: str
    what: str
    """The change, in a few words."""
    at: float
    """When it was made, in seconds since 1970."""
    files: list[ChangedFile]
    is_written: bool = False
    """Whether every file was written; a kill in between leaves it False."""
    undone_at: float | None = None
    """When it was undone; None: it is in force."""


def read_applied(ledger: Path | None = None) -> list[Applied]:
    """This user's changes, of one ledger or of all, the first one first; damaged notes are left
    out."""
    notes = filter(None, map(_read_note, _list_notes()))
    return [note for note in notes if ledger is None or note.ledger == name_ledger(ledger)]


def list_damaged() -> list[Path]:
    """Notes that cannot be read."""
    return [path for path in _list_notes() if _read_note(path) is None]


def name_ledger(folder: Path) -> str:
    """The folder as notes have it."""
    return os.fsencode(os.path.realpath(folder)).decode("utf-8", "backslashreplace")


def digest_of_file(data: bytes) -> str:
    """As notes have it."""
    return hashlib.sha256(data).hexdigest()


@contextmanager
def lock_changes() -> Iterator[None]:
    """One `apply`, `undo` or `--install` of this user at a time."""
    folder = _folder()
    _make_private(folder)
    with (folder / ".lock").open("ab") as file:
        hold(
            file,
            "Another agentdyno is changing settings right now. Nothing was changed; try again when "
            "it is done.",
        )
        yield


def choose_number() -> int:
    """For the next change; the number of a damaged note is not used again."""
    return max((int(path.stem) for path in _list_notes()), default=0) + 1


def write_note(note: Applied) -> None:
    """Replaces the note of this number, or adds it; it is on the disk when this returns."""
    replace_synced(_note(note.id), msgspec.json.encode(note))


def remove_note(note: Applied) -> None:
    """Of a change that was not made after all."""
    _note(note.id).unlink(missing_ok=True)
    remove_copies(note)


def save_copy(number: int, place: int, data: bytes) -> None:
    """Keeps what a file held before a change."""
    write_synced(_copy(number, place), data)
    sync_folder(_folder())


def read_copy(note: Applied, place: int) -> bytes | None:
    """What a file of the change held before; None where there was none."""
    file = note.files[place]
    if file.before is None:
        return None
    path = _copy(note.id, place)
    try:
        data = read_regular(path)
    except FileNotFoundError:
        data = None
    if data is None or digest_of_file(data) != file.before:
        found = "none" if data is None else "other bytes"
        raise InputError(
            f"{path}: expected the copy of {file.path} from before change {note.id}, found {found}."
            " Nothing was changed; undo the change by hand."
        )
    return data


def remove_copies(note: Applied) -> None:
    """Of a change that nobody can undo any more: settings may hold secrets."""
    for place in range(len(note.files)):
        _copy(note.id, place).unlink(missing_ok=True)


def describe_old_notes(ledger: Path) -> str | None:
    """What to do about changes that an earlier version noted in the ledger; None without any."""
    if not os.path.lexists(ledger / APPLIED):
        return None
    return (
        f"{ledger / APPLIED}: changes that an earlier version recorded in a ledger are not undone "
        "automatically, since a ledger may come from anybody. If this ledger is your own, compare "
        f"your settings with the copies in {ledger / BACKUPS} and put back by hand what you want."
    )


def _list_notes() -> list[Path]:
    try:
        names = os.listdir(_folder())
    except FileNotFoundError:
        return []
    return [_note(number) for number in sorted(int(m[1]) for m in map(_NOTE.fullmatch, names) if m)]


def _read_note(path: Path) -> Applied | None:
    try:
        note = msgspec.json.decode(read_regular(path), type=Applied)
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return note if note.id == int(path.stem) else None


def _note(number: int) -> Path:
    return _folder() / f"{number}.json"


def _copy(number: int, place: int) -> Path:
    return _folder() / f"{number}-{place}.before"


def _folder() -> Path:
    folder = state_folder() / "changes"
    is_own = not hasattr(os, "getuid") or not folder.exists() or folder.stat().st_uid == os.getuid()
    if folder.is_symlink() or not is_own:
        raise InputError(
            f"{folder}: expected a folder of your own, found "
            f"{'a link' if is_own else 'one of another user'}. Nothing was changed; move it away."
        )
    return folder


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
