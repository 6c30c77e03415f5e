"""`agentdyno ablate`: a benchmark under several tool suites, the same tasks, paired tests."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from agentdyno.pipelines.ablate import Judging
    from agentdyno.pipelines.ablate.benches import AblationBench


class Bench(StrEnum):
    """Benchmarks whose tools can be chosen."""

    facts = "facts"
    tir = "tir"


def command(
    bench: Annotated[Bench, typer.Argument(help="facts needs no model; tir runs one.")],
    variant: Annotated[
        list[str],
        typer.Option(help="A suite, the baseline first: default, no-mcp:-mcp_*, only:+python."),
    ],
    model: Annotated[str | None, typer.Option("--model", "-m", help="Who is measured.")] = None,
    benchmark: Annotated[
        list[str] | None, typer.Option("--benchmark", "-b", help="Question sets of tir.")
    ] = None,
    data: Annotated[str, typer.Option(help="Questions of tir: mini, hub, or a folder.")] = "mini",
    out: Annotated[Path, typer.Option(help="Folder of logs and ledger.")] = Path("ablation"),
    tasks: Annotated[int, typer.Option(min=1, help="Tasks at most.")] = 60,
    seed: Annotated[int, typer.Option(help="The same for every variant.")] = 0,
    judge: Annotated[
        str | None, typer.Option(help="A model that says which calls helped; or `rollout`.")
    ] = None,
    max_usd: Annotated[
        float | None, typer.Option(min=0, help="The judge may not cost more.")
    ] = None,
    tools: Annotated[
        Path | None, typer.Option(help="A TOML file that says which tool a call is of.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Samples in progress at once.")] = 64,
    unsafe_python: Annotated[
        bool, typer.Option("--unsafe-python", help="Run the model's code unprotected.")
    ] = False,
    hardware: Annotated[str, typer.Option(help="Hardware behind gamma.")] = "h100-pcie",
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Cut the tool suite and see: accuracy, efficiency, PTE and money by variant."""
    from agentdyno.cli.output import console, print_json
    from agentdyno.pipelines.ablate import AblateOptions, ablate
    from agentdyno.pipelines.ablate.variants import parse_variant
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno.reports.utility import print_ablation

    options = AblateOptions(
        tuple(parse_variant(text) for text in variant), out, MeasureOptions(hardware=hardware)
    )
    chosen = _bench(
        bench,
        model=model,
        benchmark=benchmark,
        data=data,
        out=out,
        tasks=tasks,
        seed=seed,
        concurrency=concurrency,
        unsafe_python=unsafe_python,
    )
    found = ablate(chosen, options, _judging(judge, max_usd, tools))
    if json:
        print_json(found)
    else:
        print_ablation(console(), found)
    return 0


def _bench(bench: Bench, **asked: Any) -> "AblationBench":
    from agentdyno.pipelines.ablate.benches import FactsBench, TirBench
    from agentdyno.records import InputError

    if bench is Bench.facts:
        return FactsBench(asked["tasks"], asked["seed"])
    if not asked["model"]:
        raise InputError("ablate tir: expected --model NAME, found none.")
    from agentdyno.benchmarks.running.options import ModelSpec, RunOptions
    from agentdyno.benchmarks.running.recipes import require_bench
    from agentdyno.benchmarks.tir.benchmarks import named_benchmark
    from agentdyno.benchmarks.tir.toolset import offered_tools
    from agentdyno.pipelines.bench.tir import TirOptions

    require_bench()
    names = asked["benchmark"] or ["math_500"]
    options = TirOptions(
        benchmarks=names,
        models=[ModelSpec(asked["model"])],
        data=asked["data"],
        seed=asked["seed"],
        unsafe_python=asked["unsafe_python"],
    )
    run = RunOptions(
        out=asked["out"],
        limit=asked["tasks"],
        seed=asked["seed"],
        concurrency=asked["concurrency"],
    )
    own = [tool for name in names for tool in offered_tools(named_benchmark(name), None)]
    return TirBench(options, run, tuple(dict.fromkeys(own)))


def _judging(judge: str | None, max_usd: float | None, tools: Path | None) -> "Judging | None":
    if judge is None:
        return None
    from agentdyno.metrics.utility.logical import LogicalTools, read_rules

    rules = read_rules(tools) if tools else LogicalTools()

    def by_rollouts(ledger: Path) -> str:
        from agentdyno.metrics.utility.rollouts import SignTest
        from agentdyno.pipelines.rollout import roll_out
        from agentdyno.pipelines.rollout.resumable import known_benches

        roll_out(ledger, known_benches(), SignTest(smallest=0.1), rules)
        return "rollouts"

    def by_model(ledger: Path) -> str:
        import sys

        from agentdyno.judges.utility.asking import InspectAsk
        from agentdyno.pipelines.judge import JudgeOptions, judge_utility
        from agentdyno.pipelines.judge.asking import AskOptions

        options = JudgeOptions(rules=rules, ask=AskOptions(max_usd=max_usd))
        ask = InspectAsk(judge)
        judge_utility(ledger, [ask], options, announce=lambda e: print(f"{e}", file=sys.stderr))
        return judge

    return by_rollouts if judge == "rollout" else by_model
