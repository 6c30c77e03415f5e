"""One writer at a time: two would delete each other's work."""

from pathlib import Path
from typing import IO

from agentdyno.engines.locking import hold
from agentdyno.ledger.file_names import refuse_link


def lock(folder: Path) -> IO[bytes]:
    """Held until the file is closed; raises when another process holds it."""
    file = refuse_link(folder / ".lock").open("ab")
    hold(file, f"{folder}: another process is writing this ledger right now.")
    return file
