"""One server of a pool: connected for as long as the pool lives, brought back when it dies.

A task of its own holds the connection open, because the SDK wants it closed where it was opened.
When a call finds the connection gone, that task starts the server again. Services of the world are
deterministic, so their state is rebuilt from the pool's journal of changes, which goes with every
call; the call that was lost is then made again. Foreign servers are restarted too, but the lost
call is not repeated, since it is unknown whether it was done: it raises `ServerDiedError`, and
whoever runs the sample begins it again. A server that dies again and again without answering in
between is given up.
"""

import asyncio
import contextlib
import time
from typing import Any

import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from msgspec import Struct

from agentdyno.records import printable
from agentdyno_bench.tps.pool.suite import PoolSpec, ServerDiedError, ServerSpec
from agentdyno_bench.tps.world.kit.mcp import (
    FORGET_METHOD,
    JOURNAL,
    LATENCY,
    STATE_METHOD,
    WORKSPACE,
    WRITES,
    StateResult,
    WorkspaceParams,
    build,
)

START_SECONDS = 90.0
"""How long a server may take to come up on a busy machine."""


class Answer(Struct, frozen=True):
    """Result of a call."""

    text: str
    """The result as the agent sees it."""
    failed: bool
    """Whether the service reported an error."""
    latency_seconds: float
    """What the service took or would have taken; measured where it does not say."""


Journal = dict[str, list[tuple[str, str, dict[str, Any]]]]
"""Changes by workspace: server, tool and arguments, in order; common to all servers of a pool."""


class _AdminRequest(types.Request[WorkspaceParams, str]):
    """A request of our own, for the state behind the tools."""


class Connection:
    """A server and the client that talks to it."""

    def __init__(self, spec: ServerSpec, pool: PoolSpec, journal: Journal) -> None:
        self.spec = spec
        self.tools: list[types.Tool] = []
        self.restarts = 0
        self._in_a_row = 0
        self._pool = pool
        self._client: Client | None = None
        self._ready = asyncio.Event()
        self._lost = asyncio.Event()
        self._closing = False
        self._failure: str | None = None
        self._journal = journal
        self._owner = asyncio.create_task(self._own())

    async def wait(self) -> None:
        """Until the server answers; raises when it cannot be had."""
        async with asyncio.timeout(START_SECONDS):
            await self._ready.wait()
        if self._failure is not None:
            raise ServerDiedError(self._failure)

    async def close(self) -> None:
        """Ends the connection and the server with it."""
        self._closing = True
        self._lost.set()
        with contextlib.suppress(Exception, asyncio.CancelledError):
            await asyncio.wait_for(self._owner, 15)

    async def call(self, tool: str, arguments: dict[str, Any], workspace: str) -> Answer:
        """Calls a tool."""
        for attempt in (0, 1):
            await self.wait()
            client = self._client
            try:
                answer = await self._send(client, tool, arguments, workspace)
            except MCPError as error:
                if not await self._check_lost(client, error):
                    return Answer(printable(str(error), 500), True, 0.0)
                if not self.spec.own or attempt:
                    raise ServerDiedError(
                        f"the MCP server {self.spec.name!r} ended during a call to "
                        f"{printable(tool, 60)}; the call was not repeated"
                    ) from None
            else:
                self._in_a_row = 0
                if self.spec.own and not answer.failed and self._writes(tool):
                    changed = self._journal.setdefault(workspace, [])
                    changed.append((self.spec.name, tool, arguments))
                return answer
        raise AssertionError("unreachable")

    async def _send(
        self, client: Client | None, tool: str, arguments: dict[str, Any], workspace: str
    ) -> Answer:
        assert client is not None
        meta: Any = None
        if self.spec.own:
            meta = {WORKSPACE: workspace, JOURNAL: list(self._journal.get(workspace, ()))}
        began = time.perf_counter()
        result = await client.call_tool(
            tool, arguments, read_timeout_seconds=self._pool.call_seconds, meta=meta
        )
        seconds = time.perf_counter() - began
        message = (result.meta or {}).get(LATENCY) if self._pool.latency == "virtual" else None
        return Answer(
            _text(result), bool(result.is_error), seconds if message is None else float(message)
        )

    async def _check_lost(self, client: Client | None, error: MCPError) -> bool:
        """True when the connection is lost; asks for a new one unless that was done."""
        if error.code == types.REQUEST_TIMEOUT:
            return False
        if client is self._client and self._ready.is_set():
            try:
                async with asyncio.timeout(5):
                    await client.list_tools()  # type: ignore[union-attr]
                return False
            except (MCPError, TimeoutError):
                if client is self._client:
                    self._ready.clear()
                    self._lost.set()
        return True

    def _writes(self, tool: str) -> bool:
        return any(t.name == tool and (t.meta or {}).get(WRITES) for t in self.tools)

    async def state(self, workspace: str) -> dict[str, Any]:
        """The state of a workspace of one of our servers."""
        await self.wait()
        assert self._client is not None
        request = _AdminRequest(method=STATE_METHOD, params=WorkspaceParams(workspace=workspace))
        return (await self._client.session.send_request(request, StateResult)).state

    async def forget(self, workspace: str) -> None:
        """Drops a workspace."""
        self._journal.pop(workspace, None)
        if not self.spec.own or self._client is None:
            return
        request = _AdminRequest(method=FORGET_METHOD, params=WorkspaceParams(workspace=workspace))
        with contextlib.suppress(MCPError):
            await self._client.session.send_request(request, types.EmptyResult)

    async def _own(self) -> None:
        """Holds the connection; opens it again when it is lost."""
        while not self._closing:
            try:
                # A server that was killed makes the client's own close fail; that is expected.
                async with Client(self._target(), mode=self._mode) as client:
                    self.tools = await _all_tools(client)
                    self._client = client
                    self._lost.clear()
                    self._ready.set()
                    await self._lost.wait()
            except Exception as error:
                if not self._lost.is_set() and not self._closing:
                    self._fail(f"could not be started: {printable(_first_cause(error), 200)}")
                    return
            self._ready.clear()
            self.restarts += 1
            self._in_a_row += 1
            if self._in_a_row > self._pool.restarts and not self._closing:
                self._fail(f"ended {self._in_a_row} times")
                return

    def _fail(self, why: str) -> None:
        self._failure = f"the MCP server {self.spec.name!r} {why}"
        self._ready.set()

    @property
    def _mode(self) -> Any:
        return "legacy" if self.spec.own else "auto"

    def _target(self) -> Any:
        if self.spec.url is not None:
            return self.spec.url
        if self.spec.own and self._pool.transport == "memory":
            spec = self._pool
            return build(self.spec.name, spec.seed, spec.latency, admin=True, faults=spec.faults)
        assert self.spec.command is not None
        return StdioServerParameters(
            command=self.spec.command, args=self.spec.args, env=self.spec.env
        )


def _first_cause(error: BaseException) -> str:
    """The first error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


async def _all_tools(client: Client) -> list[types.Tool]:
    tools: list[types.Tool] = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            return tools


def _text(result: types.CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))
