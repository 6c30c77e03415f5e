"""`agentdyno whatif`: what a change would save, computed again without what was removed."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.views import CacheView, PricesView, UnitView, choose_view


class CacheLifetime(StrEnum):
    """How long a provider keeps what is written to its cache."""

    five_minutes = "5m"
    hour = "1h"

    @property
    def seconds(self) -> float:
        """The same in seconds."""
        return 300.0 if self is CacheLifetime.five_minutes else 3600.0


def command(
    ledger: opt.LedgerOrOwn,
    drop_tool: Annotated[
        list[str] | None,
        typer.Option(help="Without this tool: schema, requests, results. Repeatable, globs."),
    ] = None,
    drop_turns: Annotated[
        bool, typer.Option("--drop-turns", help="Also without turns that made only dropped calls.")
    ] = False,
    cap_results: Annotated[
        int | None, typer.Option(min=0, help="With results cut to this many tokens.")
    ] = None,
    keep_cache: Annotated[
        float | None, typer.Option(min=0, help="With a cache that lives this many seconds (inf).")
    ] = None,
    cache_lifetime: Annotated[
        CacheLifetime | None,
        typer.Option(help="With the reported cache written for 5 minutes, or for an hour."),
    ] = None,
    keep_alive: Annotated[
        float | None,
        typer.Option(min=0, help="With small requests that keep it alive this many seconds."),
    ] = None,
    hardware: Annotated[
        str | None, typer.Option(help="On other hardware: a name, or a TOML file.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="With another model's gamma and price, tokens the same.")
    ] = None,
    arch: Annotated[
        str | None, typer.Option(help="With another architecture's gamma: a name or config.json.")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Requests served at once, for GPU-seconds.")
    ] = None,
    batch_independent: Annotated[
        bool, typer.Option("--batch-independent", help="With independent calls in one turn.")
    ] = False,
    unit: UnitView = None,
    cache: CacheView = None,
    prices: PricesView = None,
    per_trajectory: Annotated[
        Path | None, typer.Option(help="Write one row per trajectory to this .parquet or .csv.")
    ] = None,
    format: Annotated[
        opt.TextFormat, typer.Option(help="For the terminal, Markdown, an HTML page, or JSON.")
    ] = opt.TextFormat.terminal,
    json: opt.Json = False,
) -> int:
    """Predict what a change would save: a tool dropped, results cut, the cache kept, or
    independent calls made together."""
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.pipelines.whatif import WhatIfOptions, whatif
    from agentdyno.records import InputError
    from agentdyno.reports.topics.whatif import render_whatif

    if drop_turns and not drop_tool:
        raise InputError("--drop-turns: expected --drop-tool NAME beside it, found none.")
    if per_trajectory is not None and per_trajectory.suffix not in (".parquet", ".csv"):
        raise InputError(f"{per_trajectory}: expected a name that ends with .parquet or .csv.")
    answer, rows = whatif(
        ledger,
        WhatIfOptions(
            drop_tools=tuple(drop_tool or ()),
            drop_turns=drop_turns,
            cap_results=cap_results,
            keep_cache_seconds=keep_cache,
            cache_lifetime_seconds=None if cache_lifetime is None else cache_lifetime.seconds,
            keep_alive_seconds=keep_alive,
            hardware=hardware,
            model=model,
            arch=arch,
            concurrency=concurrency,
            batch_independent=batch_independent,
        ),
        choose_view(cache, None, None, prices, unit),
    )
    if per_trajectory is not None:
        from agentdyno.pipelines.export import WRITERS

        WRITERS[per_trajectory.suffix](rows, per_trajectory)
    if json or format is opt.TextFormat.json:
        print_json(answer)
    else:
        print_text("What it would save", [render_whatif(answer)], format.value)
    return 0
