"""`agentdyno worth`: does a tool pay? The same tasks with and without it.

A benchmark is run under several tool suites; recorded attempts are compared as they are.
"""

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options
from agentdyno_bench.app.cli.bench_output import ToolfailTurns, TpsLevel, TpsSelection

if TYPE_CHECKING:
    from agentdyno.matching.logical_tools import LogicalTools
    from agentdyno_bench.app.ablatable_models import ModelSettings
    from agentdyno_bench.utility.ablation.ablatable import AblationBench
    from agentdyno_bench.utility.ablation.pipeline import Judging
    from agentdyno_bench.utility.ablation.results import Ablation
    from agentdyno_bench.utility.worth.results import Worth


class Bench(StrEnum):
    """Benchmarks whose tools can be chosen."""

    facts = "facts"
    tir = "tir"
    toolfail = "toolfail"
    tps = "tps"


class Options(Struct, frozen=True, kw_only=True):
    source: Annotated[str, typer.Argument(metavar="BENCH|LEDGER")]
    """What to run: facts (without a model), tir, toolfail, tps; or a ledger of what ran."""
    other: Annotated[Path | None, typer.Argument(metavar="LEDGER")] = None
    """A second ledger, without the tools."""
    without: list[str] | None = None
    """The tools in question: mail_*, search."""
    variant: list[str] | None = None
    """A suite, the one with the tools first: default, lean:-mail_*, only:+python; of a ledger its
    variants."""
    margin: Annotated[float, typer.Option(min=0, max=100)] = 2.0
    """Points fewer solved that count as no loss."""
    model: Annotated[str | None, typer.Option("--model", "-m")] = None
    """Who is measured; of a ledger whose attempts count."""
    base_url: opt.BaseUrl = None
    model_argument: opt.ModelArguments = None
    benchmark: Annotated[list[str] | None, typer.Option("--benchmark", "-b")] = None
    """Question sets of tir."""
    data: str = "mini"
    """Questions of tir: mini, hub, or a folder."""
    grader: str | None = None
    """A model that grades tir where math-verify cannot."""
    level: TpsLevel = TpsLevel.easy
    """Tasks of tps."""
    selection: TpsSelection = TpsSelection.self_
    """Tools of tps: self (the model names ten), none, rule."""
    turns: ToolfailTurns = ToolfailTurns.single
    """Tasks of toolfail."""
    out: Path = Path("worth")
    """Folder of logs and ledger."""
    tasks: Annotated[int, typer.Option(min=1)] = 60
    """Tasks at most."""
    seed: int = 0
    """The same for every variant."""
    judge: str | None = None
    """A model that says which calls helped; or `rollout`."""
    epochs: Annotated[int, typer.Option(min=1)] = 1
    """Attempts at each task, each with its own seed."""
    max_usd: Annotated[float | None, typer.Option(min=0)] = None
    """What the model, its judges and rollouts may cost together; what is finished is kept."""
    continuations: opt.Continuations = 256
    tools: opt.ToolRules = None
    concurrency: opt.Concurrency = 64
    max_tokens: opt.MaxTokens = None
    retry_failed: opt.RetryFailed = False
    unsafe_python: opt.UnsafePython = False
    in_process: opt.InProcess = False
    hardware: opt.Hardware = "h100-pcie"
    json: opt.Json = False


@takes_options
def command(args: Options) -> int:
    """Compare attempts with and without a tool, an MCP server or a skill on the same tasks: solved,
    dollars, PTE by part of the bill, time, and keep, drop, defer or undecided."""
    from agentdyno.cli.output import print_found, print_json
    from agentdyno_bench.utility.ablation.report import render_ablation
    from agentdyno_bench.utility.worth.report import render_worth

    ablation = _run(args, Bench(args.source)) if args.source in list(Bench) else None
    pairs = ablation.pairs if ablation else _read(args)
    if args.json:
        print_json(ablation or {"pairs": pairs})
    else:
        suites = [render_ablation(ablation)] if ablation else []
        print_found([*suites, *map(render_worth, pairs)])
    return 0


