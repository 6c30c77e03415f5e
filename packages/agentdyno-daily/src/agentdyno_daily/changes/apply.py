"""Makes the change of a lever, and takes it back.

plan     the lever's edits as bytes of files, before and after     plan_change
make     copies and the note saved, then the files written         make_change
undo     the copies back, where nobody changed the files since     plan_undo, undo_change

Notes and copies lie in the user's own folder, and only files that `config_files` lists are written.
A kill leaves each file as it was or as it was to be, with a note that `undo` can act on.
"""

import difflib
import os
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, plural, printable
from agentdyno.studies.levers import Lever, find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.views import View, apply_view
from agentdyno_daily.changes.applied_changes import (
    Applied,
    ChangedFile,
    choose_number,
    digest_of_file,
    list_damaged,
    lock_changes,
    name_ledger,
    read_applied,
    read_copy,
    remove_copies,
    remove_note,
    save_copy,
    write_note,
)
from agentdyno_daily.changes.config_files import (
    NEW_FILE,
    apply_edit,
    find_config,
    read_bytes,
    refuse_foreign,
    replace_file,
)

LONGEST_LINE = 2_000
"""Characters of a line of a difference: some settings are one line."""


class PlannedFile(Struct, frozen=True):
    """A file as it is and as it is to be."""

    path: Path
    before: bytes | None
    """What it holds; None where there is none."""
    after: bytes | None
    """What it is to hold; None where it is to be removed."""
    mode: int = NEW_FILE
    """Its permissions, before and after."""


def list_levers(ledger: Path, view: View | None = None) -> list[Lever]:
    """The levers of a ledger, in the order in which reports number them."""
    folder = local_folder(ledger)
    texts = apply_view(ReadableLedger(folder).hold_tables(), view)
    return find_levers(ReportContext(texts))


def plan_change(
    lever: Lever, home: Path | None = None, environment: Mapping[str, str] | None = None
) -> list[PlannedFile]:
    """What the lever's edits make of the files; those that hold it already are left out."""
    if not lever.edits:
        how = f": {lever.change}" if lever.change else ""
        what = "a habit, and no file has it" if lever.kind == "habit" else "to be written by hand"
        raise InputError(f"This is {what}{how}.")
    files: dict[Path, PlannedFile] = {}
    for edit in lever.edits:
        path = find_config(edit.file, home or Path.home(), environment or os.environ)
        before = read_bytes(path)
        now = files.get(path, PlannedFile(path, before, before or b"", _mode(path)))
        after = apply_edit(path, now.after, edit)
        files[path] = structs.replace(now, after=after)
    changed = [each for each in files.values() if each.after != (each.before or b"")]
    if not changed:
        raise InputError("It is set already; sessions from now on show it.")
    return changed


def show_difference(path: Path, before: bytes | None, after: bytes | None) -> list[str]:
    """Both as a unified diff, safe to print."""
    old, new = (_lines(each) for each in (before, after))
    names = str(path) if before is not None else "(no file)", str(path)
    lines = difflib.unified_diff(old, new, *names, lineterm="")
    return [printable(line, LONGEST_LINE) for line in lines]


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode(errors="replace").splitlines()


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777 if path.exists() else NEW_FILE


def make_change(
    ledger: Path, lever: Lever, files: list[PlannedFile], at: float | None = None
) -> Applied:
    """Saves copies and the note, then writes the files; what fails halfway is put back."""
    folder = local_folder(ledger)
    with lock_changes():
        _refuse_changed(files)
        note = Applied(
            id=choose_number(), ledger=name_ledger(folder), lever=lever.name, what=lever.what,
            at=time.time() if at is None else at, files=[_describe_file(each) for each in files],
        )  # fmt: skip
        for place, each in enumerate(files):
            if each.before is not None:
                save_copy(note.id, place, each.before)
        write_note(note)
        _write_files(note, files)
        note = structs.replace(note, is_written=True)
        write_note(note)
    return note


def _refuse_changed(files: list[PlannedFile]) -> None:
    for each in files:
        refuse_foreign(each.path, each.path.parent)
        if read_bytes(each.path) != each.before:
            raise InputError(f"{each.path}: it changed just now. Nothing was changed; try again.")


def _describe_file(file: PlannedFile) -> ChangedFile:
    before = None if file.before is None else digest_of_file(file.before)
    return ChangedFile(str(file.path), before, digest_of_file(file.after or b""), file.mode)


def _write_files(note: Applied, files: list[PlannedFile]) -> None:
    try:
        for each in files:
            replace_file(each.path, each.before, each.after, each.mode)
    except BaseException:
        # Ctrl-C may come between a file and the next line here, so the files say what was written.
        for each in files:
            if read_bytes(each.path) == each.after:
                replace_file(each.path, each.after, each.before, each.mode)
        remove_note(note)
        raise


def plan_undo(
    number: int, home: Path | None = None, environment: Mapping[str, str] | None = None
) -> tuple[Applied, list[PlannedFile]]:
    """A change, and what undoing it makes of its files; those that hold it already are left out."""
    note = find_applied(number)
    if note.undone_at is not None:
        raise InputError(f"Change {number} was undone before.")
    files = []
    for place, file in enumerate(note.files):
        path = find_config(file.path, home or Path.home(), environment or os.environ)
        now, digest = read_bytes(path), None
        if now is not None:
            digest = digest_of_file(now)
        if digest == file.before:
            continue  # A kill came before it was written, or after it was put back.
        before = read_copy(note, place)
        if digest != file.after:
            lines = "\n".join(show_difference(path, now, before))
            raise InputError(
                f"{path}: it was changed since, so nothing was undone. What undoing it would "
                f"change now:\n{lines}"
            )
        # Whoever has closed the file to others since wants it so.
        files.append(PlannedFile(path, now, before, file.mode & _mode(path)))
    return note, files


def undo_change(
    number: int, home: Path | None = None, environment: Mapping[str, str] | None = None
) -> Applied:
    """Puts back what the files of a change held before it, byte for byte."""
    with lock_changes():
        note, files = plan_undo(number, home, environment)
        for each in files:
            replace_file(each.path, each.before, each.after, each.mode)
        undone = structs.replace(note, undone_at=time.time())
        write_note(undone)
        remove_copies(undone)
    return undone


def find_applied(number: int) -> Applied:
    """The change of this number."""
    notes = read_applied()
    for note in notes:
        if note.id == number:
            return note
    for path in list_damaged():
        if path.stem == str(number):
            raise InputError(
                f"{path}: expected the note of change {number}, found a damaged one. Nothing was "
                "changed; undo the change by hand."
            )
    count = plural(len(notes), "change")
    raise InputError(f"No change {number}: {count} so far; agentdyno apply --undo lists them.")
