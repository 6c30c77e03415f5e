"""`agentdyno bench tir`: five question sets with Python, search and page visits."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt

_ALL = "all"


def command(
    model: opt.Models = None,
    benchmark: Annotated[
        list[str] | None,
        typer.Option(
            "--benchmark",
            "-b",
            help="math_500, aime_2024, aime_2025, simpleqa, webinstruct, or all; several at once.",
        ),
    ] = None,
    data: Annotated[
        str,
        typer.Option(help="mini: the few bundled questions; hub; or a folder of published files."),
    ] = "mini",
    out: opt.BenchOut = Path("bench"),
    concurrency: opt.Concurrency = 256,
    processes: opt.Processes = None,
    limit: opt.Limit = None,
    epochs: Annotated[
        int, typer.Option(min=1, help="Attempts at each question, each with its own seed.")
    ] = 1,
    turns: Annotated[
        int | None, typer.Option(min=1, help="Model calls in a trajectory at most.")
    ] = None,
    max_tokens: opt.MaxTokens = None,
    attempt_tokens: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="After so many generated tokens the next model call is the last; 1024 for the "
            "embedded agent where no --model is given.",
        ),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(min=0, help="Sampling temperature; by default the provider's.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for drawing questions and for sampling.")] = 0,
    tools: Annotated[
        str | None,
        typer.Option(help="Tools in place of the benchmark's own: python,search,visit or none."),
    ] = None,
    tool_config: Annotated[
        Path | None, typer.Option(help="A TOML file that configures the tools.")
    ] = None,
    unsafe_python: opt.UnsafePython = False,
    judge: Annotated[
        str | None, typer.Option(help="A model that grades what math-verify cannot.")
    ] = None,
    judge_base_url: opt.JudgeBaseUrl = None,
    judge_argument: opt.JudgeArguments = None,
    base_url: opt.BaseUrl = None,
    model_argument: opt.ModelArguments = None,
    stream: Annotated[
        bool,
        typer.Option("--stream", help="Stream answers, to record the time to the first token."),
    ] = False,
    sample_seconds: Annotated[
        int | None, typer.Option(min=1, help="Stop a sample after this many seconds.")
    ] = None,
    retry_failed: opt.RetryFailed = False,
    hardware: opt.Hardware = "h100-pcie",
    arch: opt.Arch = "auto",
    report: opt.Report = True,
    json: opt.Json = False,
) -> int:
    """Run five sets of questions with Python, search and page visits; compare accuracy, tokens,
    tool uses and PTE."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno_bench.cli.bench_output import (
        choose_limit,
        choose_models,
        judge_spec,
        model_spec,
        show,
        write_page,
    )
    from agentdyno_bench.pipelines.bench_run import run_bench
    from agentdyno_bench.running.options import RunOptions
    from agentdyno_bench.running.recipes import require_bench
    from agentdyno_bench.tir.benchmarks import BENCHMARKS
    from agentdyno_bench.tir.plans import ATTEMPT_TOKENS, TirOptions, tir_plans

    require_bench()
    names = benchmark or ["math_500"]
    asked = TirOptions(
        benchmarks=list(BENCHMARKS) if _ALL in names else names,
        models=[
            model_spec(name, base_url, model_argument or []) for name in choose_models(model, limit)
        ],
        judge=judge_spec(judge, judge_base_url, judge_argument),
        data=data,
        seed=seed,
        turns=turns,
        attempt_tokens=attempt_tokens if model else attempt_tokens or ATTEMPT_TOKENS,
        tools=_tools(tools),
        tool_config=tool_config,
        unsafe_python=unsafe_python,
        epochs=epochs,
    )
    options = RunOptions(
        out=out,
        concurrency=concurrency,
        processes=processes,
        limit=choose_limit(limit, model),
        max_tokens=max_tokens,
        temperature=temperature,
        seed=seed,
        stream=stream,
        sample_seconds=sample_seconds,
        retry_failed=retry_failed,
    )
    measuring = MeasureOptions(format="inspect_ai", hardware=hardware, arch=arch)
    with sample_progress() as progress:
        benched = run_bench(tir_plans(asked, options), out, measuring, progress)
    return show(benched, out, write_page(out) if report else None, json)


def _tools(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip() not in ("", "none"))
