"""A server of the world behind MCP, on the official SDK: over stdio, over streamable HTTP, or
inside this process for tests.

Tools are listed with their declared latency in `_meta`, and every result says in `_meta` how long
it took or would have taken. A caller may name a workspace in `_meta`; calls of one workspace share
a state and see nothing of any other. Servers of one workspace keep common books although each is a
process of its own: the caller sends along what the workspace has changed at any of them, in order,
and a server does what it has not done yet before it answers. The same rebuilds a server that was
started again. State is read and dropped by two methods of our own, which are no tools, are not
announced, and exist only when the server was started with `admin`.
"""

from typing import Any, Literal

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server as SdkServer
from mcp.server.stdio import stdio_server

from agentdyno_bench.tps.world.directory import SEPARATOR, World, server_class
from agentdyno_bench.tps.world.kit.schemas import output_schema
from agentdyno_bench.tps.world.kit.server import Outcome
from agentdyno_bench.tps.world.kit.tool import Tool

Latency = Literal["virtual", "real"]

LATENCY = "agentdyno/latency_seconds"
WRITES = "agentdyno/writes"
WORKSPACE = "agentdyno/workspace"
JOURNAL = "agentdyno/journal"
"""Changes of the workspace so far: [server, tool, arguments], in order."""
STATE_METHOD = "agentdyno/state"
FORGET_METHOD = "agentdyno/forget"


class WorkspaceParams(types.RequestParams):
    """Which workspace an administrative request is about."""

    workspace: str


class StateResult(types.Result):
    """The state of a workspace."""

    state: dict[str, Any]


class Space:
    """One workspace as one server holds it: its own books, and a copy of everybody else's."""

    def __init__(self, name: str, seed: int, faults: float) -> None:
        self.world = World(seed, faults)
        self._name = name
        self._faults = faults
        self._done = {True: 0, False: 0}

    def catch_up(self, journal: Any) -> None:
        """Does what the workspace has changed and this server has not seen yet."""
        passed = {True: 0, False: 0}
        self.world.faults = 0.0
        for server, tool, arguments in journal or ():
            is_ours = server == self._name
            passed[is_ours] += 1
            if passed[is_ours] > self._done[is_ours]:
                self.world.call(f"{server}{SEPARATOR}{tool}", arguments)
                self._done[is_ours] += 1
        self.world.faults = self._faults

    def call(self, tool: Tool | None, name: str, arguments: dict[str, Any]) -> Outcome:
        """Answers a call to this server."""
        outcome = self.world.call(f"{self._name}{SEPARATOR}{name}", arguments)
        if tool is not None and tool.writes and outcome.error is None:
            self._done[True] += 1
        return outcome


def build(
    name: str, seed: int, latency: Latency, admin: bool = False, faults: float = 0.0
) -> SdkServer[Any]:
    """The SDK's server for one of ours."""
    kind = server_class(name)
    spaces: dict[str, Space] = {}

    def space(workspace: str) -> Space:
        if workspace not in spaces:
            spaces[workspace] = Space(name, seed, faults)
        return spaces[workspace]

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[describe_tool(name, tool) for tool in kind.tools.values()]
        )

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        meta: Any = params.meta or {}
        workspace = space(str(meta.get(WORKSPACE, "")))
        workspace.catch_up(meta.get(JOURNAL))
        outcome = workspace.call(kind.tools.get(params.name), params.name, params.arguments or {})
        if latency == "real":
            await anyio.sleep(outcome.latency_seconds)
        return result_of(outcome)

    async def state(ctx: Any, params: WorkspaceParams) -> StateResult:
        return StateResult(state=space(params.workspace).world.state(name))

    async def forget(ctx: Any, params: WorkspaceParams) -> types.EmptyResult:
        spaces.pop(params.workspace, None)
        return types.EmptyResult()

    server: SdkServer[Any] = SdkServer(
        kind.name,
        version=kind.version,
        title=kind.title,
        instructions=kind.about,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    if admin:
        server.add_request_handler(STATE_METHOD, WorkspaceParams, state)
        server.add_request_handler(FORGET_METHOD, WorkspaceParams, forget)
    return server


def describe_tool(server: str, tool: Tool) -> types.Tool:
    """A tool as a client sees it."""
    return types.Tool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=tool.description,
        input_schema=tool.schema,
        output_schema=output_schema(server, tool.name),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=not tool.writes,
            open_world_hint=False,
        ),
        _meta={LATENCY: tool.latency_seconds, WRITES: tool.writes},
    )


def result_of(outcome: Outcome) -> types.CallToolResult:
    """Convert an outcome to a result for an MCP client."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=outcome.text)],
        structured_content=None if outcome.error is not None else outcome.value,
        is_error=outcome.error is not None,
        _meta={LATENCY: outcome.latency_seconds},
    )


async def serve_stdio(server: SdkServer[Any]) -> None:
    """Serves one client over stdin and stdout until it leaves."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def serve_http(server: SdkServer[Any], port: int, host: str = "127.0.0.1") -> None:
    """Serves streamable HTTP at `/mcp` until it is stopped."""
    import uvicorn

    app = server.streamable_http_app(host=host)
    config = uvicorn.Config(app, host=host, port=port, log_level="warning")
    await uvicorn.Server(config).serve()
