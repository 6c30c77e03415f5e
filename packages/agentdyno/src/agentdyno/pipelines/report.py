"""A ledger as a report: brings its derived tables up to date, asks every study, tells the topics.

Takes a ledger's folder, returns a `Report`, which the renderers turn into any form.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from agentdyno.engines.storage import url_of
from agentdyno.ledger.working_copy import local_folder
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.versions import find_old_recorded, old_rows
from agentdyno.reports.section import Section, load_sections, results_of, topics_of
from agentdyno.reports.topic import Topic
from agentdyno.reports.topics.first_sections import FIRST_SECTIONS
from agentdyno.studies.derivation import load_derivations
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sharing import SharedTables
from agentdyno.studies.today import study_today
from agentdyno.studies.views import View, apply_view


class Report(Struct, frozen=True):
    """Everything a report shows."""

    ledger: str
    results: dict[str, Any]
    """What each section's study found, by name."""
    topics: list[Topic]
    selection: str | None = None
    """Which part of the ledger it is about; None for all."""

    @property
    def title(self) -> str:
        """The page's heading."""
        name = self.ledger.rstrip("/").rsplit("/", 1)[-1]
        return f"What it cost, and why: {name}{f' ({self.selection})' if self.selection else ''}"


def build_report(
    ledger: Path,
    only: tuple[str, ...] = (),
    view: View | None = None,
    unproven: bool = False,
    rules: LogicalTools | None = None,
    share: bool = False,
    excerpts: bool = False,
    as_of: str | None = None,
) -> Report:
    """Reads a ledger, under the view where one is chosen, and asks it everything, or `only` some
    sections; patterns that are not proven on real traces only where `unproven`. `rules` say which
    tool a call is of, and which tools only read. With `share` without free text: figures, and names
    that everybody knows. With `excerpts`, calls come with how their requests and results begin.
    `as_of`: of the ledger as it was then, by a generation or a day."""
    # Their patterns of words take half a second to compile, and the first screen needs none.
    from agentdyno.pipelines.excerpts import read_excerpts
    from agentdyno.pipelines.rederive import find_outdated
    from agentdyno.pipelines.up_to_date import ensure_all

    folder = local_folder(ledger)
    if as_of is None:
        ensure_all(folder)
    read = ReadableLedger(folder, as_of=as_of).hold_tables()
    old, tables = (
        old_rows(read.manifest),
        [*find_outdated(read, load_derivations()), *find_old_recorded(read)],
    )
    texts = apply_view(read, view)
    asked = SharedTables(texts) if share else texts
    begin = partial(read_excerpts, read) if excerpts and not share else None
    context = ReportContext(asked, tables, unproven, old, rules, begin)
    # What is old is named whatever else is asked for.
    names = {*only, "outdated"}
    sections = [s for s in load_sections().values() if not only or s.name in names]
    results = results_of(context, sections)
    read.save_sums()
    name = asked.name if share else url_of(ledger) or str(ledger)
    chosen_part = view.selection.describe() if view and view.selection else None
    return Report(name, results, topics_of(results, sections, asked), chosen_part)


def build_overview(
    ledger: Path,
    view: View | None = None,
    only: tuple[str, ...] = (),
    *,
    everything: bool = False,
    seen: float | None = None,
    sections: Sequence[Section] = FIRST_SECTIONS,
) -> Report:
    """The head of a report, or `only` some `sections` of it, without a second look at the traces;
    with `everything` lists are whole. The head has `today` too, with what is new since it was
    `seen`."""
    read = ReadableLedger(local_folder(ledger)).hold_tables()
    tables = apply_view(read, view)
    context = ReportContext(tables, old=old_rows(read.manifest), everything=everything)
    first = [section for section in sections if not only or section.name in only]
    results = results_of(context, first)
    today = None if only else study_today(context, seen=seen)
    read.save_sums()
    topics = topics_of(results, first, tables)
    return Report(str(ledger), results if today is None else results | {"today": today}, topics)
