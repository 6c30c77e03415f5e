"""One writer at a time: two would delete each other's work."""

from pathlib import Path
from typing import IO

from agentdyno.records import InputError


def lock(folder: Path) -> IO[bytes]:
    """Held until the file is closed; raises when another process holds it."""
    file = (folder / ".lock").open("ab")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(f"{folder}: another process is writing this ledger right now.") from None
    except (ImportError, OSError):
        pass  # No such locks on this system, or on this kind of disk.
    return file
