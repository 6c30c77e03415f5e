"""`agentdyno report`: a ledger for people or for programs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ReportFormat(StrEnum):
    """What is written."""

    md = "md"
    json = "json"


def command(
    ledger: Annotated[Path, typer.Argument(help="Folder of the ledger.")],
    format: Annotated[ReportFormat, typer.Option(help="Markdown or JSON.")] = ReportFormat.md,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write; by default stdout.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Report a ledger: settings, tools and where the fuel went."""
    import sys

    from agentdyno.cli.output import json_text
    from agentdyno.pipelines.summary import summarise
    from agentdyno.reports.markdown import render_summary

    summary = summarise(ledger)
    as_json = json or format is ReportFormat.json
    text = json_text(summary) if as_json else render_summary(summary)
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
    return 0
