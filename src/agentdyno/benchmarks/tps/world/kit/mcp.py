"""A server of the world behind MCP, on the official SDK: over stdio, over streamable HTTP, or
inside this process for tests.

Tools are listed with their declared latency in `_meta`, and every result says in `_meta` how long
it took or would have taken. A caller may name a workspace in `_meta`; calls of one workspace share
a state and see nothing of any other. State is read and dropped by two methods of our own, which are
no tools, are not announced, and exist only when the server was started with `admin`.
"""

from typing import Any, Literal

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server as SdkServer
from mcp.server.stdio import stdio_server

from agentdyno.benchmarks.tps.world.directory import server_class
from agentdyno.benchmarks.tps.world.kit.server import Outcome, Server
from agentdyno.benchmarks.tps.world.kit.tool import Tool

Latency = Literal["virtual", "real"]

LATENCY = "agentdyno/latency_seconds"
WRITES = "agentdyno/writes"
WORKSPACE = "agentdyno/workspace"
STATE_METHOD = "agentdyno/state"
FORGET_METHOD = "agentdyno/forget"


class WorkspaceParams(types.RequestParams):
    """Which workspace an administrative request is about."""

    workspace: str


class StateResult(types.Result):
    """What a workspace holds."""

    state: dict[str, Any]


def build(name: str, seed: int, latency: Latency, admin: bool = False) -> SdkServer[Any]:
    """The SDK's server for one of ours."""
    kind = server_class(name)
    spaces: dict[str, Server] = {}

    def space(workspace: str) -> Server:
        if workspace not in spaces:
            spaces[workspace] = kind(seed)
        return spaces[workspace]

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_listed(tool) for tool in kind.tools.values()])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        workspace = str((params.meta or {}).get(WORKSPACE, ""))
        outcome = space(workspace).call(params.name, params.arguments or {})
        if latency == "real":
            await anyio.sleep(outcome.latency_seconds)
        return _result(outcome)

    async def state(ctx: Any, params: WorkspaceParams) -> StateResult:
        return StateResult(state=space(params.workspace).state)

    async def forget(ctx: Any, params: WorkspaceParams) -> types.EmptyResult:
        spaces.pop(params.workspace, None)
        return types.EmptyResult()

    server: SdkServer[Any] = SdkServer(
        kind.name,
        title=kind.title,
        instructions=kind.about,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    if admin:
        server.add_request_handler(STATE_METHOD, WorkspaceParams, state)
        server.add_request_handler(FORGET_METHOD, WorkspaceParams, forget)
    return server


def _listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(read_only_hint=not tool.writes),
        _meta={LATENCY: tool.latency_seconds, WRITES: tool.writes},
    )


def _result(outcome: Outcome) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=outcome.text)],
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
