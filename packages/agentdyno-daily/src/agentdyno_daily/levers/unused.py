"""What stands in contexts and nobody used: MCP servers, schemas of tools, what plugins bring.

    unused_server   no session of the agent called it: off for the user
    server_here     called in other projects, not in these: off in these
    unused_tools    other tools that are offered and that nobody called
    setup           plugins, servers and memory that no log shows, in projects where nothing of them
                    was called: the most that can be saved, as some of it may be wanted

The dollars of a schema are what was charged for it over its stay: a cached one costs what reading
does. GPU-seconds are no sum over parts, so a ledger that counts in them has none of these.
"""

import re
from collections.abc import Iterator

import polars as pl

from agentdyno.records import printable
from agentdyno.records.origins import SETUP
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.overview_sums import MCP
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.origins import origins_by_trajectory
from agentdyno.studies.report_context import ReportContext
from agentdyno_daily.levers.lever_of import ID, list_sessions, make_lever
from agentdyno_daily.levers.settings import list_edits

SERVER = r"^mcp__(.+?)__"
FEWEST_SESSIONS = 4
"""Sessions without a call, to say that a project does not use something."""
_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""A name that a shell or a settings file would read otherwise is no advice."""


def find_unused(context: ReportContext) -> Iterator[Lever]:
    """Servers and tools, by agent."""
    if context.unit == "gpu_seconds":
        return
    sessions = list_sessions(context)
    offered, called = _list_offered(context, sessions), _list_called(context, sessions)
    for (agent,), rows in offered.group_by("agent", maintain_order=True):
        name = str(agent)
        of_agent = sessions.filter(pl.col("agent") == name)
        calls = called.filter(pl.col("agent") == name)
        yield from _servers(context, name, rows, calls, of_agent)
        if lever := _tools(context, name, rows, calls, of_agent):
            yield lever


def _list_offered(context: ReportContext, sessions: pl.DataFrame) -> pl.DataFrame:
    is_schema = (pl.col("kind") == "schema") & pl.col("name").is_not_null()
    schemas = context.frames.find_parts(is_schema).select(ID, "name", "tokens", saved="cost")
    server = pl.col("name").str.extract(SERVER)
    return schemas.join(sessions, on=ID, maintain_order="left").with_columns(server=server)


def _list_called(context: ReportContext, sessions: pl.DataFrame) -> pl.DataFrame:
    calls = context.tables.scan("calls").select(ID, "tool").unique().collect()
    return calls.join(sessions, on=ID).with_columns(server=pl.col("tool").str.extract(SERVER))


def _servers(
    context: ReportContext, agent: str, offered: pl.DataFrame, called: pl.DataFrame,
    sessions: pl.DataFrame,
) -> Iterator[Lever]:  # fmt: skip
    used = set(called["server"].drop_nulls())
    for (server,), rows in offered.drop_nulls("server").group_by("server", maintain_order=True):
        name = str(server)
        if not _PLAIN.fullmatch(name):
            continue
        calls = called.filter(pl.col("server") == name)
        lever = (
            _off_here(context, agent, name, rows, calls, sessions)
            if name in used
            else _off(context, agent, name, rows, sessions)
        )
        if lever is not None:
            yield lever


def _off(
    context: ReportContext, agent: str, server: str, rows: pl.DataFrame, sessions: pl.DataFrame
) -> Lever | None:
    tools = rows["name"].n_unique()
    tokens = max(rows.group_by(ID).agg(pl.col("tokens").sum())["tokens"].to_list())
    return make_lever(
        context, f"unused_server:{server}", f"disable the MCP server {server}", rows,
        sessions["session"], agent=agent, applies_to=f"the {tools:,} tools of {server}",
        edits=list_edits("server off", server, [agent]),
        evidence=f"its schemas, {tokens:,.0f} tokens in a context, were never called",
        change="remove it from the agent's list of MCP servers",
    )  # fmt: skip


def _off_here(
    context: ReportContext, agent: str, server: str, rows: pl.DataFrame, called: pl.DataFrame,
    sessions: pl.DataFrame,
) -> Lever | None:  # fmt: skip
    quiet = rows.filter(~pl.col("project").is_in(called["project"].drop_nulls().to_list()))
    projects = _list_idle(quiet.drop_nulls("project"))
    edits = [
        edit
        for project in projects
        for edit in list_edits("server off here", (project, server), [agent])
    ]
    here = pl.col("project").is_in(projects)
    return make_lever(
        context, f"server_here:{server}",
        f"disable the MCP server {printable(server, 40)} where nobody calls it",
        rows.filter(here), sessions.filter(here)["session"], agent=agent, scope="project",
        applies_to=f"the tools of {server} in these projects", edits=edits, where=projects,
        evidence="these projects had it in context without a call",
        change="disable it in the settings of these projects",
    )  # fmt: skip


def _tools(
    context: ReportContext, agent: str, offered: pl.DataFrame, called: pl.DataFrame,
    sessions: pl.DataFrame,
) -> Lever | None:  # fmt: skip
    """A tool for rare occasions may be the one that matters: its schema need not stand in every
    context. Tools of a server that nobody called are that server's lever."""
    servers, tools = (called[name].drop_nulls().to_list() for name in ("server", "tool"))
    of_used = pl.col("server").is_null() | pl.col("server").is_in(servers)
    rows = offered.filter(of_used, ~pl.col("name").is_in(tools))
    names = _order(rows, "name")["name"].to_list()
    edits = list_edits("tools off", names, [agent]) if names else []
    return make_lever(
        context, "unused_tools", "offer unused tools only on demand", rows, sessions["session"],
        kind="setting" if edits else "habit", agent=agent, applies_to="schemas of these tools",
        edits=edits, where=names,
    )  # fmt: skip


