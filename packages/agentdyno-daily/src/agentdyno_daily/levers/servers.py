"""MCP servers that nobody called: what their schemas cost."""

import re
from collections.abc import Iterator

from agentdyno.studies.cost.highlights import UnusedServer
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.overview_sums import MCP
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.unused_servers import study_unused_servers
from agentdyno.studies.whatif import WhatIfOptions
from agentdyno_daily.levers.predicted import SAME, predict_saving
from agentdyno_daily.levers.settings import describe_edits, list_edits

NAME = "unused_server:"
"""How levers of this sort are called, before the server."""
MOST = 5
"""Servers that get a lever of their own, the most expensive first."""
_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def unused_servers(context: ReportContext) -> Iterator[Lever]:
    """One lever for each server without a call."""
    for server in study_unused_servers(context)[:MOST]:
        if not _PLAIN.fullmatch(server.name):
            continue  # A name that a shell or a settings file would read otherwise is no advice.
        pattern = all_tools_of(server.name)
        amount = predict_saving(context, WhatIfOptions(drop_tools=(pattern,)))
        if amount is not None and amount > 0:
            yield _lever(context, server, amount, pattern)


def all_tools_of(server: str) -> str:
    """A glob for its tools."""
    return f"{MCP}{server}__*"


def _lever(context: ReportContext, server: UnusedServer, amount: float, pattern: str) -> Lever:
    tools, sessions = len(server.tools), server.sessions
    edits = list_edits("server off", server.name, sorted(context.summary.by_format))
    return Lever(
        name=f"{NAME}{server.name}",
        what=f"disable the MCP server {server.name}",
        where=[],
        amount=amount,
        share=amount / (context.summary.cost or 1.0),
        unit=context.unit,
        certainty="predicted",
        assumption=SAME,
        command=f"--drop-tool '{pattern}'",
        evidence=f"its {tools:,} tools, {server.tokens:,.0f} tokens, were in the context of "
        f"{sessions:,} agent runs and never called",
        kind="setting",
        edits=edits,
        change=describe_edits(edits) or "remove it from the agent's list of MCP servers",
    )


FINDERS = (LeverFinder("unused_servers", unused_servers),)
