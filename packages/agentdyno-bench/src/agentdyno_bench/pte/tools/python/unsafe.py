"""Runs programs on the host with no protection but a time and an output limit.

For machines that are themselves thrown away. The code can read, write and send whatever the user
can; nothing chooses this backend by itself.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio
from anyio.abc import Process

from agentdyno.engines.children import SAFE_PATH
from agentdyno_bench.pte.tools.config import PythonConfig
from agentdyno_bench.pte.tools.python.capture import Capture
from agentdyno_bench.pte.tools.python.execution import Execution, Stop, shell_exit_code

_GRACE_SECONDS = 0.2
"""After the program's end, for what it printed last."""


class UnsafeHost:
    """The backend."""

    name = "unsafe"

    def __init__(self, config: PythonConfig) -> None:
        self._config = config

    async def execute(self, code: str) -> Execution:
        """Runs one program in a folder of its own."""
        started = time.monotonic()
        capture = Capture(self._config.output_bytes)
        with tempfile.TemporaryDirectory(prefix="agentdyno-", ignore_cleanup_errors=True) as folder:
            process = await anyio.open_process(
                [sys.executable, "-u", "-c", code],
                stdin=subprocess.DEVNULL,
                cwd=folder,
                env=_environment(),
                start_new_session=True,
            )
            try:
                with anyio.move_on_after(self._config.time_seconds) as clock:
                    await _follow(process, capture)
            finally:
                await _end(process)
        stopped: Stop | None = "time" if clock.cancelled_caught else None
        stopped = "output" if capture.full.is_set() else stopped
        return Execution(
            capture.text("stdout"),
            capture.text("stderr"),
            None if stopped else shell_exit_code(process.returncode),
            stopped,
            time.monotonic() - started,
        )


def _environment() -> dict[str, str]:
    """A program may import what it has written into its own folder."""
    return {name: value for name, value in os.environ.items() if name != SAFE_PATH}


async def _follow(process: Process, capture: Capture) -> None:
    async with anyio.create_task_group() as readers:
        readers.start_soon(capture.read_both, process)
        readers.start_soon(_cut, process, capture, readers.cancel_scope)


async def _cut(process: Process, capture: Capture, scope: anyio.CancelScope) -> None:
    """Neither endless output nor children that hold the streams hold up the result."""
    async with anyio.create_task_group() as group:
        group.start_soon(_first, process.wait, group.cancel_scope)
        group.start_soon(_first, capture.full.wait, group.cancel_scope)
    await anyio.sleep(_GRACE_SECONDS)
    scope.cancel()


async def _first(wait: Callable[[], Awaitable[object]], scope: anyio.CancelScope) -> None:
    await wait()
    scope.cancel()


async def _end(process: Process) -> None:
    with anyio.CancelScope(shield=True):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        await process.aclose()
