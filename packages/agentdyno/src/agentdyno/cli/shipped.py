"""`agentdyno shipped`: dollars per commit and pull request, and work that never reached one."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import SelectionOptions, choose_selection


class Options(SelectionOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    repo: Path = Path()
    """The git repository, which is only read; by default this folder."""
    branch: Annotated[str | None, typer.Option(metavar="NAME")] = None
    """The branch that counts as shipped; by default main, master, trunk or develop."""
    format: opt.TextFormat = opt.TextFormat.terminal
    """For the terminal, Markdown, an HTML page, or JSON."""
    json: opt.Json = False
    all: bool = False
    """Whole tables."""
    sources: opt.Sources = None


@takes_options
def command(given: Options) -> int:
    """Show what sessions shipped: dollars per commit, branch and pull request, and work that never
    reached a commit, joined by the lines that they wrote."""
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.pipelines.shipped import find_shipped
    from agentdyno.reports.topics.shipped import render_shipped

    opt.note_closed_sources(given.ledger, given.sources, "what they wrote is unknown")
    found = find_shipped(given.ledger, given.repo, choose_selection(given), given.branch)
    if given.json or given.format == "json":
        print_json(found)
    else:
        topics = [render_shipped(found)]
        print_text("What it shipped", topics, given.format, everything=given.all)
    return 0
