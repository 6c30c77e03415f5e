"""Bars on stderr for work in progress: seen at a terminal, silent elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

Tell = Callable[..., None]
"""Takes how much is done, of how much, and, when it changes, what is being done."""


def count_progress(things: str) -> AbstractContextManager[Callable[[int, int], None] | None]:
    """Shows how many of all things are done."""
    return progress_bar(things)


@contextmanager
def progress_bar(title: str, *, in_bytes: bool = False) -> Iterator[Tell | None]:
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


def _columns(in_bytes: bool) -> list[Any]:
    from rich import progress

    counted: list[Any] = [progress.MofNCompleteColumn()]
    if in_bytes:
        counted = [progress.DownloadColumn(), progress.TransferSpeedColumn()]
    name = progress.TextColumn("{task.description}")
    return [name, progress.BarColumn(), *counted, progress.TimeRemainingColumn()]
