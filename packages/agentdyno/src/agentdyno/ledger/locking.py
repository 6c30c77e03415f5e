"""One writer at a time: two would delete each other's work."""

from pathlib import Path
from typing import IO

from agentdyno.engines.locking import hold
from agentdyno.ledger.disk import make_private
from agentdyno.ledger.file_names import TEXTS, refuse_link


def lock(folder: Path) -> IO[bytes]:
    """Held until the file is closed; raises when another process holds it. A ledger with kept texts
    is its owner's alone from then on, whatever it was before."""
    file = refuse_link(folder / ".lock").open("ab")
    hold(file, f"{folder}: another process is writing this ledger right now.")
    if refuse_link(folder / TEXTS).is_dir():
        make_private(folder)
    return file
