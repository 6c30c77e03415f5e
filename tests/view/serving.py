"""The page's server on a free port, in a thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from agentdyno.view.server import open_server

pytest.importorskip("uvicorn", reason="the extra view is not installed")


@contextmanager
def serving(ledger: Path, other: Path | None = None) -> Iterator[str]:
    """The address to open."""
    opened = open_server(ledger, other)
    thread = Thread(target=opened.run)
    thread.start()
    try:
        yield opened.address
    finally:
        opened.server.should_exit = True
        thread.join()
