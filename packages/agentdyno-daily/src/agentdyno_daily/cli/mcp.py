"""`agentdyno mcp`: an agent asks what its work costs, over the Model Context Protocol.

Four questions without a side effect, from the ledger. Their schemas are in the context of every
turn, so they are short: `tests/daily/cli/test_mcp.py` counts them. Each is answered in a thread, so
that a slow one keeps no other waiting, and within a second, since the agent waits for it.
"""

import shlex
import threading
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

    from agentdyno_daily.running.agent_questions import AgentQuestions

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
COMMANDS = {
    "cost_so_far": "agentdyno report {ledger}",
    "cost_of": "agentdyno report {ledger} --by file",
    "what_is_left": "agentdyno budget --ledger {ledger}",
    "what_would_save": "agentdyno apply {ledger}",
}
"""What to run for an answer that takes longer."""
MOST_CHARACTERS = 1_000
"""Of an argument."""
MOST_SECONDS = 1.0
"""Of an answer."""
AT_ONCE = 8
"""Questions that are worked on; those that were given up count until their thread is done."""


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    folder: Annotated[Path | None, typer.Option("--folder")] = None
    """The folder that the agent works in; by default the one it is started in."""


@takes_options
def command(given: Options) -> int:
    """Serve an agent over MCP (stdio): what its work has cost, what is left of cache and budget,
    what would save. `claude mcp add agentdyno -- agentdyno mcp` adds it to Claude Code."""
    import mcp  # noqa: F401  # Named first, so that what is missing is named with its extra.

    import anyio  # isort: skip
    from mcp.server.stdio import stdio_server

    from agentdyno_daily.running.agent_questions import AgentQuestions

    server = build_server(AgentQuestions(given.ledger, given.folder or Path.cwd()))

    async def serve() -> None:
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())

    anyio.run(serve)
    return 0


def build_server(questions: "AgentQuestions", most_seconds: float = MOST_SECONDS) -> "Server[Any]":
    """The SDK's server with our tools."""
    import anyio
    import mcp_types as types
    from mcp.server.lowlevel.server import Server

    from agentdyno.version import __version__

    free = threading.BoundedSemaphore(AT_ONCE)

    def work(name: str, given: dict[str, Any]) -> tuple[str, bool]:
        if not free.acquire(timeout=most_seconds):
            return _describe_late(questions, name, most_seconds), True
        try:
            return _answer(questions, name, given)
        finally:
            free.release()

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[describe_tool(name) for name in TOOLS])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        text, failed = _describe_late(questions, params.name, most_seconds), True
        with anyio.move_on_after(most_seconds):
            text, failed = await anyio.to_thread.run_sync(
                work, params.name, params.arguments or {}, abandon_on_cancel=True
            )
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
    for key, value in given.items():
        if len(value) > MOST_CHARACTERS:
            return (
                f"{name}: expected at most {MOST_CHARACTERS:,} characters for {key}, found "
                f"{len(value):,}. Ask for the path's end or a glob."
            ), True
    ask: Callable[..., dict[str, Any]] = getattr(questions, name)
    try:
        return encode_json(ask(**given)).decode(), False
    except InputError as error:
        return printable(str(error), 300), True


def _describe_late(questions: "AgentQuestions", name: str, most_seconds: float) -> str:
    command = COMMANDS.get(name, "agentdyno").format(ledger=shlex.quote(str(questions.ledger)))
    return (
        f"{name}: no answer within {most_seconds:g} s, which is as long as an agent is kept "
        f"waiting. This command takes the time it needs: {command}"
    )
