"""A section of a report: the study that asks, and the function that makes a topic of its result.

Built-in sections and those of third parties register under the same entry point group,
`agentdyno.topics`.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.plugins import load_place, load_plugins, report_failure
from agentdyno.reports.pte_names import name_pte
from agentdyno.reports.topic import Topic
from agentdyno.studies.cost.unit import name_pte as pte_of
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.tables import Tables

GROUP = "agentdyno.topics"


class Section(Struct, frozen=True):
    """One section. Its result is what JSON holds under its name; its topic, what people read."""

    name: str
    """Unique; the key in JSON and the address in a page."""
    study: Callable[[ReportContext], Any] | str
    """Returns a typed result, or None where there is nothing to say; or `module:attribute` of that
    function, which is then imported only where the section applies."""
    render: Callable[[Any], Topic] | str
    """Makes a topic of that result; a function or its place."""
    result: Any
    """The result's type, for the schema of the JSON; or its place."""
    after: str | None = None
    """The section that it follows; None, or a section that is not there, puts it where it was
    loaded: ours in the order of the report, then others'."""
    applies: Callable[[Tables], bool] = lambda tables: True
    """Whether a ledger has what the section is about."""


def load_sections() -> dict[str, Section]:
    """Every installed section by name, in the order of the report."""
    loaded = load_plugins(GROUP, Section)[0]
    ordered = [section for section in loaded.values() if section.after not in loaded]
    for section in loaded.values():
        if section.after in loaded:
            names = [section.name for section in ordered]
            # What follows a section that is itself still to be placed goes to the end.
            index = names.index(section.after) + 1 if section.after in names else len(names)
            ordered.insert(index, section)
    return {section.name: section for section in ordered}


def results_of(context: ReportContext, sections: Iterable[Section]) -> dict[str, Any]:
    """What every study found, by section, those without anything to say left out."""
    results = {section.name: _result(section, context) for section in sections}
    return {name: result for name, result in results.items() if result is not None}


def topics_of(results: dict[str, Any], sections: Iterable[Section], tables: Tables) -> list[Topic]:
    """The results rendered, in order, with PTE by the name that the tables' options give them."""
    produced = [
        _topic_of(section, results[section.name]) for section in sections if section.name in results
    ]
    name = pte_of(tables.options)
    return [name_pte(topic, name) for topic in produced if topic is not None]


def load_part(part: Any) -> Any:
    """The function or type of a section, imported where only its place is named."""
    return load_place(part) if isinstance(part, str) else part


def _result(section: Section, context: ReportContext) -> Any:
    """A third party's mistake is reported, and costs only its own section; so does a result that
    is no JSON."""
    try:
        if not section.applies(context.tables):
            return None
        result = load_part(section.study)(context)
        if not _is_own(section.study):
            msgspec.to_builtins(result)
        return result
    except Exception as error:
        if _is_own(section.study):
            raise
        report_failure(section, "to answer", error)
        return None


def _topic_of(section: Section, result: Any) -> Topic | None:
    try:
        topic: Topic = load_part(section.render)(result)
        return topic
    except Exception as error:
        if _is_own(section.render):
            raise
        report_failure(section, "to tell its result", error)
        return None


def _is_own(part: Any) -> bool:
    return getattr(part, "__module__", "").startswith("agentdyno.")
