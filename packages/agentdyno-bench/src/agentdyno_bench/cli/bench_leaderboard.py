"""`agentdyno bench leaderboard`: runs of `bench tps` side by side, marked again from their logs."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    runs: Annotated[list[Path], typer.Argument(exists=True, file_okay=False)]
    """Folders that `bench tps --out` made."""
    out: Path | None = None
    """Write the table here too: .md or .html."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Compare runs of `bench tps`, of anybody: every attempt is marked again from its log."""
    from agentdyno_bench.running.recipes import require_bench

    require_bench()  # First: what follows needs it.
    from agentdyno.cli.output import print_found, print_json
    from agentdyno_bench.pipelines.leaderboard import build_leaderboard, describe

    entries = build_leaderboard(given.runs)
    topic = describe(entries)
    if given.json:
        print_json({"entries": entries})
    else:
        print_found([topic])
    if given.out is not None:
        from agentdyno.reports.html import render_page
        from agentdyno.reports.markdown import render_markdown

        is_page = given.out.suffix == ".html"
        text = render_page(topic.title, [topic]) if is_page else render_markdown([topic])
        given.out.write_text(text, encoding="utf-8")
    return 0 if entries else 1
