"""Makes the change of a lever, takes it back, and says what came of it.

plan     the lever's edits as bytes of files, before and after     plan_change
make     copies kept, files replaced, the change noted             make_change
undo     the copies back, where nobody changed the files since     undo_change
prove    sessions before against after, with the prediction        prove_applied
"""

import difflib
import hashlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.ledger.applied_changes import (
    Applied,
    ChangedFile,
    Realised,
    keep_copy,
    note_applied,
    read_applied,
    read_copy,
)
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.config_files import (
    apply_edit,
    find_config,
    read_bytes,
    refuse_foreign,
    replace_file,
)
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, plural, printable
from agentdyno.studies.levers import Lever, find_levers, look_back
from agentdyno.studies.levers.typical import predict_typical
from agentdyno.studies.proof import Proof, study_proof
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.views import View, apply_view

NEW_FILE = 0o600
FEWEST = 8
"""Sessions on both sides before a change is looked at by itself."""


class PlannedFile(Struct, frozen=True):
    """A file as it is and as it is to be."""

    path: Path
    before: bytes | None
    """What it holds; None where there is none."""
    after: bytes
    """What it is to hold."""


def list_levers(ledger: Path, view: View | None = None) -> list[Lever]:
    """The levers of a ledger, in the order in which reports number them."""
    folder = local_folder(ledger)
    texts = apply_view(ReadableLedger(folder).hold_tables(), view)
    return find_levers(ReportContext(texts, realised=find_realised(folder)))


def find_realised(folder: Path) -> dict[str, tuple[float, Realised]]:
    """Lever -> what was predicted of it the last time, and what came of it."""
    notes = [note for note in read_applied(folder) if note.realised is not None]
    return {note.lever: (note.predicted, note.realised) for note in notes if note.realised}


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
        now = files.get(path, PlannedFile(path, before, before or b""))
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
    return [printable(line, 300) for line in lines]


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode(errors="replace").splitlines()


def make_change(
    ledger: Path, lever: Lever, files: list[PlannedFile], at: float | None = None
) -> Applied:
    """Keeps copies, writes the files and notes the change; what fails halfway is taken back."""
    folder = local_folder(ledger)
    known = read_applied(folder)
    number = known[-1].id + 1 if known else 1
    predicted = _predict(folder, lever)
    written, done = [], []
    try:
        for place, each in enumerate(files):
            mode = each.path.stat().st_mode & 0o777 if each.before is not None else NEW_FILE
            name = f"{number}-{place}-{time.time_ns()}"
            if each.before is not None:
                keep_copy(folder, name, each.before)
            replace_file(each.path, each.before, each.after, mode)
            done.append(each)
            copy = None if each.before is None else name
            written.append(ChangedFile(str(each.path), copy, _digest(each.after), mode))
        note = Applied(
            id=number, lever=lever.name, what=lever.what, at=time.time() if at is None else at,
            predicted=predicted, files=written,
        )  # fmt: skip
        note_applied(folder, note)
    except BaseException:
        for each in done:
            mode = each.path.stat().st_mode & 0o777
            replace_file(each.path, each.after, each.before, mode)
        raise
    return note


def _predict(folder: Path, lever: Lever) -> float:
    """What a session will cost over what it cost; by the dollars where nothing says it."""
    context, _ = look_back(ReportContext(ReadableLedger(folder).hold_tables()))
    found = predict_typical(context, lever)
    return 1 - lever.share if found is None else found


def undo_change(ledger: Path, number: int) -> Applied:
    """Puts back what the files of a change held before it, byte for byte."""
    folder = local_folder(ledger)
    note = find_applied(folder, number)
    if note.undone_at is not None:
        raise InputError(f"Change {number} was taken back before.")
    back: list[tuple[ChangedFile, Path, bytes, bytes | None]] = []
    for each in note.files:
        path = Path(each.path)
        refuse_foreign(path, path.parent)
        before = None if each.before is None else read_copy(folder, each.before)
        now = read_bytes(path)
        if now is None or _digest(now) != each.digest:
            lines = "\n".join(show_difference(path, now, before))
            raise InputError(
                f"{path}: it was changed since, so nothing was taken back. What taking it back "
                f"would change now:\n{lines}"
            )
        back.append((each, path, now, before))
    for each, path, now, before in back:
        replace_file(path, now, before, each.mode)
    undone = structs.replace(note, undone_at=time.time())
    note_applied(folder, undone)
    return undone


def find_applied(folder: Path, number: int) -> Applied:
    """The change of this number."""
    notes = read_applied(folder)
    for note in notes:
        if note.id == number:
            return note
    known = plural(len(notes), "change")
    raise InputError(f"No change {number}: {known} so far; agentdyno undo lists them.")


def prove_applied(ledger: Path, view: View | None = None) -> list[tuple[Applied, Proof]]:
    """Every change with sessions on both sides, and what they cost; what is decided is noted."""
    folder = local_folder(ledger)
    notes = read_applied(folder)
    if not notes:
        return []
    context = ReportContext(apply_view(ReadableLedger(folder).hold_tables(), view))
    found = []
    for note in notes:
        proof = study_proof(context, note.at, note.undone_at, note.predicted)
        found.append((note, proof))
        realised = _realise(proof)
        if realised is not None and realised != note.realised:
            note_applied(folder, structs.replace(note, realised=realised))
    return found


def _realise(proof: Proof) -> Realised | None:
    ratio = proof.ratio
    if min(proof.before, proof.after) < FEWEST or ratio.value is None:
        return None
    if ratio.low is None or ratio.high is None:
        return None
    return Realised(proof.outcome, ratio.value, ratio.low, ratio.high, proof.after)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def describe_applied(ledger: Path) -> list[str]:
    """A line for each change of which the sessions since then say enough; none where they do not,
    or where it was reported before."""
    from agentdyno.reports.topics.proof import render_proof

    if not read_applied(ledger):
        return []
    try:
        found = prove_applied(ledger)
    except InputError:
        return []
    reported = {note.id for note in read_applied(ledger) if note.realised is not None}
    return [
        f"Change {note.id} ({note.what}): {render_proof(proof).lead} "
        f"{describe_prediction(note.predicted)}"
        for note, proof in found
        if note.realised is None and note.id in reported
    ]


def describe_prediction(ratio: float) -> str:
    """What was expected of a change when it was made."""
    return f"Predicted: {ratio - 1:+.0%}."
