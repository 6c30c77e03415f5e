"""`agentdyno sheet`: several agents over the same held-out tasks, on one page."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno_bench.tps.tasks.values import Level


class Offer(StrEnum):
    """Which tools every task is offered."""

    needed = "needed"
    self_ = "self"
    none = "none"
    rule = "rule"


def command(
    context: typer.Context,
    agent: Annotated[
        list[str],
        typer.Option(
            help="NAME=WHAT: smollm2, an adapter, a folder of weights or a model; the first is "
            "what the others are compared with."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder of rollouts, runs and page.")] = Path("sheet"),
    played: Annotated[
        Path | None,
        typer.Option(
            help="Rollouts of bench/gpu_training/sheet.py; they decide the sizes, --level and "
            "sizes of 0 choose among them."
        ),
    ] = None,
    play: Annotated[
        bool,
        typer.Option(help="Samples, continuations and depths of local models, generated first."),
    ] = True,
    level: Annotated[
        list[opt.TpsLevel] | None, typer.Option(help="easy or hard; several at once.")
    ] = None,
    offer: Annotated[
        Offer, typer.Option(help="Tools: all that the tasks need, or by a selection of tps.")
    ] = Offer.needed,
    limit: Annotated[int, typer.Option(min=1, help="Planning tasks of each level.")] = 12,
    toolfail: Annotated[int, typer.Option(min=0, help="Questions of toolfail.")] = 12,
    tir: Annotated[int, typer.Option(min=0, help="Problems with the tool python.")] = 12,
    tir_tokens: Annotated[
        int, typer.Option(min=1, help="Tokens written at such a problem before its last answer.")
    ] = 1024,
    tir_seconds: Annotated[
        int, typer.Option(min=1, help="After this such a problem is graded as it stands.")
    ] = 900,
    sampled: Annotated[int, typer.Option(min=0, help="Tasks of a level that are sampled.")] = 6,
    samples: Annotated[int, typer.Option(min=0, help="Samples of each.")] = 6,
    continued: Annotated[
        int, typer.Option(min=0, help="Attempts whose calls are weighed by continuations.")
    ] = 6,
    continuations: Annotated[int, typer.Option(min=1, help="From each cut.")] = 4,
    timed: Annotated[int, typer.Option(min=0, help="Tasks that run alone, for their seconds.")] = 6,
    turns: Annotated[int, typer.Option(min=1, help="Model calls of an attempt at most.")] = 16,
    max_tokens: Annotated[int, typer.Option(min=1, help="Tokens of a model call at most.")] = 512,
    seats: Annotated[int, typer.Option(min=1, help="Episodes decoded together.")] = 8,
    device: Annotated[str | None, typer.Option(help="Of the rollouts: cpu, cuda.")] = None,
    concurrency: opt.Concurrency = 16,
    hardware: Annotated[str, typer.Option(help="What GPU-seconds are of.")] = "h200",
    unsafe_python: Annotated[
        bool, typer.Option("--unsafe-python", help="Run programs of tir without a sandbox.")
    ] = False,
    json: opt.Json = False,
) -> int:
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

    agents = read_agents(agent)
    leave_out = set[str]() if played is None else select_recorded(played, _read_given(context))
    levels: list[Level] = [found.value for found in level or (opt.TpsLevel.easy, opt.TpsLevel.hard)]
    asked = RolloutOptions(
        {}, limit if "easy" in levels else 0, limit if "hard" in levels else 0, toolfail, tir,
        sampled, samples, continued, continuations, timed, turns=turns, turn_tokens=max_tokens,
        seats=seats,
    )  # fmt: skip
    # Rollouts know held-out tasks alone.
    can_roll_out = offer is Offer.needed and "train" not in levels
    with sample_progress() as progress:
        if played is None and play and can_roll_out:
            played = roll_out_agents(agents, asked, out / "plays", progress, device)
        options = SheetOptions(
            out, levels, offer.value, limit, turns, max_tokens, concurrency, hardware,
            toolfail=toolfail, tir=tir, unsafe_python=unsafe_python, tir_tokens=tir_tokens,
            tir_seconds=tir_seconds, played=played, leave_out=leave_out,
        )  # fmt: skip
        result = make_sheet(agents, options, progress)
    if json:
        print_json(
            {"sheet": result.sheet, "instruments": result.instruments, "left_out": result.advice}
        )
    else:
        print_found(result.topics)
        for sentence in result.advice:
            console().print(sentence, style="dim", soft_wrap=True)
        console().print(f"page: {shortened(out / 'sheet.html')}", style="dim")
    return 0


def _read_given(context: typer.Context) -> dict[str, Any]:
    """Options that the user wrote, and not their defaults."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {
        name: context.params[name]
        for name, source in sources.items()
        if source is not None and source.name == "COMMANDLINE"
    }
