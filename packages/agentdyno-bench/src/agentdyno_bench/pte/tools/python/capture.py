"""Reads what a program prints, up to a limit that both streams share. Holds no more than that."""

import anyio
from anyio.abc import ByteReceiveStream, Process

_CHUNK = 16 * 1024


class Capture:
    """The beginning of two streams."""

    def __init__(self, limit: int) -> None:
        self._room = limit
        self._stored: dict[str, list[bytes]] = {"stdout": [], "stderr": []}
        self.full = anyio.Event()
        """Set when more was printed than is kept."""

    async def read_both(self, process: Process) -> None:
        """Keeps what a process prints until it and its children have closed both streams."""
        assert process.stdout is not None
        assert process.stderr is not None
        async with anyio.create_task_group() as readers:
            readers.start_soon(self.read, "stdout", process.stdout)
            readers.start_soon(self.read, "stderr", process.stderr)

    async def read(self, name: str, stream: ByteReceiveStream) -> None:
        """Keeps what comes until the stream ends or there is no room left."""
        try:
            while not self.full.is_set():
                self._keep(name, await stream.receive(_CHUNK))
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return

    def _keep(self, name: str, data: bytes) -> None:
        self._stored[name].append(data[: self._room])
        if len(data) > self._room:
            self.full.set()
        self._room -= len(self._stored[name][-1])

    def text(self, name: str) -> str:
        """The beginning of a stream."""
        return b"".join(self._stored[name]).decode("utf-8", "replace")
