"""The sections of a report, in its order: each a study and the function that renders its topic.

A section whose study returns None is left out: the ledger has nothing for it, or nobody asked yet.
"""

from agentdyno.reports.section import Section
from agentdyno.reports.topics.agents import render_agents
from agentdyno.reports.topics.cost.fuel import render_calls, render_fuel, render_tools
from agentdyno.reports.topics.cost.levers import render_levers
from agentdyno.reports.topics.cost.method import render_method, render_trajectories
from agentdyno.reports.topics.cost.waste import render_waste
from agentdyno.reports.topics.first_sections import FIRST_SECTIONS
from agentdyno.reports.topics.outdated import render_outdated
from agentdyno.reports.topics.scheduling import render_scheduling
from agentdyno.studies.cost import questions as ask
from agentdyno.studies.cost.agents import AgentCosts
from agentdyno.studies.cost.drilldown import Drilldown
from agentdyno.studies.cost.results import (
    ExpensiveCall,
    Fuel,
    Waste,
)
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.levers import Lever
from agentdyno.studies.outdated import OldTable
from agentdyno.studies.scheduling.report import Scheduling, study_scheduling

SECTIONS: tuple[Section, ...] = (
    *FIRST_SECTIONS,
    Section("levers", ask.study_levers, render_levers, list[Lever]),
    Section("fuel", ask.study_fuel, render_fuel, Fuel),
    Section("tools", ask.study_tools, render_tools, Summary),
    Section("calls", ask.study_calls, render_calls, list[ExpensiveCall]),
    Section("agents", ask.study_sub_agents, render_agents, AgentCosts),
    Section("patterns", ask.study_waste, render_waste, Waste),
    Section("scheduling", study_scheduling, render_scheduling, Scheduling),
    Section("trajectories", ask.study_trajectories, render_trajectories, Drilldown),
    Section("outdated", ask.study_outdated, render_outdated, list[OldTable]),
    Section("method", ask.study_method, render_method, Summary),
)
"""The built-in ones, in the order of the report."""
