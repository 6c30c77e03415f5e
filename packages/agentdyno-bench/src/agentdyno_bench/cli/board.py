"""`agentdyno board`: published runs by benchmark, model and harness."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options

TITLE = "Published agents, recomputed from their own rows"


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    runs: Annotated[list[Path], typer.Argument(exists=True)]
    """Published runs: ledgers that `agentdyno measure` made, or files and folders to measure."""
    out: Annotated[Path | None, typer.Option("--out", "-o")] = None
    """Write the board to this .html or .md file."""
    ledgers: Annotated[Path | None, typer.Option(file_okay=False)] = None
    """Keep the ledgers of what is measured in this folder; they are temporary otherwise."""
    columns: str | None = None
    """Read tables of runs with these columns, as `agentdyno measure` does."""
    set: list[str] | None = None
    """State what the runs do not say, as `agentdyno measure` does."""
    audit: Annotated[list[Path] | None, typer.Option(exists=True, file_okay=False)] = None
    """Compare what the publications in these folders state with their own rows."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Compare published runs: success, dollars and tokens by model and harness, with intervals."""
    from agentdyno.cli.measure import parse_fields
    from agentdyno.cli.output import note, print_found, print_json
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno.records import plural
    from agentdyno_bench.pipelines.board import build, find_ledgers

    with TemporaryDirectory() as temporary:
        options = MeasureOptions(**parse_fields(given.columns, given.set))
        ledgers = find_ledgers(given.runs, given.ledgers or Path(temporary), options)
        answer, topics = build(ledgers, given.audit or [])
    if given.out is not None:
        from agentdyno.reports.html import render_page
        from agentdyno.reports.markdown import render_markdown

        is_page = given.out.suffix == ".html"
        text = render_page(TITLE, topics) if is_page else render_markdown(topics)
        given.out.write_text(text, encoding="utf-8")
    if given.json:
        print_json(answer)
    elif given.out is None:
        print_found(topics)
    else:
        from_ledgers = plural(answer.board.sources, "ledger")
        print(f"{given.out}: {plural(answer.board.runs, 'run')} of {from_ledgers}.")
    if not answer.board.benchmarks:
        note("board: expected runs of a benchmark's tasks, found none in what was given.")
    return 0 if answer.board.benchmarks else 1
