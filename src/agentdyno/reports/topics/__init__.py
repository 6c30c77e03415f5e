"""What a ledger's later tables say, topic by topic: a ledger in, `Topic`s out.

A ledger without the table has no such topic: nobody asked yet.
"""

from collections.abc import Callable

from agentdyno.reports.topic import Topic
from agentdyno.reports.topics.benchmarks import benchmarks_topic
from agentdyno.reports.topics.depth import depth_topic
from agentdyno.reports.topics.failures import failures_topic
from agentdyno.reports.topics.scheduling import scheduling_topic
from agentdyno.reports.topics.utility import utility_topic
from agentdyno.studies.tables import Texts

TOPICS: tuple[Callable[[Texts], Topic | None], ...] = (
    benchmarks_topic,
    failures_topic,
    utility_topic,
    scheduling_topic,
    depth_topic,
)
"""In the order of the report."""


def topics(ledger: Texts) -> list[Topic]:
    """Every topic that the ledger has something for."""
    found = (topic(ledger) for topic in TOPICS)
    return [topic for topic in found if topic is not None]
