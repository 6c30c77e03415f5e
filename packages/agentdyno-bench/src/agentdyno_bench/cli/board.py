"""`agentdyno board`: published runs by benchmark, model and harness."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledgers: Annotated[list[Path], typer.Argument(exists=True, file_okay=False)]
    """Ledgers that `agentdyno measure` made of published runs."""
    out: Annotated[Path | None, typer.Option("--out", "-o")] = None
    """Write the board to this .html or .md file."""
    audit: Annotated[list[Path] | None, typer.Option(exists=True, file_okay=False)] = None
    """Compare what the publications in these folders state with their own rows."""
    title: str = "Published agents, recomputed from their own rows"
    """Heading of the page."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Compare published runs: success, dollars and tokens by model and harness, with intervals."""
    from agentdyno.cli.output import print_found, print_json
    from agentdyno_bench.pipelines.board import build

    answer, topics = build(given.ledgers, given.audit or [])
    if given.out is not None:
        from agentdyno.reports.html import render_page
        from agentdyno.reports.markdown import render_markdown

        is_page = given.out.suffix == ".html"
        text = render_page(given.title, topics) if is_page else render_markdown(topics)
        given.out.write_text(text, encoding="utf-8")
    if given.json:
        print_json(answer)
    elif given.out is None:
        print_found(topics)
    else:
        print(f"{given.out}: {answer.board.runs:,} runs of {answer.board.sources} ledgers.")
    return 0 if answer.board.benchmarks else 1
