"""The page's server on a free port, in a thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from agentdyno.view.server import Opened, open_server

pytest.importorskip("uvicorn", reason="the extra view is not installed")


@contextmanager
def serving(ledger: Path, other: Path | None = None) -> Iterator[str]:
    """The address to open."""
    with serving_opened(ledger, other) as opened:
        yield opened.new_address()


@contextmanager
def serving_opened(ledger: Path, other: Path | None = None) -> Iterator[Opened]:
    """The server, for more than one address."""
    opened = open_server(ledger, other)
    thread = Thread(target=opened.run)
    thread.start()
    try:
        yield opened
    finally:
        opened.server.should_exit = True
        thread.join()
