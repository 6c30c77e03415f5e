"""One section of a ledger's report, told, and what stands in it."""

from pathlib import Path

from agentdyno.estimates.estimate import Estimate
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.reports.section import load_sections, results_of, topics_of
from agentdyno.reports.topic import Topic, TopicTable
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.views import View, apply_view


def told(name: str, ledger: Path, unproven: bool = False, view: View | None = None) -> Topic | None:
    """The topic of a section; None where it has nothing to say."""
    section = load_sections()[name]
    texts = apply_view(ReadableLedger(ledger), view)
    results = results_of(ReportContext(texts, unproven=unproven), [section])
    return next(iter(topics_of(results, [section], texts)), None)


def table_of(topic: Topic, title: str) -> TopicTable:
    """The first table with these words in its title."""
    return next(table for table in topic.tables if title in table.title)


def value_of(cell: object) -> float | None:
    assert isinstance(cell, Estimate)
    return cell.value
