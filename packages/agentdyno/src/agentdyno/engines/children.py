"""Starts Python processes that import nothing from the current folder.

Python looks for modules in the current folder first when it is started with `-c` or `-m`, and
`multiprocessing` starts its processes with `-c`: a file `multiprocessing.py` beside the traces
would be run. Processes of this module are started with PYTHONSAFEPATH instead, and then get the
import path of their parent without its entry "" (the current folder, in an interactive session).
PYTHONPATH is the user's own choice and stays in force.
"""

import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess

from agentdyno.records import InputError

SAFE_PATH = "PYTHONSAFEPATH"
"""With it Python leaves the current folder out of the import path; children inherit it."""
_STARTING = threading.RLock()
"""One start at a time: each puts back what it found."""


class IsolatedProcess(SpawnProcess):
    """A spawned process that imports nothing from the current folder."""

    def start(self) -> None:
        with _without_current_folder():
            super().start()


class IsolatedContext(SpawnContext):
    """The interface of `multiprocessing`, with isolated processes."""

    # Spawned, not forked: threads of polars and torch do not survive a fork.
    Process = IsolatedProcess


def create_isolated_context() -> IsolatedContext:
    """For pools and processes; starts the process that tracks their semaphores, isolated too."""
    if sys.flags.ignore_environment and not sys.flags.safe_path:
        raise InputError(
            "Python was started with -E, under which worker processes would import modules from "
            "the current folder. Start it with -I in its place, or pass --workers 1."
        )
    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with _without_current_folder():
            resource_tracker.ensure_running()
    return IsolatedContext()


@contextmanager
def _without_current_folder() -> Iterator[None]:
    with _STARTING:
        path, safe = sys.path, os.environ.get(SAFE_PATH)
        sys.path = [entry for entry in path if entry]
        os.environ[SAFE_PATH] = "1"
        try:
            yield
        finally:
            sys.path = path
            if safe is None:
                del os.environ[SAFE_PATH]
            else:
                os.environ[SAFE_PATH] = safe


def die_with_parent() -> None:
    """Ends this process when its parent ends: it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
