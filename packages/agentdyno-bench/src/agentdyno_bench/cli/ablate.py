"""`agentdyno ablate`: a benchmark under several tool suites, the same tasks, paired tests."""

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno.findings.utility.logical import LogicalTools
    from agentdyno_bench.ablatable import AblationBench
    from agentdyno_bench.pipelines.ablate import Judging


class Bench(StrEnum):
    """Benchmarks whose tools can be chosen."""

    facts = "facts"
    tir = "tir"
    toolfail = "toolfail"
    tps = "tps"


def command(
    bench: Annotated[Bench, typer.Argument(help="facts needs no model; the others run one.")],
    variant: Annotated[
        list[str],
        typer.Option(help="A suite, the baseline first: default, lean:-mail_*, only:+python."),
    ],
    model: Annotated[str | None, typer.Option("--model", "-m", help="Who is measured.")] = None,
    base_url: opt.BaseUrl = None,
    model_argument: opt.ModelArguments = None,
    benchmark: Annotated[
        list[str] | None, typer.Option("--benchmark", "-b", help="Question sets of tir.")
    ] = None,
    data: Annotated[str, typer.Option(help="Questions of tir: mini, hub, or a folder.")] = "mini",
    grader: Annotated[
        str | None,
        typer.Option(help="A model that grades tir where math-verify cannot."),
    ] = None,
    level: Annotated[opt.TpsLevel, typer.Option(help="Tasks of tps.")] = opt.TpsLevel.easy,
    selection: Annotated[
        opt.TpsSelection, typer.Option(help="Tools of tps: self (the model names ten), none, rule.")
    ] = opt.TpsSelection.self_,
    turns: Annotated[
        opt.ToolfailTurns, typer.Option(help="Tasks of toolfail.")
    ] = opt.ToolfailTurns.single,
    out: Annotated[Path, typer.Option(help="Folder of logs and ledger.")] = Path("ablation"),
    tasks: Annotated[int, typer.Option(min=1, help="Tasks at most.")] = 60,
    seed: Annotated[int, typer.Option(help="The same for every variant.")] = 0,
    judge: Annotated[
        str | None, typer.Option(help="A model that says which calls helped; or `rollout`.")
    ] = None,
    max_usd: opt.MaxUsd = None,
    continuations: opt.Continuations = 256,
    tools: opt.ToolRules = None,
    concurrency: opt.Concurrency = 64,
    max_tokens: opt.MaxTokens = None,
    retry_failed: opt.RetryFailed = False,
    unsafe_python: opt.UnsafePython = False,
    in_process: opt.InProcess = False,
    hardware: opt.Hardware = "h100-pcie",
    json: opt.Json = False,
) -> int:
    """Run a benchmark under several tool suites and compare accuracy, efficiency, PTE and money
    on the same tasks."""
    from agentdyno.cli.output import print_found, print_json
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.findings.utility.logical import LogicalTools, read_rules
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno_bench.pipelines.ablate import AblateOptions, ablate
    from agentdyno_bench.reports.ablation import render_ablation
    from agentdyno_bench.studies.ablation.variants import parse_variant

    rules = read_rules(tools) if tools else LogicalTools()
    options = AblateOptions(
        tuple(parse_variant(text) for text in variant),
        out,
        MeasureOptions(hardware=hardware),
        rules,
    )
    asked: dict[str, Any] = {
        "model": (model, base_url, model_argument or []),
        "out": out,
        "tasks": tasks,
        "seed": seed,
        "concurrency": concurrency,
        "max_tokens": max_tokens,
        "retry_failed": retry_failed,
    }
    if bench is Bench.facts:
        chosen = _facts(tasks, seed)
    elif bench is Bench.tir:
        chosen = _tir(asked, benchmark or ["math_500"], data, unsafe_python, grader)
    elif bench is Bench.toolfail:
        chosen = _toolfail(asked, turns.value)
    else:
        chosen = _tps(asked, level.value, selection.value, in_process)
    judging = _judge_options(judge, max_usd, rules, continuations, concurrency)
    with ExitStack() as bar:
        progress = bar.enter_context(sample_progress())
        found = ablate(chosen, options, _after(bar, judging) if judging else None, progress)
    if json:
        print_json(found)
    else:
        print_found([render_ablation(found)])
    return 0


def _facts(tasks: int, seed: int) -> "AblationBench":
    from agentdyno_bench.ablatable import FactsBench

    return FactsBench(tasks, seed)


def _tir(
    asked: dict[str, Any], sets: list[str], data: str, unsafe: bool, grader: str | None
) -> "AblationBench":
    from agentdyno_bench.ablatable_models import tir_bench
    from agentdyno_bench.running.options import ModelSpec

    judge = ModelSpec(grader) if grader else None
    return tir_bench(_read_options("tir", asked), sets, data, unsafe, judge)


def _toolfail(asked: dict[str, Any], turns: str) -> "AblationBench":
    from agentdyno_bench.ablatable_models import toolfail_bench

    return toolfail_bench(_read_options("toolfail", asked), turns)


def _tps(asked: dict[str, Any], level: str, selection: str, in_process: bool) -> "AblationBench":
    from agentdyno_bench.ablatable_models import tps_bench

    return tps_bench(_read_options("tps", asked), level, selection, in_process)


def _read_options(bench: str, given: dict[str, Any]) -> Any:
    from agentdyno.records import InputError
    from agentdyno_bench.ablatable_models import Asked
    from agentdyno_bench.cli.bench_output import model_spec
    from agentdyno_bench.running.recipes import require_bench

    name, base_url, arguments = given["model"]
    if not name:
        raise InputError(f"ablate {bench}: expected --model NAME, found none.")
    require_bench()
    return Asked(**given | {"model": model_spec(name, base_url, arguments)})


def _after(bar: ExitStack, judging: "Judging") -> "Judging":
    """Judging has a bar of its own, and a terminal shows one at a time."""

    def judge_ledger_at(ledger: Path) -> str:
        bar.close()
        return judging(ledger)

    return judge_ledger_at


def _judge_options(
    judge: str | None,
    max_usd: float | None,
    rules: "LogicalTools",
    continuations: int,
    concurrency: int,
) -> "Judging | None":
    def by_rollouts(ledger: Path) -> str:
        from agentdyno_bench.cli.judge_rollouts import roll_out_ledger

        roll_out_ledger(
            ledger,
            rules,
            continuations,
            0.1,
            concurrency=concurrency,
            max_usd=max_usd,
            trusted=True,  # The settings are this command's own.
        )
        return "rollouts"

    def by_model(ledger: Path) -> str:
        from agentdyno.cli.judge_output import judge as ask_judge
        from agentdyno.cli.judge_output import kind_of, open_client
        from agentdyno.judges.questions import AskOptions
        from agentdyno.pipelines.judge import JudgeOptions

        assert judge is not None
        options = JudgeOptions(rules=rules, ask=AskOptions(max_usd=max_usd))
        kind = kind_of("utility", options, None, None)
        ask_judge(ledger, kind, [open_client(judge, None, [])], options)
        return judge

    if judge is None:
        return None
    return by_rollouts if judge == "rollout" else by_model
