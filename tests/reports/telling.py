"""One section of a ledger's report, told."""

from pathlib import Path

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.reports.section import load_sections
from agentdyno.reports.topic import Topic
from agentdyno.studies.report_context import ReportContext


def told(name: str, ledger: Path, unproven: bool = False) -> Topic | None:
    """The topic of a section; None where it has nothing to say."""
    section = load_sections()[name]
    result = section.study(ReportContext(ReadableLedger(ledger), unproven=unproven))
    return None if result is None else section.tell(result)
