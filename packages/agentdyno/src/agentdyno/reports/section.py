"""A section of a report: the study that asks, and the teller that makes a topic of its result.

Built-in sections and those of third parties come in by the same door, the entry point group
`agentdyno.topics`.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from agentdyno.plugins import enter
from agentdyno.reports.topic import Topic
from agentdyno.studies.report_context import ReportContext

GROUP = "agentdyno.topics"


class Section(Struct, frozen=True):
    """One section. Its result is what JSON holds under its name; its topic, what people read."""

    name: str
    """Unique; the key in JSON and the address in a page."""
    study: Callable[[ReportContext], Any]
    """Returns a typed result, or None where there is nothing to say."""
    tell: Callable[[Any], Topic]
    """Makes a topic of that result."""
    result: Any
    """The result's type, for the schema of the JSON."""
    after: str | None = None
    """The section that it follows; None, or a section that is not there, puts it where it was
    loaded: ours in the order of the report, then others'."""


def load_sections() -> dict[str, Section]:
    """Every installed section by name, in the order of the report."""
    loaded = enter(GROUP, Section)[0]
    ordered = [section for section in loaded.values() if section.after not in loaded]
    for section in loaded.values():
        if section.after in loaded:
            names = [each.name for each in ordered]
            # What follows a section that is itself still to be placed goes to the end.
            place = names.index(section.after) + 1 if section.after in names else len(names)
            ordered.insert(place, section)
    return {section.name: section for section in ordered}
