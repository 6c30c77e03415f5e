"""The questions of a cost report: an inquiry in, a result out; None without anything to say."""

from agentdyno.studies.cost.agents import AgentCosts
from agentdyno.studies.cost.attribution import expensive_calls, kind_shares, tool_shares
from agentdyno.studies.cost.by_turn import turn_series
from agentdyno.studies.cost.difficulty import difficulty
from agentdyno.studies.cost.drilldown import Drilldown
from agentdyno.studies.cost.hardware import hardware_ranks
from agentdyno.studies.cost.latency import latency
from agentdyno.studies.cost.mixing import mixing
from agentdyno.studies.cost.outcomes import outcome_gaps
from agentdyno.studies.cost.results import (
    Difficulty,
    ExpensiveCall,
    Fuel,
    Glance,
    Hardware,
    Latency,
    OutcomeGap,
    Standings,
    TurnSeries,
    Waste,
)
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.cost.trajectories import drill_down
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers import Lever, find_levers

MOST_TRAJECTORIES = 2000
"""Laid out turn by turn; a page may hold fewer."""


def study_glance(inquiry: Inquiry) -> Glance:
    """What it cost, where it went, what to change."""
    rows, _ = inquiry.ranked
    spent = [row.graded_pte for row in rows]
    known = [pte for pte in spent if pte is not None]
    return Glance(
        summary=inquiry.summary,
        graded=sum(row.graded for row in rows),
        solved=sum(row.solved for row in rows),
        graded_pte=sum(known) if known == spent else None,
        levers=inquiry.once("levers", lambda: find_levers(inquiry)),
        old=inquiry.old,
    )


def study_sub_agents(inquiry: Inquiry) -> AgentCosts | None:
    """Main agents against those that they started."""
    return inquiry.summary.agents


def study_levers(inquiry: Inquiry) -> list[Lever] | None:
    """Everything that could be changed."""
    return inquiry.once("levers", lambda: find_levers(inquiry)) or None


def study_fuel(inquiry: Inquiry) -> Fuel | None:
    """Where the fuel went."""
    if not inquiry.summary.pte or not inquiry.summary.kinds:
        return None
    return Fuel(inquiry.summary, kind_shares(inquiry.frames), tool_shares(inquiry.frames))


def study_standings(inquiry: Inquiry) -> Standings | None:
    """Accuracy against cost; None without a graded attempt."""
    rows, fronts = inquiry.ranked
    unit = inquiry.frames.costs.unit
    return Standings(rows, fronts, unit) if any(row.graded for row in rows) else None


def study_outcomes(inquiry: Inquiry) -> list[OutcomeGap] | None:
    """What failing costs."""
    return outcome_gaps(inquiry.frames) or None


def study_turns(inquiry: Inquiry) -> list[TurnSeries] | None:
    """Turn by turn; None where no trajectory has two."""
    found = turn_series(inquiry.frames)
    return found if any(series.trajectories for series in found) else None


def study_difficulty(inquiry: Inquiry) -> Difficulty | None:
    """Whether cost is more than difficulty; None without levels."""
    found = difficulty(inquiry.frames)
    return found if found.levels else None


def study_tools(inquiry: Inquiry) -> Summary | None:
    """Tools; None where none was offered or called."""
    return inquiry.summary if inquiry.summary.tools else None


def study_calls(inquiry: Inquiry) -> list[ExpensiveCall] | None:
    """The most expensive single calls."""
    return expensive_calls(inquiry.frames) or None


def study_waste(inquiry: Inquiry) -> Waste | None:
    """Wasteful habits; None where nothing was found and no tools were mixed."""
    found = Waste(inquiry.patterns, mixing(inquiry.frames))
    said = found.patterns.rates or found.patterns.unproven or found.mixing
    return found if said else None


def study_latency(inquiry: Inquiry) -> Latency | None:
    """What tracks time; None without latencies, and where costs are money."""
    if inquiry.unit == "usd":
        return None
    found = latency(inquiry.frames)
    return found if found.rows else None


def study_hardware(inquiry: Inquiry) -> Hardware | None:
    """The same on other accelerators; None where costs are money."""
    if inquiry.unit == "usd":
        return None
    found = hardware_ranks(inquiry.frames, inquiry.summary.hardware, inquiry.tables.options)
    return found if found.rows else None


def study_trajectories(inquiry: Inquiry) -> Drilldown | None:
    """Single trajectories, the most expensive first."""
    found = drill_down(inquiry.frames, MOST_TRAJECTORIES)
    return found if found.trajectories else None


def study_method(inquiry: Inquiry) -> Summary:
    """What the numbers rest on."""
    return inquiry.summary
