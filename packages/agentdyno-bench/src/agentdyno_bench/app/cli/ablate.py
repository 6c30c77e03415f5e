"""`agentdyno ablate`: a benchmark under several tool suites, the same tasks, paired tests."""

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


class Bench(StrEnum):
    """Benchmarks whose tools can be chosen."""

    facts = "facts"
    tir = "tir"
    toolfail = "toolfail"
    tps = "tps"


class Options(Struct, frozen=True, kw_only=True):
    bench: Annotated[Bench, typer.Argument()]
    """facts needs no model; the others run one."""
    variant: list[str]
    """A suite, the baseline first: default, lean:-mail_*, only:+python."""
    model: Annotated[str | None, typer.Option("--model", "-m")] = None
    """Who is measured."""
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
    out: Path = Path("ablation")
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
    """Run a benchmark under several tool suites and compare accuracy, efficiency, PTE and money
    on the same tasks."""
    from agentdyno.cli.output import print_found, print_json
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.matching.logical_tools import LogicalTools, read_rules
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno_bench.utility.ablation.pipeline import AblateOptions, ablate
    from agentdyno_bench.utility.ablation.report import render_ablation
    from agentdyno_bench.utility.ablation.variants import parse_variant

    rules = read_rules(args.tools) if args.tools else LogicalTools()
    options = AblateOptions(
        tuple(parse_variant(text) for text in args.variant),
        args.out,
        MeasureOptions(hardware=args.hardware),
        rules,
    )
    bench = _choose_bench(args)
    judging = _judge_options(args, rules)
    with ExitStack() as bar:
        progress = bar.enter_context(sample_progress())
        ablation = ablate(bench, options, _after(bar, judging) if judging else None, progress)
    if args.json:
        print_json(ablation)
    else:
        print_found([render_ablation(ablation)])
    return 0


def _choose_bench(args: Options) -> "AblationBench":
    if args.bench is Bench.facts:
        from agentdyno_bench.utility.ablation.ablatable import FactsBench

        return FactsBench(args.tasks, args.seed)
    from agentdyno_bench.app.ablatable_models import tir_bench, toolfail_bench, tps_bench
    from agentdyno_bench.shared.running.options import ModelSpec

    shared = _read_settings(args)
    if args.bench is Bench.tir:
        judge = ModelSpec(args.grader) if args.grader else None
        sets = args.benchmark or ["math_500"]
        return tir_bench(shared, sets, args.data, args.unsafe_python, judge)
    if args.bench is Bench.toolfail:
        return toolfail_bench(shared, args.turns.value)
    return tps_bench(shared, args.level.value, args.selection.value, args.in_process)


def _read_settings(args: Options) -> "ModelSettings":
    from agentdyno.records import InputError
    from agentdyno_bench.app.ablatable_models import ModelSettings
    from agentdyno_bench.shared.running.options import model_spec

    if not args.model:
        raise InputError(f"ablate {args.bench.value}: expected --model NAME, found none.")
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
