"""Measures the segments into the ledger, every few seconds, in a process of its own.

Acknowledging must not wait for measuring, which takes a processor for seconds. The process ends
with its parent, whatever ended that; the ledger's own commits are atomic, so nothing is lost or
counted twice when it is killed in the middle.
"""

import multiprocessing
import os
import time
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

from agentdyno.engines.children import (
    IsolatedContext,
    IsolatedProcess,
    create_isolated_context,
)
from agentdyno.pipelines.measure import measure_costs_first
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.pipelines.receive.segments import list_segments
from agentdyno.pipelines.session_states import keep_states

Stamp = tuple[int, int]
"""Size and time of a file."""


class Folding:
    """The process that measures, and what it says of itself."""

    def __init__(self, inbox: Path, ledger: Path, every: float) -> None:
        context = create_isolated_context()
        self.done: Synchronized[int] = context.Value("q", 0)
        self.failed: Synchronized[int] = context.Value("q", 0)
        self.ended_at: Synchronized[float] = context.Value("d", 0.0)
        self.seconds: Synchronized[float] = context.Value("d", 0.0)
        self._stop = context.Event()
        numbers = (self.done, self.failed, self.ended_at, self.seconds)
        self._start = partial(_start, context, (inbox, ledger, every, self._stop, numbers))
        self._process = self._start()

    def ensure_running(self) -> None:
        """Starts it again where something ended it: the system, for want of memory, say."""
        if not self._process.is_alive():
            self._process = self._start()

    def stop(self, patience: float = 600.0) -> None:
        """Ends it after it has measured what is there."""
        self._stop.set()
        self._process.join(patience)
        if self._process.is_alive():
            self._process.terminate()


def _start(context: IsolatedContext, arguments: tuple[Any, ...]) -> IsolatedProcess:
    process = context.Process(target=_run, args=arguments, name="folding", daemon=True)
    process.start()
    return process


def _run(inbox: Path, ledger: Path, every: float, stop: Any, numbers: Any) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent says when to end.
    if hasattr(os, "nice"):
        os.nice(10)  # Acknowledging goes first.
    finished, failed, ended_at, seconds = numbers
    measured: dict[Path, Stamp] = {}
    while True:
        # Under load the newest file grows meanwhile: to read it less often saves half the work.
        is_last = stop.wait(max(every, seconds.value))
        if _is_orphan():
            return
        begun = time.monotonic()
        try:
            if fold(inbox, ledger, measured):
                finished.value += 1
                ended_at.value, seconds.value = time.time(), time.monotonic() - begun
        except Exception:  # Another command writes the ledger, say; the next round tries again.
            failed.value += 1
        if is_last:
            return


def _is_orphan() -> bool:
    parent = multiprocessing.parent_process()
    return parent is not None and bool(wait([parent.sentinel], timeout=0))


def fold(inbox: Path, ledger: Path, measured: dict[Path, Stamp]) -> bool:
    """Measures the segments that changed since `measured` was noted; whether there were any."""
    stamps = {Path(os.path.realpath(path)): _stamp(path) for path in list_segments(inbox)}
    changed = {path for path, stamp in stamps.items() if measured.get(path) != stamp}
    if not changed:
        return False
    # By its beginning a file full of other programs' records would be nobody's.
    options = MeasureOptions(format="otel_genai", workers=1, costs_only=True)
    measure_costs_first([inbox], ledger, options)
    keep_states(ledger)
    measured.update({path: stamps[path] for path in changed})
    return True


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return status.st_size, status.st_mtime_ns