def find_idle_setup(context: ReportContext) -> Iterator[Lever]:
    """What an installation brings, in projects where nothing of it is called."""
    rows = origins_by_trajectory(context, SETUP) if context.unit == "usd" else None
    if rows is None or rows.is_empty():
        return
    sessions = list_sessions(context)
    is_used = pl.col("tool").str.starts_with(MCP) | (
        pl.col("subject_kind").is_in(["skill", "sub-agent"]) & pl.col("subject").str.contains(":")
    )
    used = context.tables.scan("calls").filter(is_used).select(ID).unique().collect()
    busy = used.join(sessions, on=ID)["project"].unique()
    quiet = pl.col("project").is_in(busy.to_list(), nulls_equal=True).not_()
    here = rows.join(sessions, on=ID).filter(quiet).rename({"usd": "saved"})
    projects = _list_idle(here)
    for (agent,), of_agent in sessions.group_by("agent", maintain_order=True):
        chosen = of_agent.filter(pl.col("project").is_in(projects, nulls_equal=True))
        lever = make_lever(
            context, "setup", "disable plugins and MCP servers in projects that do not use them",
            here.join(chosen, on=ID, how="semi"), chosen["session"],
            agent=str(agent), scope="project", certainty="at most",
            applies_to="what no log shows of these projects' contexts",
            where=[project for project in projects if project],
            evidence="what they bring is the difference to the bill, and none of it was called",
            change="in .claude/settings.local.json of these projects set enabledPlugins.NAME to "
            "false, and name servers in disabledMcpjsonServers",
        )  # fmt: skip
        if lever is not None:
            yield lever


def _list_idle(rows: pl.DataFrame) -> list[str]:
    """Projects with enough sessions to say so, the most expensive first."""
    return _order(rows, "project").filter(pl.col("many") >= FEWEST_SESSIONS)["project"].to_list()


def _order(rows: pl.DataFrame, by: str) -> pl.DataFrame:
    sums = rows.group_by(by).agg(pl.col("saved").sum(), many=pl.col("session").n_unique())
    return sums.sort("saved", by, descending=[True, False])


FINDERS = (LeverFinder("unused", find_unused), LeverFinder("idle_setup", find_idle_setup))
