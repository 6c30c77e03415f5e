"""Sections of instruction files: what each cost, whether it helped or not; and files that were
loaded a second time from around a nested worktree.
"""

from collections.abc import Iterator

import polars as pl

from agentdyno.records import printable
from agentdyno.records.origins import FILE
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.origins import origins_by_trajectory
from agentdyno.studies.report_context import ReportContext
from agentdyno_daily.levers.lever_of import ID, list_sessions, make_lever

AGAIN = "again from around the worktree"


def find_sections(context: ReportContext) -> Iterator[Lever]:
    """A lever for each section, and one for all that was loaded twice."""
    rows = origins_by_trajectory(context, FILE) if context.unit == "usd" else None
    if rows is None or rows.is_empty():
        return
    loaded = rows.join(list_sessions(context), on=ID).rename({"usd": "saved"})
    for (agent,), of_agent in loaded.group_by("agent", maintain_order=True):
        is_twice = pl.col("name").fill_null("").str.ends_with(AGAIN)
        levers = [_twice(context, str(agent), of_agent.filter(is_twice), of_agent)]
        once = of_agent.filter(~is_twice).group_by("name", maintain_order=True)
        for (name,), section in once:
            levers.append(_section(context, str(agent), str(name or ""), section, of_agent))
        yield from filter(None, levers)


def _twice(
    context: ReportContext, agent: str, twice: pl.DataFrame, loaded: pl.DataFrame
) -> Lever | None:
    return make_lever(
        context, "worktrees", "keep worktrees outside the repository", twice, loaded["session"],
        kind="habit", agent=agent, scope="project", certainty="at most",
        applies_to="instruction files that are loaded again", where=_projects(twice),
        evidence="they are loaded from the folder around a nested worktree",
        change="put worktrees beside the repository: git worktree add ../NAME",
    )  # fmt: skip


def _section(
    context: ReportContext, agent: str, name: str, section: pl.DataFrame, loaded: pl.DataFrame
) -> Lever | None:
    file, _, title = name.partition(" # ")
    which = f"“{printable(title, 40)}” in {file}" if title else file
    projects = _projects(section)
    here = pl.col("project").is_in(projects) | pl.col("project").is_null()
    return make_lever(
        context, f"section:{name}", f"shorten {which}", section, loaded.filter(here)["session"],
        kind="file", agent=agent, scope="project", certainty="at most",
        applies_to="every context it stands in", where=projects,
        evidence="it stands there whether the task needs it or not",
        change=f"move what few tasks need of {which} to a file that it names",
    )  # fmt: skip


def _projects(rows: pl.DataFrame) -> list[str]:
    return rows["project"].drop_nulls().unique().sort().to_list()


FINDERS = (LeverFinder("instruction_files", find_sections),)
