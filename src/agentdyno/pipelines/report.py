"""A ledger as a report: summary, analyses and the most expensive trajectories.

Enters: a ledger's folder. Leaves: `Report`, which the renderers turn into HTML, Markdown or JSON.
"""

from pathlib import Path

from msgspec import Struct

from agentdyno.pipelines.patterns import PATTERNS, patterns_found
from agentdyno.pipelines.schedules import SCHEDULES
from agentdyno.pipelines.second_look import look_again
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.reports.topic import Topic
from agentdyno.reports.topics import topics
from agentdyno.reports.topics.analyses import analyse
from agentdyno.studies.cost.drilldown import Drilldown
from agentdyno.studies.cost.frames import load_frames
from agentdyno.studies.cost.results import Analyses
from agentdyno.studies.cost.summary import summarise
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.cost.trajectories import drill_down

MOST_TRAJECTORIES = 2000
"""Laid out for the drill-down; the page itself may hold fewer."""


class Report(Struct, frozen=True):
    """Everything a report shows."""

    summary: Summary
    """The ledger at a glance."""
    analyses: Analyses
    """What its numbers mean."""
    drilldown: Drilldown
    """Its most expensive trajectories."""
    topics: list[Topic]
    """What its later tables say."""


def build_report(ledger: Path, trajectories: int = MOST_TRAJECTORIES) -> Report:
    """Reads a ledger and asks it everything; looks for patterns and schedules if nobody has."""
    summary = summarise(ReadableLedger(ledger))
    unread = _look_at_traces(ledger)
    read = ReadableLedger(ledger)
    frames = load_frames(read, unread)
    found = analyse(frames, summary)
    return Report(summary, found, drill_down(frames, trajectories), topics(read))


def _look_at_traces(ledger: Path) -> frozenset[str]:
    """Sources that could not be read again; a ledger that cannot be written stays as it is."""
    try:
        look_again(ledger, [PATTERNS, SCHEDULES])
        return frozenset(patterns_found(ledger).missing)
    except (OSError, InputError):
        return frozenset()
