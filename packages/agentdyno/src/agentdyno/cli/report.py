"""`agentdyno report`: a ledger for people or for programs."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import CostViewOptions, choose_view

if TYPE_CHECKING:
    from agentdyno.pipelines.report import Report
    from agentdyno.studies.views import View


class ReportFormat(StrEnum):
    """What is written."""

    html = "html"
    md = "md"
    json = "json"


class By(StrEnum):
    """What costs are summed up by."""

    day = "day"
    week = "week"
    project = "project"
    branch = "branch"
    agent = "agent"
    model = "model"
    session = "session"
    file = "file"
    instruction_file = "instruction-file"
    image = "image"
    command = "command"
    search = "search"
    page = "page"
    mcp = "mcp"
    skill = "skill"
    sub_agent = "sub-agent"
    origin = "origin"


KINDS = {"page": "web page", "mcp": "MCP server", "instruction-file": "instruction file"}
"""What `--by` calls a kind of spending, where that is not its name."""


class Options(CostViewOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    format: ReportFormat | None = None
    """By default as the file's suffix says; without a file, tables at a terminal and Markdown
    elsewhere."""
    out: Annotated[Path | None, typer.Option("--out", "-o")] = None
    """File to write; by default stdout."""
    by: By | None = None
    """One table: what every day, project, … or session cost; or every file, command, MCP server, …
    that calls were about."""
    all: bool = False
    """Every row of every table; without it a terminal has the first twelve. With --by, a pipe, a
    file and JSON have every row anyway."""
    png: Path | None = None
    """Folder to write the charts into, as PNG files."""
    tools: opt.ToolRules = None
    reads_only: opt.ReadsOnly = None
    unproven: opt.Unproven = False
    as_of: opt.AsOf = None
    sources: opt.Sources = None
    share: bool = False
    """Leave out all free text: titles, evidence, errors, file names, task ids. Only figures, and
    names of tools and models that everybody knows."""
    json: bool = False
    """The same as --format json."""


@takes_options
def command(options: Options) -> int:
    """Report a ledger: what it costs, where it goes, what to change; as one HTML file with -o."""
    import sys

    from agentdyno.cli.files import write_charts, write_file
    from agentdyno.cli.output import console, note
    from agentdyno.ledger.manifest import load
    from agentdyno.ledger.working_copy import local_folder
    from agentdyno.matching.logical_tools import choose_rules
    from agentdyno.pipelines.report import build_report
    from agentdyno.pipelines.versions import describe_unshown
    from agentdyno.reports.terminal import EVERY, ROWS, print_topics

    form = ReportFormat.json if options.json else options.format or _from_suffix(options.out)
    view = choose_view(options)
    if options.by is not None:
        return _print_by(options, options.by, form, view)
    opt.note_closed_sources(
        options.ledger, options.sources, "no excerpts, and no findings beyond those in the ledger"
    )
    report = build_report(
        options.ledger,
        view=view,
        unproven=options.unproven,
        rules=choose_rules(options.tools, options.reads_only),
        share=options.share,
        excerpts=form is ReportFormat.html,
        as_of=options.as_of,
    )
    for line in describe_unshown(load(local_folder(options.ledger))):
        note(line)
    if options.png is not None:
        write_charts(report.topics, options.png)
    if form is None:
        print_topics(console(), report.topics, EVERY if options.all else ROWS)
    elif options.out is None:
        sys.stdout.write(render_report(report, form))
    else:
        write_file(options.out, render_report(report, form))
    return 0


def _print_by(options: Options, by: By, form: ReportFormat | None, view: "View | None") -> int:
    """One table, which needs no trace."""
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.cli.views import describe_selection
    from agentdyno.pipelines.report import build_overview
    from agentdyno.records import InputError
    from agentdyno.reports.topics.sessions import render_by
    from agentdyno.studies.sessions import GROUPINGS

    ledger = options.ledger
    everything = options.all or form is not None
    if by is By.origin:
        return _print_origins(ledger, form, view, everything)
    group = next((name for name in GROUPINGS if name == by.value), None)
    if group is None and by is not By.session:
        kind = KINDS.get(by.value, by.value)
        return _print_spending(ledger, kind, form, view, everything)
    sessions = build_overview(ledger, view, ("sessions",)).results.get("sessions")
    if sessions is None:
        raise InputError(
            f"{ledger}: expected sessions or times in the traces{describe_selection(view)}, found "
            "neither."
        )
    if form is ReportFormat.json:
        print_json(sessions.sessions if group is None else sessions.groups[group])
    else:
        print_text(
            "Sessions",
            [render_by(sessions, group or "session", everything=everything)],
            form.value if form else "terminal",
            everything=everything,
        )
    return 0


def _print_origins(
    ledger: Path, form: ReportFormat | None, view: "View | None", everything: bool
) -> int:
    from agentdyno.cli.companion import EXTRA, load_companion
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.pipelines.report import build_overview
    from agentdyno.records import InputError

    sections = load_companion().list_sections()
    if all(section.name != "origins" for section in sections):
        raise InputError(f"report --by origin needs {EXTRA}: pip install '{EXTRA}'")
    report = build_overview(ledger, view, ("origins",), sections=sections)
    origins = report.results.get("origins")
    if origins is None:
        raise InputError(
            f"{ledger}: expected turns with a price and where their tokens come from, found none; "
            "`agentdyno report LEDGER` works it out where the traces can be read."
        )
    if form is ReportFormat.json:
        print_json(origins)
    else:
        form_name = form.value if form else "terminal"
        print_text("Origins", report.topics, form_name, everything=everything)
    return 0


def _print_spending(
    ledger: Path, kind: str, form: ReportFormat | None, view: "View | None", everything: bool
) -> int:
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.cli.views import describe_selection
    from agentdyno.pipelines.report import build_overview
    from agentdyno.records import InputError
    from agentdyno.reports.topic import Topic
    from agentdyno.reports.topics.spending import describe_first, spending_table

    results = build_overview(ledger, view, ("spending",), everything=everything).results
    spending = results.get("spending")
    if spending is None or kind not in spending.kinds:
        kinds = ", ".join(spending.kinds) if spending else "none"
        raise InputError(
            f"{ledger}: expected calls about a {kind}{describe_selection(view)}, found {kinds}."
        )
    if form is ReportFormat.json:
        print_json(spending.kinds[kind])
        return 0
    tables = [spending_table(spending, kind, everything=everything)]
    topic = Topic(
        "spending",
        f"By {kind}",
        f"The most expensive {describe_first(spending, kind)}.",
        [],
        [],
        tables,
    )
    print_text("Spending", [topic], form.value if form else "terminal", everything=everything)
    return 0


def _from_suffix(out: Path | None) -> ReportFormat | None:
    import sys

    from agentdyno.reports.suffixes import form_of

    if out is None:
        return None if sys.stdout.isatty() else ReportFormat.md
    return ReportFormat(form_of(out))


def render_report(report: "Report", form: ReportFormat) -> str:
    """The report in one of its forms."""
    if form is ReportFormat.json:
        from agentdyno.cli.output import json_text
        from agentdyno.reports.json import report_fields

        return json_text(report_fields(report.ledger, report.results))
    if form is ReportFormat.html:
        from agentdyno.reports.html import render_page

        return render_page(report.title, report.topics)
    from agentdyno.reports.markdown import render_markdown

    return render_markdown(report.topics, report.title)
