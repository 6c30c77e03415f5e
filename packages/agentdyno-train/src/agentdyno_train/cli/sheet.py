"""`agentdyno sheet`: several agents over the same held-out tasks, on one page."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.records import InputError
from agentdyno_bench.cli.bench_output import TpsLevel

if TYPE_CHECKING:
    from agentdyno_bench.tps.tasks.values import Level


class Offer(StrEnum):
    """Which tools every task is offered."""

    needed = "needed"
    self_ = "self"
    none = "none"
    rule = "rule"


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    agent: list[str]
    """NAME=WHAT: smollm2, an adapter, a folder of weights or a model; the first is what the
    others are compared with."""
    out: Path = Path("sheet")
    """Folder of runs and page."""
    level: list[TpsLevel] | None = None
    """easy or hard; several at once."""
    offer: Offer = Offer.needed
    """Tools: all that the tasks need, or by a selection of tps."""
    limit: Annotated[int, typer.Option(min=1)] = 12
    """Planning tasks of each level."""
    toolfail: Annotated[int, typer.Option(min=0)] = 12
    """Questions of toolfail."""
    tir: Annotated[int, typer.Option(min=0)] = 12
    """Problems with the tool python."""
    tir_tokens: Annotated[int, typer.Option(min=1)] = 1024
    """Tokens written at such a problem before its last answer."""
    tir_seconds: Annotated[int, typer.Option(min=1)] = 900
    """After this such a problem is graded as it stands."""
    turns: Annotated[int, typer.Option(min=1)] = 16
    """Model calls of an attempt at most."""
    max_tokens: Annotated[int, typer.Option(min=1)] = 512
    """Tokens of a model call at most."""
    concurrency: opt.Concurrency = 16
    hardware: str = "h200"
    """What GPU-seconds are of."""
    unsafe_python: bool = False
    """Run programs of tir without a sandbox."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Let several agents attempt the same held-out tasks and compare what they reach, waste, wait
    for and cost, paired by task. One page."""
    from agentdyno.cli.output import console, print_found, print_json
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.records import shortened
    from agentdyno_train.named_agents import read_agents
    from agentdyno_train.pipelines.sheet import make_sheet
    from agentdyno_train.sheet_plans import SheetOptions

    agents = read_agents(given.agent)
    chosen = given.level or (TpsLevel.easy, TpsLevel.hard)
    if TpsLevel.purpose in chosen:
        raise InputError(
            "--level purpose: expected easy, hard or train. Measure an agent on those tasks "
            "by agentdyno bench tps --level purpose."
        )
    levels: list[Level] = [found.value for found in chosen]
    options = SheetOptions(
        given.out, levels, given.offer.value, given.limit, given.turns, given.max_tokens,
        given.concurrency, given.hardware, toolfail=given.toolfail, tir=given.tir,
        unsafe_python=given.unsafe_python, tir_tokens=given.tir_tokens,
        tir_seconds=given.tir_seconds,
    )  # fmt: skip
    with sample_progress() as progress:
        result = make_sheet(agents, options, progress)
    if given.json:
        print_json({"sheet": result.sheet})
    else:
        print_found(result.topics)
        console().print(f"page: {shortened(given.out / 'sheet.html')}", style="dim")
    return 0
