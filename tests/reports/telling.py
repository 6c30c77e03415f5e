"""One section of a ledger's report, told."""

from pathlib import Path

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.reports.topic import Topic
from agentdyno.reports.topics import SECTIONS
from agentdyno.studies.inquiry import Inquiry


def told(name: str, ledger: Path) -> Topic | None:
    """The topic of a section; None where it has nothing to say."""
    section = next(each for each in SECTIONS if each.name == name)
    result = section.study(Inquiry(ReadableLedger(ledger)))
    return None if result is None else section.tell(result)
