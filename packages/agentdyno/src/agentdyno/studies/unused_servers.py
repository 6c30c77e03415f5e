"""MCP servers whose tools stood in the context and that nobody called.

Takes a report's context, returns them, the most expensive first. A server is known by the names of
its tools, `mcp__SERVER__TOOL`. A trace that does not hold the schemas, as most of Claude Code's do
not, cannot show what was offered; nothing is said of its servers.
"""

import polars as pl

from agentdyno.studies.cost.highlights import UnusedServer
from agentdyno.studies.report_context import ReportContext

PREFIX = "mcp__"


def server_of(tool: str) -> str | None:
    """The server of a tool: `linear` of `mcp__linear__get_issue`."""
    parts = tool.split("__")
    return parts[1] if tool.startswith(PREFIX) and len(parts) > 2 and parts[1] else None


def study_unused_servers(context: ReportContext) -> list[UnusedServer]:
    """Servers without a single call in the ledger."""
    return context.once("unused servers", lambda: _find_unused(context))


def _find_unused(context: ReportContext) -> list[UnusedServer]:
    is_schema = pl.col("kind") == "schema"
    offered = context.frames.find_parts(is_schema & pl.col("name").str.starts_with(PREFIX))
    called = {server_of(tool) for tool in context.frames.called_tools if tool is not None}
    tools = offered["name"].unique(maintain_order=True).to_list()
    servers = dict.fromkeys(server for tool in tools if (server := server_of(tool)) is not None)
    unused = [server for server in servers if server not in called]
    found = [_describe(server, offered) for server in unused]
    return sorted(found, key=lambda each: (-(each.cost or 0.0), each.name))


def _describe(server: str, offered: pl.DataFrame) -> UnusedServer:
    rows = offered.filter(pl.col("name").str.starts_with(f"{PREFIX}{server}__"))
    each = rows.group_by("trajectory_id").agg(pl.col("tokens").sum())
    cost = rows["cost"]
    return UnusedServer(
        name=server,
        tools=rows["name"].unique(maintain_order=True).to_list(),
        sessions=len(each),
        tokens=float(each["tokens"].max() or 0.0),  # type: ignore[arg-type]
        cost=float(cost.sum()) if cost.count() else None,
    )
