"""`agentdyno bench tir`: five question sets with Python, search and page visits."""

from pathlib import Path
from typing import Annotated

import typer

_ALL = "all"


def command(
    model: Annotated[
        list[str], typer.Option("--model", "-m", help="Inspect's name; several are compared.")
    ],
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
    out: Annotated[Path, typer.Option(help="Folder of logs, ledger and report.")] = Path("bench"),
    concurrency: Annotated[int, typer.Option(min=1, help="Samples in progress at once.")] = 256,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes; by default one for 256 samples.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N questions.")] = None,
    epochs: Annotated[
        int, typer.Option(min=1, help="Attempts at each question, each with its own seed.")
    ] = 1,
    turns: Annotated[
        int | None, typer.Option(min=1, help="Model calls in a trajectory at most.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Tokens that one model call may generate.")
    ] = None,
    temperature: Annotated[float | None, typer.Option(min=0, help="Of the sampling.")] = None,
    seed: Annotated[int, typer.Option(help="Draws questions and seeds sampling.")] = 0,
    tools: Annotated[
        str | None,
        typer.Option(help="Tools in place of the benchmark's own: python,search,visit or none."),
    ] = None,
    tool_config: Annotated[
        Path | None, typer.Option(help="A TOML file that configures the tools.")
    ] = None,
    unsafe_python: Annotated[
        bool, typer.Option("--unsafe-python", help="Run the model's code unprotected.")
    ] = False,
    judge: Annotated[
        str | None, typer.Option(help="A model that grades what math-verify cannot.")
    ] = None,
    judge_base_url: Annotated[
        str | None, typer.Option(help="Where the judge's service is, if elsewhere.")
    ] = None,
    judge_argument: Annotated[
        list[str] | None, typer.Option("-J", help="KEY=VALUE for the judge's provider.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Where the models' service is, if elsewhere.")
    ] = None,
    model_argument: Annotated[
        list[str] | None, typer.Option("-M", help="KEY=VALUE for the models' provider.")
    ] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="Stream, and record the time to the first token.")
    ] = False,
    sample_seconds: Annotated[
        int | None, typer.Option(min=1, help="Stop a sample after so long.")
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run the samples that failed again.")
    ] = False,
    hardware: Annotated[str, typer.Option(help="Hardware behind gamma.")] = "h100-pcie",
    arch: Annotated[str, typer.Option(help="Architecture: auto, a name, a file.")] = "auto",
    report: Annotated[bool, typer.Option(help="Write OUT/report.html.")] = True,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Tool-integrated reasoning: accuracy, tokens, tool uses and PTE by model and benchmark."""
    from agentdyno.benchmarks.running.options import RunOptions
    from agentdyno.benchmarks.running.recipes import require_bench
    from agentdyno.benchmarks.tir.benchmarks import BENCHMARKS
    from agentdyno.cli.bench_output import judge_spec, model_spec, sample_progress, show
    from agentdyno.pipelines.bench.run import run_bench
    from agentdyno.pipelines.bench.tir import TirOptions, tir_plans
    from agentdyno.pipelines.measure import MeasureOptions

    require_bench()
    names = benchmark or ["math_500"]
    asked = TirOptions(
        benchmarks=list(BENCHMARKS) if _ALL in names else names,
        models=[model_spec(name, base_url, model_argument or []) for name in model],
        judge=judge_spec(judge, judge_base_url, judge_argument),
        data=data,
        seed=seed,
        turns=turns,
        tools=_tools(tools),
        tool_config=tool_config,
        unsafe_python=unsafe_python,
        epochs=epochs,
    )
    options = RunOptions(
        out=out,
        concurrency=concurrency,
        processes=processes,
        limit=limit,
        max_tokens=max_tokens,
        temperature=temperature,
        seed=seed,
        stream=stream,
        sample_seconds=sample_seconds,
        retry_failed=retry_failed,
    )
    measuring = MeasureOptions(format="inspect_ai", hardware=hardware, arch=arch)
    with sample_progress() as progress:
        benched = run_bench(tir_plans(asked, options), out, measuring, progress, report)
    return show(benched, out, json)


def _tools(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip() not in ("", "none"))
