"""What stands in the contexts of projects that do not use it: MCP servers, plugins, instructions.

    server_here     tools of a server that is called in other projects, not in these; or in so few
                    sessions that they had better be loaded when asked for
    setup           plugins, MCP servers and memory that no log shows, in projects where nothing of
                    them was called: the most that can be saved, as some of it may be wanted
    section         one section of an instruction file: what it costs, whether it helps or not
    worktrees       instruction files loaded a second time from around a nested worktree

A schema's dollars are what was charged for it over its stay: a cached one costs what reading does.
"""

from collections.abc import Iterator

import polars as pl

from agentdyno.records import plural, printable
from agentdyno.records.origins import FILE, SETUP
from agentdyno.studies.cost.lever import Certainty, FileEdit, Kind, Lever
from agentdyno.studies.cost.overview_sums import MCP
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.origins import Origins, ask_origins, origins_by_trajectory
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots
from agentdyno_daily.levers.settings import describe_edits, list_edits

ID = "trajectory_id"
RARE = 0.1
"""Share of the sessions that offer a server and call it, below which it is better loaded on
demand."""
FEWEST_SESSIONS = 5
"""Sessions without a call, to say that a project does not use something."""
AGAIN = "again from around the worktree"
SERVER = r"^mcp__(.+?)__"


def idle_servers(context: ReportContext) -> Iterator[Lever]:
    """Servers that some sessions call and most have in context for nothing."""
    rows = _find_offered(context)
    for (server,), offered in rows.group_by("server", maintain_order=True):
        called = offered["called"]
        if context.unit != "usd" or not called.any() or called.all():
            continue  # What nobody calls is a lever of its own.
        by_project = offered.group_by("project", maintain_order=True).agg(
            pl.col("called").any(), pl.len(), pl.col("cost").sum(), agents=pl.col("agent").unique()
        )
        idle = by_project.filter(~pl.col("called"), pl.col("len") >= FEWEST_SESSIONS)
        name, used, many = str(server), int(called.sum()), len(offered)
        if len(idle):
            yield _disable(context, name, idle)
        elif used <= RARE * many:
            yield _defer(context, name, float(offered.filter(~called)["cost"].sum()), used, many)


def _find_offered(context: ReportContext) -> pl.DataFrame:
    """A row for each server and session: what its schemas cost there, and whether it was called."""
    about = context.frames.trajectories.select(session=ID, project="project", agent="format")
    roots = find_roots(context)
    server = pl.col("name").str.extract(SERVER)
    schemas = context.frames.find_parts(
        (pl.col("kind") == "schema") & pl.col("name").str.starts_with(MCP)
    )
    offered = (
        schemas.with_columns(server=server).drop_nulls("server").join(roots, on=ID)
        .group_by("server", "session", maintain_order=True).agg(pl.col("cost").sum())
    )  # fmt: skip
    calls = context.tables.scan("calls").filter(pl.col("tool").str.starts_with(MCP))
    called = (
        calls.select(ID, server=pl.col("tool").str.extract(SERVER)).collect().join(roots, on=ID)
        .select("server", "session", called=pl.lit(value=True)).unique()
    )  # fmt: skip
    found = offered.join(called, on=["server", "session"], how="left", maintain_order="left")
    return found.with_columns(pl.col("called").fill_null(value=False)).join(
        about, on="session", how="left", maintain_order="left"
    )


def _disable(context: ReportContext, server: str, idle: pl.DataFrame) -> Lever:
    rows = idle.drop_nulls("project").sort("cost", descending=True).select("project", "agents")
    projects = rows["project"].to_list()
    edits = [
        edit
        for project, agents in rows.iter_rows()
        for edit in list_edits("server off here", (project, server), sorted(agents))
    ]
    return _lever(
        context, f"server_here:{server}", f"disable the MCP server {printable(server, 40)} where "
        "nobody calls it", float(idle["cost"].sum()), "setting", "predicted", projects, edits,
        f"{plural(int(idle['len'].sum()), 'session')} of these projects had it in context without "
        "a call", "disable it in the settings of these projects",
    )  # fmt: skip


