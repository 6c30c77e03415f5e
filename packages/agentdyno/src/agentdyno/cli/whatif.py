"""`agentdyno whatif`: what a change would save, computed again without what was removed."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options
from agentdyno.cli.views import (
    CacheView,
    CostViewOptions,
    PricesView,
    SelectionOptions,
    UnitView,
    choose_view,
)


class CacheLifetime(StrEnum):
    """How long a provider keeps what is written to its cache."""

    five_minutes = "5m"
    hour = "1h"

    @property
    def seconds(self) -> float:
        """The same in seconds."""
        return 300.0 if self is CacheLifetime.five_minutes else 3600.0


class Options(SelectionOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    format: opt.TextFormat = opt.TextFormat.terminal
    """For the terminal, Markdown, an HTML page, or JSON."""
    json: opt.Json = False
    drop_tool: list[str] | None = None
    """Without this tool: schema, requests, results. Repeatable, globs."""
    drop_turns: bool = False
    """Also without turns that made only dropped calls."""
    cap_results: Annotated[int | None, typer.Option(min=0)] = None
    """With results cut to this many tokens."""
    cap_tool: list[str] | None = None
    """Cut only this tool's results. Repeatable, globs."""
    compact_at: Annotated[int | None, typer.Option(min=1000)] = None
    """With contexts compacted at this many tokens."""
    clear_after: Annotated[float | None, typer.Option(min=0)] = None
    """With contexts cleared after breaks of this many seconds, where nothing from before is quoted
    later."""
    subagent_model: str | None = None
    """With sub-agents on this model, at its price."""
    keep_cache: Annotated[float | None, typer.Option(min=0)] = None
    """With a cache that lives this many seconds (inf)."""
    cache_lifetime: CacheLifetime | None = None
    """With the reported cache written for 5 minutes, or for an hour."""
    keep_alive: Annotated[float | None, typer.Option(min=0)] = None
    """With small requests that keep it alive this many seconds."""
    hardware: str | None = None
    """On other hardware: a name, or a TOML file."""
    model: str | None = None
    """With another model's gamma and price, tokens the same."""
    arch: str | None = None
    """With another architecture's gamma: a name or config.json."""
    concurrency: Annotated[int | None, typer.Option(min=1)] = None
    """Requests in progress at once, for GPU-seconds; by default as the traces' times say, or 64."""
    gpus: Annotated[int | None, typer.Option(min=1)] = None
    """Cards that a model is spread over, for GPU-seconds; by default the fewest that hold it."""
    speculative: str | None = None
    """Speculative decoding, for GPU-seconds: tokens drafted a step, share accepted (3:0.7)."""
    batch_independent: bool = False
    """With independent calls in one turn."""
    batch_notes: bool = False
    """With entries of the task list made in the turn that follows."""
    unit: UnitView = None
    cache: CacheView = None
    prices: PricesView = None
    sources: opt.Sources = None
    search: bool = False
    """Try caps, compaction, clears, lifetimes and keep-alives together, and print those that no
    other beats in dollars and in text that would have to be read again."""
    per_trajectory: Path | None = None
    """Write one row per trajectory to this .parquet or .csv."""


@takes_options
def command(given: Options) -> int:
    """Predict what a change would save: a tool dropped, results cut, the cache kept, or
    independent calls made together."""
    from agentdyno.cli.output import print_answer
    from agentdyno.pipelines.export import open_rows_file
    from agentdyno.pipelines.whatif import WhatIfOptions, whatif
    from agentdyno.records import InputError
    from agentdyno.reports.topics.whatif import render_whatif

    if given.search:
        return _search(given)
    if given.cap_tool and given.cap_results is None:
        raise InputError("--cap-tool: expected --cap-results TOKENS beside it, found none.")
    if given.drop_turns and not given.drop_tool:
        raise InputError("--drop-turns: expected --drop-tool NAME beside it, found none.")
    write = open_rows_file(given.per_trajectory)
    lifetime = given.cache_lifetime
    options = copy_options(
        given,
        WhatIfOptions,
        drop_tools=tuple(given.drop_tool or ()),
        cap_tools=tuple(given.cap_tool or ()),
        counts_rereads=True,
        clear_after_seconds=given.clear_after,
        keep_cache_seconds=given.keep_cache,
        cache_lifetime_seconds=None if lifetime is None else lifetime.seconds,
        keep_alive_seconds=given.keep_alive,
    )
    view = CostViewOptions(
        cache=given.cache, prices=given.prices, unit=given.unit, gpus=given.gpus,
        speculative=given.speculative,
    )  # fmt: skip
    if given.batch_independent:
        opt.note_closed_sources(given.ledger, given.sources, "only calls that the ledger compared")
    answer, rows = whatif(given.ledger, options, choose_view(view, given))
    write(rows)
    form = opt.TextOptions(format=given.format, json=given.json)
    print_answer(form, "What it would save", render_whatif(answer), answer)
    return 0


def _search(options: Options) -> int:
    from agentdyno.cli.output import print_json
    from agentdyno.pipelines.whatif import search
    from agentdyno.reports.numbers import dollars, percent

    policies = search(options.ledger, choose_view(CostViewOptions(prices=options.prices)))
    if options.json:
        print_json(policies)
        return 0
    print("     cost  read again  policy")
    for policy in policies:
        cost, again = dollars(policy.usd), percent(policy.read_again)
        print(f"{cost:>9}  {again:>10}  {policy.command or 'as it is'}")
    print(
        "Read again: text that is quoted later and was cut off or compacted away; its cost is in."
    )
    return 0
