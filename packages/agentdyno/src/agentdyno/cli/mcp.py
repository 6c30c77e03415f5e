"""`agentdyno mcp`: an agent asks what its work costs, over the Model Context Protocol.

Four questions without a side effect, from the ledger. Their schemas are in the context of every
turn, so they are short: `tests/cli/test_mcp.py` counts them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server.lowlevel.server import Server

    from agentdyno.pipelines.agent_questions import AgentQuestions

TEXT = {"type": "string"}
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "cost_so_far": ("US dollars of this session, today and this month.", {}),
    "cost_of": (
        "What reading, editing or running a file or command has cost so far.",
        {"what": {**TEXT, "description": "path, its end, a command or a glob"},
         "last": {**TEXT, "description": "12h, 7d or 4w"}},
    ),
    "what_is_left": (
        "Seconds until the prompt cache is gone, what a miss costs, and what budgets have left.",
        {},
    ),
    "what_would_save": ("Changes that would make sessions cheaper, with dollars.", {}),
}  # fmt: skip
"""By name: what it answers and what it takes; `what` is required."""


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    folder: Annotated[Path | None, typer.Option("--folder")] = None
    """The folder that the agent works in; by default the one it is started in."""


@takes_options
def command(given: Options) -> int:
    """Serve an agent over MCP (stdio): what its work has cost, what is left of cache and budget,
    what would save. In Claude Code: claude mcp add agentdyno -- agentdyno mcp"""
    import mcp  # noqa: F401  # Named first, so that what is missing is named with its extra.

    import anyio  # isort: skip
    from mcp.server.stdio import stdio_server

    from agentdyno.pipelines.agent_questions import AgentQuestions

    server = build_server(AgentQuestions(given.ledger, given.folder or Path.cwd()))

    async def serve() -> None:
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())

    anyio.run(serve)
    return 0


def build_server(questions: "AgentQuestions") -> "Server[Any]":
    """The SDK's server with our tools."""
    import mcp_types as types
    from mcp.server.lowlevel.server import Server

    from agentdyno.version import __version__

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[describe_tool(name) for name in TOOLS])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        text, failed = _answer(questions, params.name, params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], is_error=failed
        )

    return Server("agentdyno", version=__version__, on_list_tools=list_tools,
                  on_call_tool=call_tool)  # fmt: skip


def describe_tool(name: str) -> "types.Tool":
    """A tool as agents read it."""
    import mcp_types as types

    about, properties = TOOLS[name]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if "what" in properties:
        schema["required"] = ["what"]
    hints = types.ToolAnnotations(read_only_hint=True)
    return types.Tool(name=name, description=about, input_schema=schema, annotations=hints)


def _answer(questions: "AgentQuestions", name: str, given: dict[str, Any]) -> tuple[str, bool]:
    """JSON, or what is wrong with the question."""
    from agentdyno.records import InputError, printable
    from agentdyno.records.escaped_json import encode_json

    if name not in TOOLS:
        return f"No tool {printable(name, 40)!r}. Known: {', '.join(TOOLS)}.", True
    known = TOOLS[name][1]
    odd = [key for key, value in given.items() if key not in known or not isinstance(value, str)]
    missing = "what" in known and "what" not in given
    if odd or missing:
        return f"{name}: expected texts for {', '.join(known) or 'nothing'}.", True
    ask: Callable[..., dict[str, Any]] = getattr(questions, name)
    try:
        return encode_json(ask(**given)).decode(), False
    except InputError as error:
        return printable(str(error), 300), True
