"""`agentdyno bench toolfail`: 1,000 tasks that show where the tool-use loop breaks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno.pipelines.judge import Judged
    from agentdyno_bench.pipelines.toolfail import ToolfailDone
    from agentdyno_bench.pipelines.toolfail_judging import Judging
    from agentdyno_bench.running.options import TaskRun

SPREAD = 50
"""Of the 1,000 tasks, every nth for the default model: all domains have some."""


def command(
    model: opt.Models = None,
    tasks: Annotated[
        Path | None, typer.Option(help="Tasks in the published format; by default our own.")
    ] = None,
    refresh: Annotated[
        int | None, typer.Option(help="Generate a fresh variant of our tasks from this seed.")
    ] = None,
    validate: Annotated[
        bool, typer.Option("--validate", help="Only check the tasks; exit 1 if one is unsound.")
    ] = False,
    turns: Annotated[
        opt.ToolfailTurns, typer.Option(help="multi adds 200 tasks of several turns.")
    ] = opt.ToolfailTurns.single,
    stride: Annotated[
        int | None, typer.Option(min=1, help="Every N-th task; 10 gives 100 of our 1,000.")
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help="A model that judges; one gets both framings."),
    ] = None,
    max_usd: opt.MaxUsd = None,
    prices: opt.Prices = None,
    judge_base_url: opt.JudgeBaseUrl = None,
    judge_argument: opt.JudgeArguments = None,
    out: opt.BenchOut = Path("bench"),
    concurrency: opt.Concurrency = 64,
    processes: opt.Processes = None,
    limit: opt.Limit = None,
    max_tokens: opt.MaxTokens = 1024,
    base_url: opt.BaseUrl = None,
    model_argument: opt.ModelArguments = None,
    retry_failed: opt.RetryFailed = False,
    hardware: opt.Hardware = "h100-pcie",
    arch: opt.Arch = "auto",
    report: opt.Report = True,
    json: opt.Json = False,
) -> int:
    """Run 1,000 tasks that show how tool use breaks: skipped tools, ignored results, invented
    values and needless calls."""
    if validate:
        return _check(tasks, json)
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno_bench.cli.bench_output import (
        choose_limit,
        choose_models,
        model_spec,
        write_page,
    )
    from agentdyno_bench.pipelines.toolfail import ToolfailOptions, run_toolfail
    from agentdyno_bench.running.options import RunOptions
    from agentdyno_bench.running.recipes import require_bench
    from agentdyno_bench.toolfail.refreshed import write_refreshed_tasks
    from agentdyno_bench.toolfail.task import SEED, TEMPERATURE

    require_bench()
    if refresh is not None:
        tasks = write_refreshed_tasks(refresh, out)
    asked = ToolfailOptions(
        models=[
            model_spec(name, base_url, model_argument or []) for name in choose_models(model, limit)
        ],
        tasks=tasks,
        turns=turns.value,
        stride=stride if model or limit else stride or SPREAD,
        judging=_judge_options(judge, judge_base_url, judge_argument, max_usd, prices),
    )
    options = RunOptions(
        out=out,
        concurrency=concurrency,
        processes=processes,
        limit=choose_limit(limit, model),
        max_tokens=max_tokens,
        temperature=TEMPERATURE,
        seed=SEED,
        retry_failed=retry_failed,
    )
    measuring = MeasureOptions(
        format="inspect_ai",
        hardware=hardware,
        arch=arch,
        prices=str(prices) if prices else None,
    )
    with sample_progress() as progress:
        done = run_toolfail(asked, options, measuring, progress)
    return _show(done, out, write_page(out) if report else None, json)


def _judge_options(
    names: list[str] | None,
    base_url: str | None,
    arguments: list[str] | None,
    max_usd: float | None,
    prices: Path | None,
) -> "Judging | None":
    import sys

    from agentdyno.cli.judge_output import open_client
    from agentdyno.judges.questions import AskOptions
    from agentdyno.pipelines.judge import JudgeOptions
    from agentdyno.records import InputError
    from agentdyno_bench.pipelines.toolfail_judging import Judging

    alone = {"--max-usd": max_usd, "--judge-base-url": base_url, "-J": arguments or None}
    for option, given in alone.items():
        if given is not None and not names:
            raise InputError(f"{option} is about judges: expected --judge NAME too, found none.")
    if not names:
        return None
    return Judging(
        models=[open_client(name, base_url, arguments or []) for name in names],
        options=JudgeOptions(ask=AskOptions(max_usd=max_usd), prices=prices),
        announce=lambda estimated: print(f"judging: {estimated}", file=sys.stderr),
    )


def _check(tasks: Path | None, as_json: bool) -> int:
    import msgspec

    from agentdyno.cli.output import print_json
    from agentdyno.records import printable
    from agentdyno_bench.toolfail.refreshed import check_tasks

    broken = check_tasks(tasks)
    if as_json:
        print_json({"broken": msgspec.to_builtins(broken)})
    else:
        for each in broken[:50]:
            print(printable(str(each), 300))
        print(f"{len(broken)} broken promises")
    return 1 if broken else 0


def _show(done: "ToolfailDone", out: Path, page: Path | None, as_json: bool) -> int:
    import msgspec

    from agentdyno.cli.output import console, print_found, print_json
    from agentdyno.records import shortened
    from agentdyno.reports.topics.failures import render_failures
    from agentdyno.studies.failures.report import Failures

    if as_json:
        runs = msgspec.to_builtins(done.runs, enc_hook=str)
        judged = msgspec.to_builtins(done.judged)
        print_json({**msgspec.to_builtins(done.report), "runs": runs, "judged": judged})
    else:
        print_found([render_failures(Failures(done.report, []))])
        pages = [shortened(page or out / "failures.md"), shortened(out / "ledger")]
        console().print(f"report: {pages[0]}, ledger: {pages[1]}", style="dim")
    for run in done.runs:
        _mention_failures(run)
    unanswered = _mention_judging(done.judged)
    return 0 if done.report.trajectories and not unanswered else 1


def _mention_judging(judged: "Judged | None") -> int:
    """Says on stderr what did not go well; how many questions have no answer."""
    import sys

    from agentdyno.reports.topics.judging_remarks import remarks

    if judged is None:
        return 0
    for line in remarks(judged, "trajectories"):
        print(line, file=sys.stderr)
    return judged.unanswered


def _mention_failures(run: "TaskRun") -> None:
    import sys

    from agentdyno.records import printable

    if run.failed:
        print(
            f"{run.model}: {len(run.failed)} of {run.samples} samples failed and have no label, "
            f"the first with {printable(run.failed[0].error, 200)}. --retry-failed runs them "
            "again.",
            file=sys.stderr,
        )
