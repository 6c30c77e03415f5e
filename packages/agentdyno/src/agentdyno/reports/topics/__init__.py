"""The sections of a report, in its order: each a study that asks and a teller that says it.

A section whose study returns None is left out: the ledger has nothing for it, or nobody asked yet.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from agentdyno.plugins import report_failure
from agentdyno.reports.section import Section
from agentdyno.reports.topic import Topic
from agentdyno.reports.topics.agents import render_agents
from agentdyno.reports.topics.benchmarks import render_benchmarks
from agentdyno.reports.topics.boxes import render_boxes
from agentdyno.reports.topics.cache import render_cache
from agentdyno.reports.topics.cost.checks import render_hardware, render_latency
from agentdyno.reports.topics.cost.fuel import render_calls, render_fuel, render_tools
from agentdyno.reports.topics.cost.levers import render_levers
from agentdyno.reports.topics.cost.method import render_method, render_trajectories
from agentdyno.reports.topics.cost.overview import render_overview
from agentdyno.reports.topics.cost.settings import (
    render_difficulty,
    render_outcomes,
    render_standings,
)
from agentdyno.reports.topics.cost.turns import render_turns
from agentdyno.reports.topics.cost.waste import render_waste
from agentdyno.reports.topics.failures import render_failures
from agentdyno.reports.topics.outdated import render_outdated
from agentdyno.reports.topics.reliability import render_energy, render_reliability
from agentdyno.reports.topics.scheduling import render_scheduling
from agentdyno.reports.topics.sessions import render_sessions
from agentdyno.reports.topics.spending import render_spending
from agentdyno.reports.topics.utility import render_utility
from agentdyno.studies.benchmarks import Benchmarks, study_benchmarks
from agentdyno.studies.boxes import BoxedAnswers, study_boxes
from agentdyno.studies.cache import CacheEconomics, study_cache
from agentdyno.studies.cost import questions as ask
from agentdyno.studies.cost.agents import AgentCosts
from agentdyno.studies.cost.drilldown import Drilldown
from agentdyno.studies.cost.results import (
    Difficulty,
    ExpensiveCall,
    Fuel,
    Hardware,
    Latency,
    OutcomeGap,
    Overview,
    Standings,
    TurnSeries,
    Waste,
)
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.energy import Energy, study_energy
from agentdyno.studies.failures.report import Failures, study_failures
from agentdyno.studies.levers import Lever
from agentdyno.studies.outdated import OldTable, study_outdated
from agentdyno.studies.reliability import Reliability, study_reliability
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.scheduling.report import Scheduling, study_scheduling
from agentdyno.studies.sessions import Sessions, study_sessions
from agentdyno.studies.spending import Spending, study_spending
from agentdyno.studies.utility import study_utility
from agentdyno.studies.utility.results import Usefulness


def _ask_cache(context: ReportContext) -> CacheEconomics | None:
    """Asked once: levers and the head of the report need it too."""
    return context.once("cache", lambda: study_cache(context))


def _ask_spending(context: ReportContext) -> Spending | None:
    """Asked once, for the same reason."""
    return context.once("spending", lambda: study_spending(context))


SECTIONS: tuple[Section, ...] = (
    Section("glance", ask.study_overview, render_overview, Overview),
    Section("cache", _ask_cache, render_cache, CacheEconomics),
    Section("spending", _ask_spending, render_spending, Spending),
    Section("sessions", study_sessions, render_sessions, Sessions),
    Section("levers", ask.study_levers, render_levers, list[Lever]),
    Section("fuel", ask.study_fuel, render_fuel, Fuel),
    Section("tradeoff", ask.study_standings, render_standings, Standings),
    Section("reliability", study_reliability, render_reliability, Reliability),
    Section("outcomes", ask.study_outcomes, render_outcomes, list[OutcomeGap]),
    Section("turns", ask.study_turns, render_turns, list[TurnSeries]),
    Section("difficulty", ask.study_difficulty, render_difficulty, Difficulty),
    Section("tools", ask.study_tools, render_tools, Summary),
    Section("calls", ask.study_calls, render_calls, list[ExpensiveCall]),
    Section("agents", ask.study_sub_agents, render_agents, AgentCosts),
    Section("patterns", ask.study_waste, render_waste, Waste),
    Section("benchmarks", study_benchmarks, render_benchmarks, Benchmarks),
    Section("boxes", study_boxes, render_boxes, list[BoxedAnswers]),
    Section("failures", study_failures, render_failures, Failures),
    Section("utility", study_utility, render_utility, Usefulness),
    Section("scheduling", study_scheduling, render_scheduling, Scheduling),
    Section("latency", ask.study_latency, render_latency, Latency),
    Section("hardware", ask.study_hardware, render_hardware, Hardware),
    Section("energy", study_energy, render_energy, Energy),
    Section("trajectories", ask.study_trajectories, render_trajectories, Drilldown),
    Section("outdated", study_outdated, render_outdated, list[OldTable]),
    Section("method", ask.study_method, render_method, Summary),
)
"""The built-in ones, in the order of the report."""


def results_of(context: ReportContext, sections: Iterable[Section] = SECTIONS) -> dict[str, Any]:
    """What every study found, by section, those without anything to say left out."""
    found = {section.name: _result(section, context) for section in sections}
    return {name: result for name, result in found.items() if result is not None}


def topics_of(results: dict[str, Any], sections: Iterable[Section] = SECTIONS) -> list[Topic]:
    """The results told, in order."""
    produced = [_topic_of(each, results[each.name]) for each in sections if each.name in results]
    return [topic for topic in produced if topic is not None]


def _result(section: Section, context: ReportContext) -> Any:
    """A stranger's mistake is told, and costs only its own section; so does a result that is no
    JSON."""
    try:
        result = section.study(context)
        if section not in SECTIONS:
            msgspec.to_builtins(result)
        return result
    except Exception as error:
        if section in SECTIONS:
            raise
        report_failure(section, "to answer", error)
        return None


def _topic_of(section: Section, result: Any) -> Topic | None:
    try:
        return section.tell(result)
    except Exception as error:
        if section in SECTIONS:
            raise
        report_failure(section, "to tell its result", error)
        return None
