"""MCP servers whose tools stood in the context and that nobody called.

Takes a report's context, returns them, the most expensive first. A server is known by the names of
its tools, `mcp__SERVER__TOOL`. A trace that does not hold the schemas, as most of Claude Code's do
not, cannot show what was offered; nothing is said of its servers.
"""

from typing import Any

import polars as pl

from agentdyno.studies.cost.highlights import UnusedServer
from agentdyno.studies.cost.overview_sums import MCP
from agentdyno.studies.report_context import ReportContext


def server_of(tool: str) -> str | None:
    """The server of a tool: `linear` of `mcp__linear__get_issue`."""
    parts = tool.split("__")
    return parts[1] if tool.startswith(MCP) and len(parts) > 2 and parts[1] else None


def study_unused_servers(context: ReportContext) -> list[UnusedServer]:
    """Servers without a single call in the ledger."""
    return context.once("unused servers", lambda: _find_unused(context))


def _find_unused(context: ReportContext) -> list[UnusedServer]:
    called = {server_of(tool) for tool in context.sums["called"]["tool"].drop_nulls()}
    servers = context.sums["servers"].group_by("server", maintain_order=True)
    rows = servers.agg(pl.col("sessions").sum(), pl.col("tokens").max()).iter_rows(named=True)
    unused = [_describe(row, context) for row in rows if row["server"] not in called]
    return sorted(unused, key=lambda each: (-(each.cost or 0.0), each.name))


def _describe(row: dict[str, Any], context: ReportContext) -> UnusedServer:
    schemas = context.sums["schemas"]
    server_schemas = schemas.filter(pl.col("name").str.starts_with(f"{MCP}{row['server']}__"))
    return UnusedServer(
        name=row["server"],
        tools=server_schemas["name"].unique(maintain_order=True).to_list(),
        sessions=row["sessions"],
        tokens=float(row["tokens"] or 0.0),
        cost=float(server_schemas["cost"].sum()) if server_schemas["cost_known"].sum() else None,
    )
