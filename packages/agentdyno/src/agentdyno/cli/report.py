"""`agentdyno report`: a ledger for people or for programs."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.views import (
    ArchView,
    CacheView,
    HardwareView,
    PricesView,
    UnitView,
    choose_view,
)

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


KINDS = {"page": "web page", "mcp": "MCP server", "instruction-file": "instruction file"}
"""What `--by` calls a kind of spending, where that is not its name."""


def command(
    ledger: opt.LedgerOrOwn,
    format: Annotated[
        ReportFormat | None,
        typer.Option(
            help="By default as the file's suffix says; without a file, tables at a terminal "
            "and Markdown elsewhere."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write; by default stdout.")
    ] = None,
    by: Annotated[
        By | None,
        typer.Option(
            help="One table: what every day, project, … or session cost; or every file, command, "
            "MCP server, … that calls were about."
        ),
    ] = None,
    png: Annotated[
        Path | None, typer.Option(help="Folder to write the charts into, as PNG files.")
    ] = None,
    unit: UnitView = None,
    cache: CacheView = None,
    hardware: HardwareView = None,
    arch: ArchView = None,
    prices: PricesView = None,
    tools: opt.ToolRules = None,
    reads_only: opt.ReadsOnly = None,
    unproven: opt.Unproven = False,
    as_of: opt.AsOf = None,
    share: Annotated[
        bool,
        typer.Option(
            "--share",
            help="Leave out all free text: titles, evidence, errors, file names, task ids. Only "
            "figures, and names of tools and models that everybody knows.",
        ),
    ] = False,
    grid: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Grams of CO2 per kWh of electricity, for carbon beside energy; 445 is the "
            "world's mean of 2024 (IEA, Electricity 2025).",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Report a ledger: what it costs, where it goes, what to change; as one HTML file with -o."""
    import sys

    from agentdyno.cli.files import write_charts, write_file
    from agentdyno.cli.output import console
    from agentdyno.findings.utility.logical import choose_rules
    from agentdyno.pipelines.report import build_report
    from agentdyno.reports.terminal import print_topics

    chosen = ReportFormat.json if json else format or _from_suffix(out)
    if by is not None:
        return _print_by(ledger, by, chosen, choose_view(cache, hardware, arch, prices, unit))
    report = build_report(
        ledger,
        view=choose_view(cache, hardware, arch, prices, unit),
        unproven=unproven,
        rules=choose_rules(tools, reads_only),
        share=share,
        excerpts=chosen is ReportFormat.html,
        grid=grid,
        as_of=as_of,
    )
    if png is not None:
        write_charts(report.topics, png)
    if chosen is None:
        print_topics(console(), report.topics)
    elif out is None:
        sys.stdout.write(render_report(report, chosen))
    else:
        write_file(out, render_report(report, chosen))
    return 0


def _print_by(ledger: Path, by: By, form: ReportFormat | None, view: "View | None") -> int:
    """One table, which needs no trace."""
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.pipelines.report import build_overview
    from agentdyno.records import InputError
    from agentdyno.reports.topics.sessions import render_by
    from agentdyno.studies.sessions import GROUPINGS

    group = next((each for each in GROUPINGS if each == by.value), None)
    if group is None and by is not By.session:
        return _print_spending(ledger, KINDS.get(by.value, by.value), form, view)
    found = build_overview(ledger, view, ("sessions",)).results.get("sessions")
    if found is None:
        raise InputError(f"{ledger}: expected sessions or times in the traces, found neither.")
    if form is ReportFormat.json:
        print_json(found.sessions if group is None else found.groups[group])
    else:
        print_text(
            "Sessions", [render_by(found, group or "session")], form.value if form else "terminal"
        )
    return 0


def _print_spending(ledger: Path, kind: str, form: ReportFormat | None, view: "View | None") -> int:
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.pipelines.report import build_overview
    from agentdyno.records import InputError
    from agentdyno.reports.topic import Topic
    from agentdyno.reports.topics.spending import describe_first, spending_table

    found = build_overview(ledger, view, ("spending",)).results.get("spending")
    if found is None or kind not in found.kinds:
        known = ", ".join(found.kinds) if found else "none"
        raise InputError(f"{ledger}: expected calls about a {kind}, found {known}.")
    if form is ReportFormat.json:
        print_json(found.kinds[kind])
        return 0
    tables = [spending_table(found, kind)]
    topic = Topic(
        "spending",
        f"By {kind}",
        f"The most expensive {describe_first(found, kind)}.",
        [],
        [],
        tables,
    )
    print_text("Spending", [topic], form.value if form else "terminal")
    return 0


def _from_suffix(out: Path | None) -> ReportFormat | None:
    import sys

    from agentdyno.reports.suffixes import form_of

    if out is None:
        return None if sys.stdout.isatty() else ReportFormat.md
    return ReportFormat(form_of(out))


def render_report(report: "Report", chosen: ReportFormat) -> str:
    """The report in one of its forms."""
    if chosen is ReportFormat.json:
        from agentdyno.cli.output import json_text
        from agentdyno.reports.json import report_fields

        return json_text(report_fields(report.ledger, report.results))
    if chosen is ReportFormat.html:
        from agentdyno.reports.html import render_page

        return render_page(report.title, report.topics)
    from agentdyno.reports.markdown import render_markdown

    return render_markdown(report.topics, report.title)
