"""A bar on stderr for work that is counted in things, not in bytes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def count_progress(things: str) -> Iterator[Callable[[int, int], None] | None]:
    """Shows how many of all are done when stderr is a terminal; quiet otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(things, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
