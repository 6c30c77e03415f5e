"""What could be changed, and what it would have saved: a report context in, levers out.

A lever is a sum over rows of the ledger: what a setting would have cost on the same turns, or what
something that nobody used did cost. What is saved already, as by a cache that is on, is no lever:

    at most        an upper bound: more than this cannot be saved
    counted        the sum itself; holds if the agent acts the same

Sessions are taken whole: a main agent with its sub-agents, all turns. What a change has done once
it is made is measured by `compare`. Finders come from packages, in the entry point group
`agentdyno.levers`.
"""

from collections.abc import Iterable

import polars as pl
from msgspec import structs

from agentdyno.plugins import is_ours, report_failure
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers.finder import LeverFinder, load_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.selection import SelectedTables, Selection, take_whole_sessions

SMALLEST_SHARE = 0.01
DAYS = 14
"""What is recent, counted back from the last turn of each agent: one that is no longer used, or not
yet, does not hide what another does."""
IN_USE_SECONDS = 30 * 86_400.0
"""An agent whose last turn lies further before the ledger's last one is no longer used."""


def find_levers(
    context: ReportContext, finders: Iterable[LeverFinder] | None = None
) -> list[Lever]:
    """Everything on which at least 1 % of the cost of recent sessions hangs, the largest saving
    first: what they already do, or no longer do, is no lever."""
    context, days = look_back(context)
    if not context.summary.cost:
        return []
    selected = load_levers().values() if finders is None else finders
    levers = [lever for finder in selected for lever in _ask(finder, context)]
    unused = _list_unused_agents(context)
    levers = [
        structs.replace(lever, days=days)
        for lever in levers
        if lever.share >= SMALLEST_SHARE
        and lever.agent not in unused
        # A third party's finder may add PTE where they have different units.
        and (lever.unit != "pte" or context.unit == "pte")
    ]
    return sorted(levers, key=lambda lever: -lever.share)


def look_back(context: ReportContext) -> tuple[ReportContext, int | None]:
    """The sessions of the last `DAYS` of every agent, whole; all of it where it has no more, or
    where attempts are graded."""
    tables = take_whole_sessions(context.tables)
    if tables is not context.tables:
        context = ReportContext(tables, rules=context.rules)
    trajectories = context.frames.trajectories
    if trajectories["correct"].count():
        return context, None
    recent = SelectedTables(tables, Selection(back=DAYS * 86_400), cuts=False)
    if len(recent.chosen) in (0, len(trajectories)):
        return context, None
    return ReportContext(recent, rules=context.rules), DAYS


def _list_unused_agents(context: ReportContext) -> set[str]:
    at = pl.coalesce("ended_at", "started_at").max().alias("at")
    last = context.tables.scan("turns").group_by("trajectory_id").agg(at).collect()
    formats = context.frames.trajectories.select("trajectory_id", "format")
    by_agent = last.join(formats, on="trajectory_id").group_by("format").agg(pl.col("at").max())
    is_old = pl.col("at") < pl.col("at").max() - IN_USE_SECONDS
    return set(by_agent.filter(is_old)["format"])


def _ask(finder: LeverFinder, context: ReportContext) -> list[Lever]:
    """A third party's mistake is reported, and costs only its own levers."""
    try:
        return list(finder.find(context))
    except Exception as error:
        if is_ours(finder.find):
            raise
        report_failure(finder, "to find levers", error)
        return []


__all__ = ["Lever", "LeverFinder", "find_levers", "load_levers"]
