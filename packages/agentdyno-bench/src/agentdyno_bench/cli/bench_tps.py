"""`agentdyno bench tps`: compound tasks over fifteen MCP servers, against the best schedule."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno_bench.pipelines.bench_run import Benched
    from agentdyno_bench.pipelines.tps import SettingMeasures
    from agentdyno_bench.running.options import TaskRun


class TpsScheduling(StrEnum):
    """How calls are scheduled."""

    parallel = "parallel"
    sequential = "sequential"


def command(
    model: opt.Models = None,
    level: Annotated[
        list[opt.TpsLevel] | None, typer.Option(help="easy, hard or train; several at once.")
    ] = None,
    selection: Annotated[
        list[opt.TpsSelection] | None,
        typer.Option(help="self (names tools first), none (all schemas), rule (BM25's best)."),
    ] = None,
    scheduling: Annotated[
        list[TpsScheduling] | None,
        typer.Option(help="parallel (calls of a turn at once) or sequential (one a turn)."),
    ] = None,
    out: opt.BenchOut = Path("bench"),
    limit: opt.Limit = None,
    turns: Annotated[int, typer.Option(min=1, help="Model calls in a trajectory at most.")] = 60,
    most_tools: Annotated[
        int,
        typer.Option(min=1, help="Tools that may be selected; the paper's 10 cap many hard tasks."),
    ] = 30,
    concurrency: opt.Concurrency = 16,
    max_tokens: opt.MaxTokens = None,
    latency: Annotated[
        opt.Latency, typer.Option(help="Whether services really take their time.")
    ] = opt.Latency.virtual,
    mcp_servers: Annotated[
        Path | None, typer.Option(help="A JSON file with further mcpServers for the suite.")
    ] = None,
    tasks: Annotated[
        Path | None, typer.Option(help="A task file in place of the bundled tasks.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="A model that marks completion and selection too.")
    ] = None,
    judge_base_url: opt.JudgeBaseUrl = None,
    judge_argument: opt.JudgeArguments = None,
    base_url: opt.BaseUrl = None,
    model_argument: opt.ModelArguments = None,
    in_process: opt.InProcess = False,
    retry_failed: opt.RetryFailed = False,
    pictures: Annotated[
        int, typer.Option(min=0, help="Draw the schedules of so many samples: OUT/schedules/*.svg.")
    ] = 3,
    report: opt.Report = True,
    json: opt.Json = False,
) -> int:
    """Run compound tasks over fifteen MCP servers; compare completion, tool selection, turns and
    time with the best schedule."""
    from agentdyno_bench.running.recipes import require_bench

    require_bench()  # First: what follows needs it.
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno_bench.cli.bench_output import (
        choose_limit,
        choose_models,
        judge_spec,
        model_spec,
        write_page,
    )
    from agentdyno_bench.pipelines.bench_run import run_bench
    from agentdyno_bench.pipelines.tps import (
        TpsPlanOptions,
        compare_settings,
        measure_samples,
        tps_plans,
    )
    from agentdyno_bench.pipelines.tps_pictures import draw_samples
    from agentdyno_bench.running.options import RunOptions

    asked = TpsPlanOptions(
        models=[
            model_spec(name, base_url, model_argument or []) for name in choose_models(model, limit)
        ],
        levels=[found.value for found in level or _levels(model)],
        selections=[found.value for found in selection or _selections(model)],
        schedulings=[found.value for found in scheduling or (TpsScheduling.parallel,)],
        turns=turns,
        most_tools=most_tools,
        judge=judge_spec(judge, judge_base_url, judge_argument),
        pool=_pool(latency.value, mcp_servers, in_process),
        tasks=tasks,
    )
    options = RunOptions(
        out=out,
        concurrency=concurrency,
        limit=choose_limit(limit, model),
        max_tokens=max_tokens,
        retry_failed=retry_failed,
    )
    with sample_progress() as progress:
        benched = run_bench(tps_plans(asked, options), out, None, progress)
    settings = compare_settings(measure_samples(out))
    drawn = draw_samples(out, pictures)
    page = write_page(out) if report else None
    return _show(out, settings, benched, page, drawn, json)


def _levels(model: list[str] | None) -> tuple[opt.TpsLevel, ...]:
    return (opt.TpsLevel.easy, opt.TpsLevel.hard) if model else (opt.TpsLevel.easy,)


def _selections(model: list[str] | None) -> tuple[opt.TpsSelection, ...]:
    """The embedded agent was not taught to name tools before it sees them."""
    return (opt.TpsSelection.self_,) if model else (opt.TpsSelection.rule,)


def _pool(latency: str, mcp_servers: Path | None, in_process: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"latency": latency}
    found |= {"transport": "memory"} if in_process else {}
    return found | ({} if mcp_servers is None else {"mcp_servers": str(mcp_servers.resolve())})


def _show(
    out: Path,
    settings: "list[SettingMeasures]",
    benched: "Benched",
    page: Path | None,
    drawn: list[Path],
    as_json: bool,
) -> int:
    import msgspec

    from agentdyno.cli.output import print_found, print_json
    from agentdyno.pipelines.report import build_report

    if as_json:
        runs = msgspec.to_builtins(benched.runs, enc_hook=str)
        print_json({"settings": settings, "runs": runs, "report": str(page) if page else None})
    elif settings:
        print_found(build_report(out / "ledger", ("scheduling",)).topics)
        _print_files(page, drawn)
    for run in benched.runs:
        _mention_failures(run)
    return 0 if settings else 1  # Not one task was finished.


def _print_files(page: Path | None, drawn: list[Path]) -> None:
    from agentdyno.cli.output import console
    from agentdyno.records import shortened

    if page:
        console().print(f"report: {shortened(page)}", style="dim")
    if drawn:
        console().print(
            f"schedules: {shortened(drawn[0].parent)}/*.svg ({len(drawn)})", style="dim"
        )


def _mention_failures(run: "TaskRun") -> None:
    import sys

    from agentdyno.records import printable

    if run.failed:
        first = run.failed[0]
        print(
            f"{run.model} on {run.task}: {len(run.failed)} of {run.samples} tasks failed and are "
            f"in no figure, the first ({printable(first.sample, 60)}) with "
            f"{printable(first.error, 200)}. --retry-failed runs them again.",
            file=sys.stderr,
        )
