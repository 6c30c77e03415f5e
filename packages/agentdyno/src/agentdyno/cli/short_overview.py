"""The end of `measure` where no other package has a screen: the head of the report, in short."""

import shlex
from io import StringIO
from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from agentdyno.cli.companion import Lines
    from agentdyno.studies.cost.results import Overview

WIDTH = 112


def compose_overview(found: "Overview", notes: list[str], ledger: str) -> "tuple[Lines, Lines]":
    """What it cost, by model and setting; then `notes` and the next commands."""
    from rich.console import Console

    from agentdyno.reports.terminal import print_topic
    from agentdyno.reports.topics.cost.overview import render_overview

    topic = render_overview(found)
    by_setting = [table for table in topic.tables if table.title == "By setting"]
    page = StringIO()
    to = Console(file=page, width=WIDTH, highlight=False, markup=False, emoji=False, no_color=True)
    print_topic(to, structs.replace(topic, tables=by_setting), charts=False)
    where = shlex.quote(ledger)
    commands = [
        f"How these figures were made: agentdyno about notes {where}",
        f"next: agentdyno report {where}; agentdyno view {where}",
    ]
    first = [(line.rstrip(), "") for line in page.getvalue().splitlines()]
    return first, [(line, "dim") for line in [*notes, *commands]]
