"""Whose folder it is: a ledger is only ever written where nobody else has files."""

from pathlib import Path

from agentdyno.ledger.file_names import EMPTY, refuse_links
from agentdyno.ledger.manifest import exists, load
from agentdyno.records import InputError
from agentdyno.records.ledger import TABLES


def refuse_foreign_folder(folder: Path) -> None:
    """Raises when the folder holds something else than a ledger, or a ledger of a newer version."""
    if folder.is_file():
        raise InputError(f"{folder}: expected a folder for the ledger, found a file.")
    refuse_links(folder)
    if exists(folder):
        load(folder)
    elif folder.is_dir():
        # The manifest comes before the first volume, so files beside it are somebody else's.
        foreign = next((p.name for p in folder.iterdir() if not _may_be_ours(p)), None)
        if foreign is not None:
            raise InputError(
                f"{folder}: expected a ledger or an empty folder, found {foreign!r}. "
                "Choose another folder with --out."
            )


def _may_be_ours(path: Path) -> bool:
    if path.name in TABLES and path.is_dir():
        return all(inside.name == EMPTY for inside in path.iterdir())
    return path.name.startswith(".")
