"""`agentdyno sheet`: several agents over the same held-out tasks, on one page."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt


class Offer(StrEnum):
    """Which tools every task is offered."""

    needed = "needed"
    self_ = "self"
    none = "none"
    rule = "rule"


def command(
    agent: Annotated[
        list[str],
        typer.Option(
            help="NAME=WHAT: smollm2, an adapter, a folder of weights or a model; the first is "
            "what the others are compared with."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder of runs and page.")] = Path("sheet"),
    level: Annotated[
        list[opt.TpsLevel] | None, typer.Option(help="easy or hard; several at once.")
    ] = None,
    offer: Annotated[
        Offer, typer.Option(help="Tools: all that the tasks need, or by a selection of tps.")
    ] = Offer.needed,
    limit: opt.Limit = None,
    turns: Annotated[int, typer.Option(min=1, help="Model calls of an attempt at most.")] = 16,
    max_tokens: Annotated[int, typer.Option(min=1, help="Tokens of a model call at most.")] = 512,
    concurrency: opt.Concurrency = 16,
    hardware: Annotated[str, typer.Option(help="What GPU-seconds are of.")] = "h200",
    json: opt.Json = False,
) -> int:
    """Run several agents on the same held-out tasks and compare what they reach, waste, wait for
    and cost, paired by task, on one page."""
    from agentdyno.benchmarks.running.recipes import require_bench

    require_bench()
    from agentdyno.cli.bench_output import sample_progress
    from agentdyno.cli.output import console, print_found, print_json
    from agentdyno.pipelines.bench.sheet import SheetOptions, make_sheet, read_agents
    from agentdyno.records import shortened

    options = SheetOptions(
        out=out,
        levels=[found.value for found in level or (opt.TpsLevel.easy, opt.TpsLevel.hard)],
        offer=offer.value,
        limit=limit,
        turns=turns,
        max_tokens=max_tokens,
        concurrency=concurrency,
        hardware=hardware,
    )
    with sample_progress() as progress:
        found, topics = make_sheet(read_agents(agent), options, progress)
    if json:
        print_json(found)
    else:
        print_found(topics)
        console().print(f"page: {shortened(out / 'sheet.html')}", style="dim")
    return 0
