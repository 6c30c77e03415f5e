"""The sections that the first screen of `measure` is made of.

Apart from the others, whose patterns of words take longer to compile than these take to answer.
"""

from agentdyno.reports.section import Section
from agentdyno.reports.topics.cache import render_cache
from agentdyno.reports.topics.cost.overview import render_overview
from agentdyno.reports.topics.sessions import render_sessions
from agentdyno.reports.topics.sheet import SHEET
from agentdyno.reports.topics.spending import render_spending
from agentdyno.studies.cache import CacheEconomics, study_cache
from agentdyno.studies.cost.overview import study_overview
from agentdyno.studies.cost.results import Overview
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import Sessions, study_sessions
from agentdyno.studies.spending import Spending, study_spending


def _ask_cache(context: ReportContext) -> CacheEconomics | None:
    """Asked once: levers and the head of the report need it too."""
    return context.once("cache", lambda: study_cache(context))


def _ask_spending(context: ReportContext) -> Spending | None:
    """Asked once, for the same reason."""
    return context.once("spending", lambda: study_spending(context))


FIRST_SECTIONS: tuple[Section, ...] = (
    SHEET,
    Section("glance", study_overview, render_overview, Overview),
    Section("cache", _ask_cache, render_cache, CacheEconomics),
    Section("spending", _ask_spending, render_spending, Spending),
    Section("sessions", study_sessions, render_sessions, Sessions),
)
"""In the order of the report."""
