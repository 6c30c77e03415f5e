"""All servers of a suite at once, in an event loop of their own.

The loop runs in a thread, so a pool can be opened around a whole run, whatever loops come and go
in it, and its connections outlive every sample. Calls may come from any loop.
"""

import asyncio
import atexit
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec import Struct

from agentdyno_bench.tps.pool.connection import Answer, Connection, Journal
from agentdyno_bench.tps.pool.suite import PoolSpec, ServerSpec, server_specs
from agentdyno_bench.tps.world.directory import SEPARATOR
from agentdyno_bench.tps.world.kit.mcp import WRITES

T = TypeVar("T")


class PoolTool(Struct, frozen=True):
    """A tool as an agent sees it."""

    name: str
    """With its server's prefix, unique in the pool."""
    server: str
    tool: str
    """Its name at the server."""
    description: str
    schema: dict[str, Any]
    writes: bool
    """Whether it changes the world, where the server says so."""


class Pool:
    """Open connections to every server."""

    def __init__(self, spec: PoolSpec) -> None:
        self.spec = spec
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._connections: dict[str, Connection] = {}
        self._journal: Journal = {}
        try:
            self._run(self._open(server_specs(spec)))
        except BaseException:
            self.close()
            raise
        self.tools: dict[str, PoolTool] = {t.name: t for t in self._list_tools()}

    async def _open(self, specs: list[ServerSpec]) -> None:
        self._connections = {s.name: Connection(s, self.spec, self._journal) for s in specs}
        await asyncio.gather(*(c.wait() for c in self._connections.values()))

    def _list_tools(self) -> Iterator[PoolTool]:
        for name, connection in self._connections.items():
            for tool in connection.tools:
                yield PoolTool(
                    name=f"{name}{SEPARATOR}{tool.name}",
                    server=name,
                    tool=tool.name,
                    description=tool.description or tool.name,
                    schema=dict(tool.input_schema),
                    writes=bool((tool.meta or {}).get(WRITES, False)),
                )

    async def call(self, name: str, arguments: dict[str, Any], workspace: str = "") -> Answer:
        """Calls a tool by its prefixed name; calls made together run together."""
        tool = self.tools.get(name)
        if tool is None:
            return Answer(f"There is no tool {name!r}.", True, 0.0)
        connection = self._connections[tool.server]
        return await self._within(connection.call(tool.tool, arguments, workspace))

    async def state(self, server: str, workspace: str) -> dict[str, Any]:
        """The state of a server of the world for a workspace."""
        return await self._within(self._connections[server].state(workspace))

    async def forget(self, workspace: str) -> None:
        """Drops a workspace everywhere."""
        await self._within(self._forget(workspace))

    async def _forget(self, workspace: str) -> None:
        await asyncio.gather(*(c.forget(workspace) for c in self._connections.values()))

    def restarts(self) -> dict[str, int]:
        """How often each server had to be brought back; servers that never had to are left out."""
        return {n: c.restarts for n, c in self._connections.items() if c.restarts}

    def close(self) -> None:
        """Ends every connection and the thread."""
        if self._loop.is_closed():
            return
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        if not self._loop.is_running():
            self._loop.close()

    async def _close(self) -> None:
        await asyncio.gather(*(c.close() for c in self._connections.values()))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _within(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))


@contextmanager
def open_pool(spec: PoolSpec) -> Iterator[Pool]:
    """A pool for as long as the block runs."""
    pool = Pool(spec)
    try:
        yield pool
    finally:
        pool.close()


_shared: dict[bytes, Pool] = {}
_opening = threading.Lock()


def open_shared_pool(spec: PoolSpec) -> Pool:
    """The process's pool for this suite, opened when first asked for and closed at its end."""
    import msgspec

    key = msgspec.json.encode(spec)
    with _opening:  # Samples that start together must not open a pool each.
        if key not in _shared:
            _shared[key] = Pool(spec)
            atexit.register(_shared[key].close)
        return _shared[key]
