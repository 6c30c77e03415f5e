"""One writer of a file at a time, as far as the system has locks."""

from typing import IO

from agentdyno.records import InputError


def hold(file: IO[bytes], otherwise: str) -> None:
    """Locks an open file until it is closed; raises `otherwise` when another process holds it."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(otherwise) from None
    except (ImportError, OSError):
        pass  # No such locks on this system, or on this kind of disk.
