"""MCP servers that nobody called: what their schemas cost, and where each agent disables a server.

Settings as the agents document them: Claude Code `disabledMcpjsonServers` (servers of `.mcp.json`)
and `claude mcp remove`, Codex `enabled` of a server in `config.toml`.
"""

import re
from collections.abc import Iterator

from agentdyno.studies.cost.highlights import UnusedServer
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.overview_sums import MCP
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.levers.predicted import SAME, predict_saving
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.unused_servers import study_unused_servers
from agentdyno.studies.whatif import WhatIfOptions

MOST = 5
"""Servers that get a lever of their own, the most expensive first."""
_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_CLAUDE_TOOLS = {"Bash", "Edit", "Read"}
"""Claude Code offers these, however it was recorded."""


def unused_servers(context: ReportContext) -> Iterator[Lever]:
    """One lever for each server without a call."""
    for server in study_unused_servers(context)[:MOST]:
        if not _PLAIN.fullmatch(server.name):
            continue  # A name that a shell or a settings file would read otherwise is no advice.
        pattern = f"{MCP}{server.name}__*"
        amount = predict_saving(context, WhatIfOptions(drop_tools=(pattern,)))
        if amount is not None and amount > 0:
            yield _lever(context, server, amount, pattern)


def _lever(context: ReportContext, server: UnusedServer, amount: float, pattern: str) -> Lever:
    tools, sessions = len(server.tools), server.sessions
    return Lever(
        name=f"unused_server:{server.name}",
        what=f"disable the MCP server {server.name}",
        where=[],
        amount=amount,
        share=amount / (context.summary.cost or 1.0),
        unit=context.unit,
        certainty="predicted",
        assumption=SAME,
        command=f"--drop-tool '{pattern}'",
        evidence=f"its {tools:,} tools, {server.tokens:,.0f} tokens, stood in the context of "
        f"{sessions:,} trajectories and were never called",
        change=_name_change(server.name, context),
    )


def _name_change(server: str, context: ReportContext) -> str:
    """Which settings file to change, and how, where the agent is known."""
    formats = set(context.summary.by_format)
    tools = {tool.tool for tool in context.summary.tools}
    if "claude_code" in formats or tools >= _CLAUDE_TOOLS:
        return (
            f'in .claude/settings.json set "disabledMcpjsonServers": ["{server}"] if .mcp.json '
            f"names it, otherwise run claude mcp remove {server}"
        )
    if "codex" in formats:
        return f"in ~/.codex/config.toml set enabled = false under [mcp_servers.{server}]"
    return "remove it from the agent's list of MCP servers"


FINDERS = (LeverFinder("unused_servers", unused_servers),)
