"""`agentdyno bench tir`: five question sets with Python, search and page visits."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options
from agentdyno_bench.app.cli.bench_output import BenchOptions, show

_ALL = "all"


class Options(BenchOptions, frozen=True, kw_only=True):
    benchmark: Annotated[list[str] | None, typer.Option("--benchmark", "-b")] = None
    """math_500, aime_2024, aime_2025, simpleqa, webinstruct, or all; several at once."""
    data: str = "mini"
    """mini: the few bundled questions; hub; or a folder of published files."""
    concurrency: opt.Concurrency = 256
    processes: opt.Processes = None
    turns: Annotated[int | None, typer.Option(min=1)] = None
    """Model calls in a trajectory at most."""
    attempt_tokens: Annotated[int | None, typer.Option(min=1)] = None
    """After so many generated tokens the next model call is the last; 1024 for the embedded
    agent where no --model is given."""
    seed: int = 0
    """Seed for drawing questions and for sampling."""
    tools: str | None = None
    """Tools in place of the benchmark's own: python,search,visit or none."""
    tool_config: Path | None = None
    """A TOML file that configures the tools."""
    unsafe_python: opt.UnsafePython = False
    judge: str | None = None
    """A model that grades what math-verify cannot."""
    stream: bool = False
    """Stream answers, to record the time to the first token."""
    sample_seconds: Annotated[int | None, typer.Option(min=1)] = None
    """Stop a sample after this many seconds."""
    hardware: opt.Hardware = "h100-pcie"
    arch: opt.Arch = "auto"


@takes_options
def command(args: Options) -> int:
    """Run five sets of questions with Python, search and page visits; compare accuracy, tokens,
    tool uses and PTE."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno_bench.pte.tir.benchmarks import BENCHMARKS
    from agentdyno_bench.pte.tir.plans import ATTEMPT_TOKENS, TirOptions, tir_plans
    from agentdyno_bench.shared.bench_run import run_bench
    from agentdyno_bench.shared.prompts import first_prompts

    names = args.benchmark or ["math_500"]
    settings = copy_options(
        args,
        TirOptions,
        benchmarks=list(BENCHMARKS) if _ALL in names else names,
        models=args.model_specs(),
        judge=args.judge_spec(args.judge),
        prompts=first_prompts(args.prompts("system", "judge")),
        attempt_tokens=args.attempt_tokens or (None if args.model else ATTEMPT_TOKENS),
        tools=_tools(args.tools),
    )
    measuring = MeasureOptions(format="inspect_ai", hardware=args.hardware, arch=args.arch)
    with sample_progress() as progress:
        benched = run_bench(tir_plans(settings, args.run_options()), args.out, measuring, progress)
    return show(benched, args.out, args.write_page(), args.json)


def _tools(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip() not in ("", "none"))