def _read(args: Options) -> "list[Worth]":
    """Recorded attempts: two ledgers, or variants of one."""
    from agentdyno.matching.logical_tools import LogicalTools, read_rules
    from agentdyno.pipelines.sources import ReadableLedger
    from agentdyno.records import InputError
    from agentdyno_bench.utility.ablation.table import compare_variants
    from agentdyno_bench.utility.worth.study import WorthOptions, study_worth

    options = WorthOptions(
        setting=f"model={args.model}" if args.model else "",
        without=tuple(args.without or ()),
        margin=args.margin,
        rules=read_rules(args.tools) if args.tools else LogicalTools(),
    )
    if args.judge:
        raise InputError(
            f"worth {args.source}: --judge is for what is run here. Judge the ledger first: "
            f"agentdyno judge {args.source} --model {args.judge}"
        )
    ledger, variants = ReadableLedger(Path(args.source)), args.variant or []
    if args.other is not None and not variants:
        return [study_worth(ledger, ReadableLedger(args.other), options)]
    if args.other is not None or len(variants) < 2:
        raise InputError(
            f"worth {args.source}: expected a benchmark ({', '.join(Bench)}), two ledgers, or one "
            f"with --variant WITH --variant WITHOUT; found {len(variants)} of these."
        )
    return compare_variants(ledger, variants, options)


def _run(args: Options, name: Bench) -> "Ablation":
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.matching.logical_tools import LogicalTools, read_rules
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno_bench.utility.ablation.pipeline import AblateOptions, ablate
    from agentdyno_bench.utility.ablation.variants import Variant, parse_variant

    rules = read_rules(args.tools) if args.tools else LogicalTools()
    variants = [parse_variant(text) for text in args.variant or ["default"]]
    if args.without:
        variants.append(Variant("without", tuple(args.without)))
    measuring = MeasureOptions(hardware=args.hardware)
    options = AblateOptions(tuple(variants), args.out, measuring, rules, args.margin)
    bench = _choose_bench(args, name)
    judging = _judge_options(args, rules)
    with ExitStack() as bar:
        progress = bar.enter_context(sample_progress())
        return ablate(bench, options, _after(bar, judging) if judging else None, progress)


def _choose_bench(args: Options, name: Bench) -> "AblationBench":
    if name is Bench.facts:
        from agentdyno_bench.utility.ablation.ablatable import FactsBench

        return FactsBench(args.tasks, args.seed)
    from agentdyno_bench.app.ablatable_models import tir_bench, toolfail_bench, tps_bench
    from agentdyno_bench.shared.running.options import ModelSpec

    shared = _read_settings(args, name)
    if name is Bench.tir:
        judge = ModelSpec(args.grader) if args.grader else None
        sets = args.benchmark or ["math_500"]
        return tir_bench(shared, sets, args.data, args.unsafe_python, judge)
    if name is Bench.toolfail:
        return toolfail_bench(shared, args.turns.value)
    return tps_bench(shared, args.level.value, args.selection.value, args.in_process)


def _read_settings(args: Options, name: Bench) -> "ModelSettings":
    from agentdyno.records import InputError
    from agentdyno_bench.app.ablatable_models import ModelSettings
    from agentdyno_bench.shared.running.options import model_spec

    if not args.model:
        raise InputError(f"worth {name.value}: expected --model NAME, found none.")
    model = model_spec(args.model, args.base_url, args.model_argument or [])
    return copy_options(args, ModelSettings, model=model)


def _after(bar: ExitStack, judging: "Judging") -> "Judging":
    """Judging has a bar of its own, and a terminal shows one at a time."""

    def judge_ledger_at(ledger: Path) -> str:
        bar.close()
        return judging(ledger)

    return judge_ledger_at


def _judge_options(args: Options, rules: "LogicalTools") -> "Judging | None":
    from agentdyno_bench.shared.running.budget import left_after

    def by_rollouts(ledger: Path) -> str:
        from agentdyno_bench.app.cli.judge_rollouts import RolloutOptions, roll_out_ledger

        options = RolloutOptions(
            rules,
            args.continuations,
            0.1,
            concurrency=args.concurrency,
            max_usd=left_after(args.out, args.max_usd),
            trusted=True,  # The settings are this command's own.
        )
        roll_out_ledger(ledger, options)
        return "rollouts"

    def by_model(ledger: Path) -> str:
        from agentdyno_bench.shared.judges.questions import AskOptions
        from agentdyno_bench.shared.judging import JudgeOptions
        from agentdyno_bench.shared.judging.command import judge as ask_judge
        from agentdyno_bench.shared.judging.command import kind_of, open_client

        assert args.judge is not None
        options = JudgeOptions(
            rules=rules, ask=AskOptions(max_usd=left_after(args.out, args.max_usd))
        )
        kind = kind_of("utility", options, None, None)
        ask_judge(ledger, kind, [open_client(args.judge, None, [])], options)
        return args.judge

    if args.judge is None:
        return None
    return by_rollouts if args.judge == "rollout" else by_model
