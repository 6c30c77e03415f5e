"""`agentdyno cache`: what the provider's cache was paid, what it lost and why."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.views import PricesView, choose_view


def command(
    ledger: opt.LedgerOrOwn,
    prices: PricesView = None,
    per_turn: Annotated[
        Path | None, typer.Option(help="Write one row per turn to this .parquet or .csv.")
    ] = None,
    format: Annotated[
        opt.TextFormat, typer.Option(help="For the terminal, Markdown, an HTML page, or JSON.")
    ] = opt.TextFormat.terminal,
    json: opt.Json = False,
) -> int:
    """Show what the provider's cache cost: reads, writes, what was lost, why, and what would have
    saved it."""
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.pipelines.cache import cache_economics
    from agentdyno.records import InputError
    from agentdyno.reports.topics.cache import render_cache

    if per_turn is not None and per_turn.suffix not in (".parquet", ".csv"):
        raise InputError(f"{per_turn}: expected a name that ends with .parquet or .csv.")
    found, turns = cache_economics(ledger, choose_view(None, None, None, prices))
    if found is None:
        raise InputError(f"{ledger}: expected turns with a reported cache, found none.")
    if per_turn is not None:
        from agentdyno.pipelines.export import WRITERS

        WRITERS[per_turn.suffix](turns, per_turn)
    if json or format is opt.TextFormat.json:
        print_json(found)
    else:
        print_text("The cache", [render_cache(found)], format.value)
    return 0
