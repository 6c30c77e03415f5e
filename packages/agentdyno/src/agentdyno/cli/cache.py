"""`agentdyno cache`: what the provider's cache was paid, what it lost and why."""

from pathlib import Path

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import (
    PricesView,
    SelectionOptions,
    ViewOptions,
    choose_view,
    describe_selection,
)


class Options(SelectionOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    format: opt.TextFormat = opt.TextFormat.terminal
    """For the terminal, Markdown, an HTML page, or JSON."""
    json: opt.Json = False
    prices: PricesView = None
    evidence: str | None = None
    """Print what to send to the provider about one loss: its number in the table of losses."""
    per_turn: Path | None = None
    """Write one row per turn to this .parquet or .csv."""


@takes_options
def command(options: Options) -> int:
    """Show what the provider's cache cost: reads, writes, what was lost, why, and what would have
    saved it."""
    from agentdyno.cli.output import print_answer
    from agentdyno.pipelines.cache import cache_economics, cache_evidence
    from agentdyno.pipelines.export import open_rows_file
    from agentdyno.reports.topics.cache import render_cache, render_evidence

    view = choose_view(ViewOptions(prices=options.prices), options)
    form = opt.TextOptions(format=options.format, json=options.json)
    if options.evidence is not None:
        evidence = cache_evidence(options.ledger, options.evidence, view)
        print_answer(form, "A lost cache", render_evidence(evidence), evidence)
        return 0
    write = open_rows_file(options.per_turn)
    economics, turns = cache_economics(options.ledger, view, describe_selection(view))
    write(turns)
    print_answer(form, "The cache", render_cache(economics), economics)
    return 0
