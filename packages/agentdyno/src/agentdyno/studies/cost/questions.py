"""The questions of a cost report: its context in, a result out; None without anything to say."""

from agentdyno.studies.cost.agents import AgentCosts
from agentdyno.studies.cost.attribution import expensive_calls, kind_shares, tool_shares
from agentdyno.studies.cost.drilldown import Drilldown
from agentdyno.studies.cost.results import (
    ExpensiveCall,
    Fuel,
    Waste,
)
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.cost.trajectories import find_expensive_trajectories
from agentdyno.studies.levers import Lever, find_levers
from agentdyno.studies.outdated import MEASURED, OldTable
from agentdyno.studies.report_context import ReportContext

MOST_TRAJECTORIES = 2000
"""Laid out turn by turn; a page may hold fewer."""


def study_sub_agents(context: ReportContext) -> AgentCosts | None:
    """Main agents against those that they started."""
    return context.summary.agents


def study_levers(context: ReportContext) -> list[Lever] | None:
    """Everything that could be changed."""
    return context.once("levers", lambda: find_levers(context)) or None


def study_fuel(context: ReportContext) -> Fuel | None:
    """Where the fuel went."""
    if not context.summary.cost or not context.summary.kinds:
        return None
    return Fuel(context.summary, kind_shares(context.frames), tool_shares(context.frames))


def study_tools(context: ReportContext) -> Summary | None:
    """Tools; None where none was offered or called."""
    return context.summary if context.summary.tools else None


def study_calls(context: ReportContext) -> list[ExpensiveCall] | None:
    """The most expensive single calls."""
    return expensive_calls(context.frames) or None


def study_outdated(context: ReportContext) -> list[OldTable] | None:
    """As whoever brought the tables up to date found them, measured ones first."""
    old = context.old
    measured = [] if old is None else [OldTable(MEASURED, old.made, old.now)]
    return [*measured, *context.outdated] or None


def study_waste(context: ReportContext) -> Waste | None:
    """Wasteful habits; None where nothing was found."""
    patterns = context.patterns
    return Waste(patterns) if patterns.rates or patterns.unproven else None


def study_trajectories(context: ReportContext) -> Drilldown | None:
    """Single trajectories, the most expensive first."""
    trajectories = find_expensive_trajectories(
        context.frames, MOST_TRAJECTORIES, context.read_excerpts
    )
    return trajectories if trajectories.trajectories else None


def study_method(context: ReportContext) -> Summary:
    """What the numbers rest on."""
    return context.summary
