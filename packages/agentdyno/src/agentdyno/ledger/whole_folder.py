"""Every file of a ledger's folder: is it what was written, and if nobody can say, which is it?

Takes a ledger's folder and manifest, returns the files that are damaged and those that no digest
covers. Tables are checked against the manifest (`checks`); here are all others: the copies of them
that `TABLE/*.parquet` opens, files of earlier generations, manifests, kept texts and what is kept
to be fast. A copy that is the same file on disk is not read twice.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from agentdyno.ledger.checks import Named, all_files, find_damaged
from agentdyno.ledger.disk import digest_of, strip_digest
from agentdyno.ledger.empty_files import has_no_digest, is_whole_empty
from agentdyno.ledger.file_names import (
    BUDGETS,
    EMPTY,
    FOLDERS,
    LAST_RUN,
    LIMITS,
    NAME,
    OURS,
    RECENT,
    SESSIONS,
    SPENT,
    STORE,
    SUMS,
    TEXTS,
    UNFINISHED,
    VISITS,
)
from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.manifest import Manifest, read_manifest
from agentdyno.records import InputError

OTHERS = "expected the bytes that were written, found others"
BLANK = "it has no bytes, as after a full disk, and is written anew when it is needed"
UNSEALED = "written by an older version, without a digest"
LOCK = ".lock"
"""Holds nothing: it is there to be locked."""


class FileProblem(Struct, frozen=True):
    """A file beside the tables that is not what was written."""

    path: Path
    problem: str


class FolderCheck(Struct, frozen=True):
    """The state of everything in a folder beside the tables that the newest manifest names."""

    files: int
    damaged: list[FileProblem]
    """Those that are not what was written."""
    not_covered: dict[str, str]
    """Files that no digest covers, by their place in the folder, with the reason."""


def check_folder(folder: Path, manifest: Manifest) -> FolderCheck:
    """Checks every file but the tables' own, which `find_damaged` reads."""
    tables = all_files(folder, manifest)
    copies = {copy: file for file in tables if (copy := _find_copy(folder, file)) is not None}
    earlier, unreadable = _earlier_files(folder)
    checked = {file.path for file in tables}
    damaged = [FileProblem(path, problem) for path, problem in unreadable.items()]
    damaged += [
        FileProblem(damage.file.path, f"{damage.problem}; an earlier generation names it")
        for damage in find_damaged(file for file in earlier if file.path not in checked)
    ]
    checked |= {file.path for file in earlier}
    not_covered: dict[str, str] = {}
    other_files = 0
    for path in _walk(folder):
        if path in checked or path in unreadable or path == folder / LOCK:
            continue
        other_files += 1
        if path in copies and not path.is_symlink():
            problem = _check_copy(path, copies.pop(path))
        else:
            checked_file = _check_other(folder, path)
            if isinstance(checked_file, str):
                not_covered[path.relative_to(folder).as_posix()] = checked_file
                continue
            problem = checked_file
        damaged += [] if problem is None else [problem]
    missing = [
        FileProblem(path, "expected a copy of the table's file, found none")
        for path, file in copies.items()
        if file.path.exists()
    ]
    return FolderCheck(other_files + len(checked) - len(tables), [*damaged, *missing], not_covered)


def _find_copy(folder: Path, file: Named) -> Path | None:
    """Path where other tools find a table's file; None where it is in no store yet."""
    public = folder / file.path.parent.name / file.path.name
    return None if public == file.path else public


def _earlier_files(folder: Path) -> tuple[list[Named], dict[Path, str]]:
    """The tables' files that any generation names, each once, and generations that cannot be
    read."""
    files: dict[tuple[Path, str], Named] = {}
    unreadable = {}
    for generation in list_generations(folder)[:-1]:
        try:
            manifest = read_manifest(generation.path)
        except (InputError, OSError) as error:
            unreadable[generation.path] = str(error).removeprefix(f"{generation.path}: ")
            continue
        for file in all_files(folder, manifest):
            files.setdefault((file.path, file.seal.digest if file.seal else ""), file)
    return list(files.values()), unreadable


def _walk(folder: Path) -> Iterator[Path]:
    """Every file, and links of folders, which are not followed."""
    for home, folders, names in os.walk(folder):
        folders.sort()
        links = [name for name in folders if os.path.islink(os.path.join(home, name))]
        for name in sorted([*names, *links]):
            yield Path(home) / name


def _check_copy(path: Path, file: Named) -> FileProblem | None:
    if not file.path.exists() or os.path.samefile(path, file.path):
        return None
    expected = digest_of(file.path) if file.seal is None else file.seal.digest
    if digest_of(path) == expected:
        return None
    return FileProblem(path, f"expected the bytes of {file.path}, found others")


def _check_other(folder: Path, path: Path) -> FileProblem | str | None:
    """A problem, or why nothing can be said, or None for a file that is as it was written."""
    top, *inside = path.relative_to(folder).parts
    if path.is_symlink():
        is_read = top in FOLDERS and path.suffix == ".parquet"
        return FileProblem(path, "found a link; remove it") if is_read else "a link"
    # Whether the newest manifest and its copy are whole, `verify` says.
    if path == folder / NAME or path in [
        generation.path for generation in list_generations(folder)
    ]:
        return None
    if path.name.startswith(".") and path.name.endswith(".new"):
        return "left by an unfinished run, and nothing reads it"
    if top in _DIGESTED:
        return _check_digested(path, can_be_rebuilt=top != TEXTS)
    if top in FOLDERS and inside == [EMPTY]:
        return _check_empty(path)
    if top in FOLDERS and OURS.fullmatch(path.name):
        # It may also be that of a run in progress.
        return f"the manifest does not name it, and {top}/*.parquet reads it until the next run"
    if top in FOLDERS and path.suffix == ".parquet":
        problem = f"the manifest does not name it, and {top}/*.parquet reads it; remove it"
        return FileProblem(path, problem)
    return _UNCOVERED.get(top, "no part of a ledger")


_DIGESTED = {TEXTS, SUMS, LAST_RUN, SESSIONS, SPENT, RECENT}
"""Files and folders of files that begin with a digest of the rest."""
_UNCOVERED = {
    STORE: "no generation names it, and nothing reads it",
    UNFINISHED: "left by an unfinished run, and nothing reads it",
    ".in-storage": "what was last seen in object storage has no digest",
    VISITS: "when the first screen was looked at has no digest",
    BUDGETS: "budgets have no digest",
    LIMITS: "limits of a plan, which an earlier version kept; nothing reads them any more",
    "judging": "answers of judges have no digest",
    "continuations": "logs of continuations have no digest",
    "marks.jsonl": "marks of findings, which an earlier version kept; nothing reads them any more",
}


def _check_empty(path: Path) -> FileProblem | str | None:
    if is_whole_empty(path):
        return None
    if not path.stat().st_size:
        return BLANK
    return UNSEALED if has_no_digest(path) else FileProblem(path, OTHERS)


def _check_digested(path: Path, can_be_rebuilt: bool) -> FileProblem | str | None:
    try:
        data = path.read_bytes()
    except OSError as error:
        return FileProblem(path, f"it cannot be read ({error.strerror})")
    if strip_digest(data) is not None:
        return None
    if not data and can_be_rebuilt:
        return BLANK
    if path.suffix == ".json" and data.startswith(b"{"):
        return UNSEALED
    return FileProblem(path, OTHERS)