def _defer(context: ReportContext, server: str, usd: float, used: int, many: int) -> Lever:
    edits = list_edits("tools on demand", None, sorted(context.summary.by_format))
    return _lever(
        context, f"server_on_demand:{server}",
        f"load the tools of {printable(server, 40)} on demand", usd, "setting", "predicted", [],
        edits, f"{used:,} of {plural(many, 'session')} that had it in context called it",
        "have the agent search for tools instead of listing them all",
    )  # fmt: skip


def idle_setup(context: ReportContext) -> Iterator[Lever]:
    """What an installation brings, in projects where nothing of it is called."""
    rows = origins_by_trajectory(context, SETUP) if context.unit == "usd" else None
    if rows is None or rows.is_empty():
        return
    is_used = pl.col("tool").str.starts_with(MCP) | (
        pl.col("subject_kind").is_in(["skill", "sub-agent"]) & pl.col("subject").str.contains(":")
    )
    used = context.tables.scan("calls").filter(is_used).select(ID).unique().collect()
    about = context.frames.trajectories.select(session=ID, project="project")
    roots = find_roots(context)
    busy = used.join(roots, on=ID).join(about, on="session")["project"].unique().to_list()
    here = rows.join(roots, on=ID).join(about, on="session").filter(
        ~pl.col("project").is_in(busy, nulls_equal=True)
    )  # fmt: skip
    sums = here.group_by("project").agg(pl.col("usd").sum(), sessions=pl.col("session").n_unique())
    idle = sums.filter(pl.col("sessions") >= FEWEST_SESSIONS).sort("usd", descending=True)
    if len(idle):
        many = plural(int(idle["sessions"].sum()), "session")
        yield _lever(
            context, "setup", "disable plugins and MCP servers in projects that do not use them",
            float(idle["usd"].sum()), "setting", "at most", idle["project"].drop_nulls().to_list(),
            [], f"{many} without a call of any; what they bring is the difference to the bill",
            "in .claude/settings.local.json of these projects set enabledPlugins.NAME to false, "
            "and name servers in disabledMcpjsonServers",
        )  # fmt: skip


def instruction_files(context: ReportContext) -> Iterator[Lever]:
    """Sections of instruction files, and copies of files that are loaded twice."""
    found: Origins | None = ask_origins(context) if context.unit == "usd" else None
    rows = [] if found is None else [each for each in found.rows if each.origin == FILE]
    twice = [each for each in rows if (each.name or "").endswith(AGAIN)]
    if twice:
        yield _lever(
            context, "worktrees", "keep worktrees outside the repository",
            sum(each.usd for each in twice), "habit", "at most", [], [],
            "instruction files are loaded a second time from the folder around a nested worktree",
            "put worktrees beside the repository: git worktree add ../NAME",
        )  # fmt: skip
    for each in rows:
        if each not in twice:
            file, _, section = (each.name or "").partition(" # ")
            which = f"“{printable(section, 40)}” in {file}" if section else file
            yield _lever(
                context, f"section:{each.name}", f"shorten {which}", each.usd, "file", "at most",
                [], [], "it stands in every context, whether the task needs it or not",
                f"move what few tasks need of {which} to a file that it names",
            )  # fmt: skip


def _lever(
    context: ReportContext, name: str, what: str, usd: float, kind: Kind, certainty: Certainty,
    where: list[str], edits: list[FileEdit], evidence: str, change: str,
) -> Lever:  # fmt: skip
    return Lever(
        name=name, kind=kind, edits=edits, what=what, where=where, amount=usd,
        share=usd / (context.summary.cost or 1.0), unit="usd", certainty=certainty,
        assumption="the agent acts as it did", evidence=evidence,
        change=describe_edits(edits) or change,
    )  # fmt: skip


FINDERS = (
    LeverFinder("idle_servers", idle_servers),
    LeverFinder("idle_setup", idle_setup),
    LeverFinder("instruction_files", instruction_files),
)
