"""The first process of a sandbox, as the host sees it. When it is gone, so is all it started.

bubblewrap tells its number through a pipe. The kernel lets the first process of a process
namespace go only after every other one in it was killed and collected.
"""

import json
import os
import signal
from contextlib import suppress

import anyio

_PATIENCE_SECONDS = 20


class FirstProcess:
    """The sandbox's first process."""

    def __init__(self, data: int) -> None:
        self._pid_pipe = data
        self._handle: int | None = None
        self.number: int | None = None
        """Its number on the host; None when the sandbox did not start."""

    async def find(self) -> None:
        """Waits until bubblewrap has written the process id."""
        data = b""
        with anyio.move_on_after(_PATIENCE_SECONDS):
            while self._handle is None:
                await anyio.wait_readable(self._pid_pipe)
                piece = os.read(self._pid_pipe, 4096)
                if not piece:
                    return
                data += piece  # It comes in pieces.
                self._learn(data)

    def _learn(self, data: bytes) -> None:
        with suppress(ValueError, KeyError, ProcessLookupError):
            number = int(json.loads(data)["child-pid"])
            self._handle = os.pidfd_open(number)
            self.number = number

    async def wait_until_gone(self) -> None:
        """Ends it, waits for that, and forgets it."""
        try:
            if self._handle is not None:
                with suppress(ProcessLookupError, PermissionError):
                    signal.pidfd_send_signal(self._handle, signal.SIGKILL)
                with anyio.move_on_after(_PATIENCE_SECONDS):
                    await anyio.wait_readable(self._handle)
        finally:
            self.forget()

    def forget(self) -> None:
        """Closes the descriptors."""
        for descriptor in (self._pid_pipe, self._handle):
            if descriptor is not None:
                os.close(descriptor)
        self._pid_pipe, self._handle = -1, None
