"""`agentdyno report`: a ledger for people or for programs."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli.views import ArchView, CacheView, HardwareView, PricesView, chosen_view

if TYPE_CHECKING:
    from agentdyno.pipelines.report import Report


class ReportFormat(StrEnum):
    """What is written."""

    html = "html"
    md = "md"
    json = "json"


SUFFIXES = {
    ".html": ReportFormat.html,
    ".htm": ReportFormat.html,
    ".md": ReportFormat.md,
    ".markdown": ReportFormat.md,
    ".json": ReportFormat.json,
}


def command(
    ledger: Annotated[Path, typer.Argument(help="Folder of the ledger.")],
    format: Annotated[
        ReportFormat | None,
        typer.Option(help="By default as the file's suffix says, and Markdown on stdout."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write; by default stdout.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option(help="Folder to write the charts into, as PNG files.")
    ] = None,
    cache: CacheView = None,
    hardware: HardwareView = None,
    arch: ArchView = None,
    prices: PricesView = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Report a ledger: what it costs, where it goes, what to change; as one HTML file with -o."""
    import sys

    from agentdyno.pipelines.report import build_report
    from agentdyno.records import printable

    chosen = ReportFormat.json if json else format or _from_suffix(out)
    report = build_report(ledger, view=chosen_view(cache, hardware, arch, prices))
    if png is not None:
        _write_charts(report, png)
    text = _rendered(report, chosen)
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
        print(f"{printable(str(out))}: {len(text.encode()) / 1e6:.2f} MB", file=sys.stderr)
    return 0


def _from_suffix(out: Path | None) -> ReportFormat:
    from agentdyno.records import InputError

    if out is None:
        return ReportFormat.md
    found = SUFFIXES.get(out.suffix.lower())
    if found is None:
        known = ", ".join(SUFFIXES)
        raise InputError(
            f"{out}: expected a file that ends in {known}, found {out.suffix or 'no suffix'!r}. "
            "Choose with --format html, md or json."
        )
    return found


def _rendered(report: "Report", chosen: ReportFormat) -> str:
    if chosen is ReportFormat.json:
        return _as_json(report)
    if chosen is ReportFormat.html:
        from agentdyno.reports.html import render_page

        return render_page(report.summary, report.analyses, report.drilldown, report.topics)
    from agentdyno.reports.markdown import render_summary
    from agentdyno.reports.markdown_analyses import render_analyses
    from agentdyno.reports.markdown_topics import render_topic

    parts = [
        render_summary(report.summary),
        render_analyses(report.analyses),
        *(render_topic(topic) for topic in report.topics),
    ]
    return "\n".join(parts)


def _as_json(report: "Report") -> str:
    """The summary's fields, as `measure --json` has them, with the analyses beside."""
    import msgspec

    from agentdyno.cli.output import json_text

    fields = msgspec.to_builtins(report.summary)
    fields["analyses"] = msgspec.to_builtins(report.analyses)
    fields["topics"] = msgspec.to_builtins(report.topics)
    return json_text(fields)


def _write_charts(report: "Report", folder: Path) -> None:
    import sys

    from agentdyno.records import printable
    from agentdyno.reports.charts.pictures import pictures
    from agentdyno.reports.charts.render import as_png
    from agentdyno.reports.charts.topics import topic_pictures

    folder.mkdir(parents=True, exist_ok=True)
    drawn = [*pictures(report.summary, report.analyses), *topic_pictures(report.topics)]
    for picture in drawn:
        (folder / f"{picture.name}.png").write_bytes(as_png(picture.draw(PNG_WIDTH)))
    print(f"{printable(str(folder))}: {len(drawn)} charts", file=sys.stderr)


PNG_WIDTH = 760
