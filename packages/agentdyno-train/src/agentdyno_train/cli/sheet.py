"""`agentdyno sheet`: several agents over the same held-out tasks, on one page."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

    context: typer.Context
    agent: list[str]
    """NAME=WHAT: smollm2, an adapter, a folder of weights or a model; the first is what the
    others are compared with."""
    out: Path = Path("sheet")
    """Folder of rollouts, runs and page."""
    played: Path | None = None
    """Rollouts of bench/gpu_training/sheet.py; they decide the sizes, --level and sizes of 0
    choose among them."""
    play: bool = True
    """Samples, continuations and depths of local models, generated first."""
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
    sampled: Annotated[int, typer.Option(min=0)] = 6
    """Tasks of a level that are sampled."""
    samples: Annotated[int, typer.Option(min=0)] = 6
    """Samples of each."""
    continued: Annotated[int, typer.Option(min=0)] = 6
    """Attempts whose calls are weighed by continuations."""
    continuations: Annotated[int, typer.Option(min=1)] = 4
    """From each cut."""
    timed: Annotated[int, typer.Option(min=0)] = 6
    """Tasks that run alone, for their seconds."""
    turns: Annotated[int, typer.Option(min=1)] = 16
    """Model calls of an attempt at most."""
    max_tokens: Annotated[int, typer.Option(min=1)] = 512
    """Tokens of a model call at most."""
    seats: Annotated[int, typer.Option(min=1)] = 8
    """Episodes decoded together."""
    device: str | None = None
    """Of the rollouts: cpu, cuda."""
    concurrency: opt.Concurrency = 16
    hardware: str = "h200"
    """What GPU-seconds are of."""
    unsafe_python: bool = False
    """Run programs of tir without a sandbox."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Let several agents attempt the same held-out tasks and compare what they reach, waste, wait
    for and cost, paired by task; and what the measures say of each other. One page."""
    from agentdyno_bench.running.recipes import require_bench

    require_bench()
    from agentdyno.cli.output import console, print_found, print_json
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.records import shortened
    from agentdyno_train.named_agents import read_agents
    from agentdyno_train.pipelines.sheet import SheetOptions, make_sheet, roll_out_agents
    from agentdyno_train.rollouts.journal import RolloutOptions
    from agentdyno_train.rollouts.selection import select_recorded

    agents = read_agents(given.agent)
    played, leave_out = given.played, set[str]()
    if played is not None:
        leave_out = select_recorded(played, _read_given(given.context))
    chosen = given.level or (TpsLevel.easy, TpsLevel.hard)
    if TpsLevel.purpose in chosen:
        raise InputError(
            "--level purpose: expected easy, hard or train. Measure an agent on those tasks "
            "by agentdyno bench tps --level purpose."
        )
    levels: list[Level] = [found.value for found in chosen]
    easy, hard = (given.limit if name in levels else 0 for name in ("easy", "hard"))
    asked = RolloutOptions(
        {}, easy, hard, given.toolfail, given.tir, given.sampled, given.samples, given.continued,
        given.continuations, given.timed, turns=given.turns, turn_tokens=given.max_tokens,
        seats=given.seats,
    )  # fmt: skip
    # Rollouts know held-out tasks alone.
    can_roll_out = given.offer is Offer.needed and "train" not in levels
    with sample_progress() as progress:
        if played is None and given.play and can_roll_out:
            played = roll_out_agents(agents, asked, given.out / "plays", progress, given.device)
        options = SheetOptions(
            given.out, levels, given.offer.value, given.limit, given.turns, given.max_tokens,
            given.concurrency, given.hardware, toolfail=given.toolfail, tir=given.tir,
            unsafe_python=given.unsafe_python, tir_tokens=given.tir_tokens,
            tir_seconds=given.tir_seconds, played=played, leave_out=leave_out,
        )  # fmt: skip
        result = make_sheet(agents, options, progress)
    if given.json:
        print_json(
            {"sheet": result.sheet, "instruments": result.instruments, "left_out": result.advice}
        )
    else:
        print_found(result.topics)
        for sentence in result.advice:
            console().print(sentence, style="dim", soft_wrap=True)
        console().print(f"page: {shortened(given.out / 'sheet.html')}", style="dim")
    return 0


def _read_given(context: typer.Context) -> dict[str, Any]:
    """Options that the user wrote, and not their defaults."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {
        name: context.params[name]
        for name, source in sources.items()
        if source is not None and source.name == "COMMANDLINE"
    }
