"""Progress on stderr: bars at a terminal; elsewhere nothing, or a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ShowProgress = Callable[..., None]
"""Takes how much is done, of how much, and, when it changes, what is being done."""

SECONDS_BETWEEN_LINES = 10.0
"""Work that is done sooner says nothing."""


@contextmanager
def byte_progress(title: str) -> Iterator[ShowProgress]:
    """What is counted in bytes: a bar at a terminal; elsewhere a line each ten seconds, with the
    megabytes done, all of them, and about how long the rest takes."""
    with progress_bar(title, in_bytes=True) as bar:
        yield _byte_lines(title) if bar is None else bar


def _byte_lines(title: str) -> ShowProgress:
    began = last = time.monotonic()

    def advance(done: int, total: int, doing: str = "") -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_LINES or not total:
            return
        last = now
        remaining = f", about {(now - began) * (total - done) / done:,.0f} s left" if done else ""
        size = f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB"
        sentence = f"{doing or title}: {size} after {now - began:,.0f} s{remaining}"
        print(sentence, file=sys.stderr, flush=True)

    return advance


@contextmanager
def progress_bar(title: str, *, in_bytes: bool = False) -> Iterator[ShowProgress | None]:
    """One bar; None when stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    columns = _columns(in_bytes)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total, doing=None: bar.update(
            task, completed=done, total=total, description=doing
        )


def line_progress() -> ShowProgress:
    """Plain lines for a log: `easy, 3 of 20 after 45 s`."""
    began = last = time.monotonic()

    def advance(done: int, total: int | None, doing: str = "") -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_LINES:
            return
        last = now
        all_of = "" if total is None else f" of {total}"
        print(f"{doing}, {done}{all_of} after {now - began:.0f} s", file=sys.stderr, flush=True)

    return advance


@contextmanager
def sample_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Says on stderr what is being done: a bar at a terminal, elsewhere a line now and then."""
    with progress_bar("starting") as bar:
        report = line_progress() if bar is None else bar
        yield lambda what, done, total: report(done, total, what)


def _columns(in_bytes: bool) -> list[Any]:
    from rich import progress

    counted: list[Any] = [progress.MofNCompleteColumn()]
    if in_bytes:
        counted = [progress.DownloadColumn(), progress.TransferSpeedColumn()]
    name = progress.TextColumn("{task.description}")
    return [name, progress.BarColumn(), *counted, progress.TimeRemainingColumn()]
