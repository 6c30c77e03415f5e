"""A section of a report: the study that asks, and the teller that makes a topic of its result.

Built-in sections and those of third parties come in by the same door, the entry point group
`agentdyno.topics`.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from agentdyno.plugins import enter
from agentdyno.reports.topic import Topic
from agentdyno.studies.inquiry import Inquiry

GROUP = "agentdyno.topics"


class Section(Struct, frozen=True):
    """One section. Its result is what JSON holds under its name; its topic, what people read."""

    name: str
    """Unique; the key in JSON and the address in a page."""
    study: Callable[[Inquiry], Any]
    """Returns a typed result, or None where there is nothing to say."""
    tell: Callable[[Any], Topic]
    """Makes a topic of that result."""
    result: Any
    """The result's type, for the schema of the JSON."""


def load_sections() -> dict[str, Section]:
    """Every installed section by name: ours in the order of the report, then others'."""
    return enter(GROUP, Section)[0]
