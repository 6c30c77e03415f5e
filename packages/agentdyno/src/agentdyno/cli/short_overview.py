"""The end of `measure`: the dyno sheet of attempts, else the head of the report in short."""

import shlex
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from agentdyno.reports.topic import Topic
    from agentdyno.studies.cost.results import Overview
    from agentdyno.studies.sheet import Sheet

WIDTH = 112
Lines = list[tuple[str, str]]
"""Each with its style."""


def compose_overview(overview: "Overview", notes: list[str], ledger: str) -> tuple[Lines, Lines]:
    """What it cost, by model and setting; then `notes` and the next commands."""
    from agentdyno.reports.topics.cost.overview import render_overview

    topic = render_overview(overview)
    by_setting = [table for table in topic.tables if table.title == "By setting"]
    return _compose(structs.replace(topic, tables=by_setting), notes, ledger)


def compose_sheet(
    sheet: "Sheet", overview: "Overview", notes: list[str], ledger: str
) -> tuple[Lines, Lines]:
    """The measures of every setting, what to be wary of, `notes` and the next commands: all of it
    after patterns and schedules, which are among the measures."""
    from agentdyno.reports.topics.cost.overview import render_overview
    from agentdyno.reports.topics.sheet import render_sheet

    wary = [line for note in render_overview(overview).notes for line in wrap(note, WIDTH)]
    first, more = _compose(render_sheet(sheet), [*wary, *notes], ledger)
    return [], [*first, *more]


def _compose(topic: "Topic", notes: list[str], ledger: str) -> tuple[Lines, Lines]:
    from rich.console import Console

    from agentdyno.reports.terminal import print_topic

    page = StringIO()
    to = Console(file=page, width=WIDTH, highlight=False, markup=False, emoji=False, no_color=True)
    print_topic(to, topic, charts=False)
    where = shlex.quote(ledger)
    commands = [
        f"How these figures were made: agentdyno about notes {where}",
        f"next: agentdyno report {where}; agentdyno view {where}",
    ]
    first = [(line.rstrip(), "") for line in page.getvalue().splitlines()]
    return first, [(line, "dim") for line in [*notes, *commands]]
