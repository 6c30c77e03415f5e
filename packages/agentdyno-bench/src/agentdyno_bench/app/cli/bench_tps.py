"""`agentdyno bench tps`: compound tasks over fifteen MCP servers, against the best schedule."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options
from agentdyno.records import InputError
from agentdyno_bench.app.cli.bench_output import (
    FEW,
    BenchOptions,
    Latency,
    TpsAnswers,
    TpsLevel,
    TpsSelection,
    mention_failures,
    mention_stop,
)

if TYPE_CHECKING:
    from agentdyno_bench.shared.bench_run import Benched
    from agentdyno_bench.tps.measured_run import SettingMeasures, TpsPlanOptions
    from agentdyno_bench.tps.report.provenance import Provenance
    from agentdyno_bench.tps.tasks.values import Level


MOST_LOST = 0.05
"""Share of the samples that may be lost before the command fails."""


class TpsScheduling(StrEnum):
    """How calls are scheduled."""

    parallel = "parallel"
    sequential = "sequential"


class Options(BenchOptions, frozen=True, kw_only=True):
    level: list[TpsLevel] | None = None
    """easy, hard, purpose or train; several at once."""
    selection: list[TpsSelection] | None = None
    """self (names tools first), none (all schemas), rule (BM25's best)."""
    scheduling: list[TpsScheduling] | None = None
    """parallel (calls of a turn at once) or sequential (one a turn)."""
    turns: Annotated[int, typer.Option(min=1)] = 60
    """Model calls in a trajectory at most."""
    needed_tools: bool = False
    """Offer every task one list: the tools that these tasks need, and no others."""
    most_tools: Annotated[int, typer.Option(min=1)] = 30
    """Tools that may be selected; the paper's 10 cap many hard tasks."""
    concurrency: opt.Concurrency = 16
    latency: Latency | None = None
    """Whether services really take their time: as a default with purpose, elsewhere not."""
    faults: Annotated[float | None, typer.Option(min=0, max=0.9)] = None
    """Share of calls that fail by chance and succeed later; 0.08 with purpose, elsewhere 0."""
    mcp_servers: Path | None = None
    """A JSON file with further mcpServers for the suite."""
    tasks: Path | None = None
    """A task file in place of the bundled tasks."""
    seed: int | None = None
    """Draw fresh tasks of each level, as hard as the bundled ones, whose answers nobody has."""
    judge: str | None = None
    """A model that marks completion and selection too, and reads answers in prose."""
    answers: TpsAnswers = TpsAnswers.submit
    """submit (a call with typed fields) or prose (for agents that cannot; reported apart)."""
    in_process: opt.InProcess = False
    pictures: Annotated[int, typer.Option(min=0)] = 3
    """Draw the schedules of so many samples: OUT/schedules/*.svg."""
    every: Annotated[bool, typer.Option("--all")] = False
    """Print every table, settings against each other too."""


@takes_options
def command(args: Options) -> int:
    """Run compound tasks over fifteen MCP servers; compare completion, tool selection, turns and
    time with the best schedule."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno_bench.shared.bench_run import run_bench
    from agentdyno_bench.tps.measured_run import compare_settings, measure_samples, tps_plans
    from agentdyno_bench.tps.pictures import draw_samples
    from agentdyno_bench.tps.report.provenance import describe_run, render_provenance

    files = _task_files(args)
    plans = [
        plan
        for level, path in files.items()
        for plan in tps_plans(_plan_options(args, level, path), args.run_options())
    ]
    with sample_progress() as progress:
        benched = run_bench(plans, args.out, None, progress)
    settings = compare_settings(measure_samples(args.out))
    drawn = draw_samples(args.out, args.pictures)
    run = describe_run(files, benched.runs, sys.argv[1:])
    page = args.write_page(render_provenance(run), first="planning")
    return _show(args, settings, benched, run, page, drawn)


def _plan_options(args: Options, level: "Level", tasks: Path | None) -> "TpsPlanOptions":
    from agentdyno_bench.shared.prompts import first_prompts
    from agentdyno_bench.tps.measured_run import TpsPlanOptions

    return copy_options(
        args,
        TpsPlanOptions,
        models=args.model_specs(),
        levels=[level],
        selections=[choice.value for choice in args.selection or _selections(args.model)],
        schedulings=[choice.value for choice in args.scheduling or (TpsScheduling.parallel,)],
        judge=args.judge_spec(args.judge),
        prompts=first_prompts(args.prompts("selection", "scheduling")),
        pool=_pool(args),
        tasks=tasks,
    )


def _task_files(args: Options) -> "dict[Level, Path | None]":
    """The task file of each level; None for the bundled one."""
    levels: list[Level] = [choice.value for choice in args.level or _levels(args.model)]
    if args.seed is None:
        return dict.fromkeys(levels, args.tasks)
    if args.tasks is not None:
        raise InputError("expected --seed or --tasks, found both: a file has its own tasks.")
    from agentdyno_bench.tps.tasks.fresh import draw_fresh

    limit = args.limit if args.model else args.limit or FEW
    files: dict[Level, Path | None] = {}
    for level in levels:
        path = args.out / f"tasks-{level}-seed-{args.seed}-{limit or 'all'}.json.gz"
        draw_fresh(path, level, args.seed, limit)
        files[level] = path
    return files


def _levels(model: list[str] | None) -> tuple[TpsLevel, ...]:
    return (TpsLevel.easy, TpsLevel.hard) if model else (TpsLevel.easy,)


def _selections(model: list[str] | None) -> tuple[TpsSelection, ...]:
    """The embedded agent was not taught to name tools before it sees them."""
    return (TpsSelection.self_,) if model else (TpsSelection.rule,)


def _pool(args: Options) -> dict[str, Any]:
    servers = args.mcp_servers
    settings = {
        "latency": args.latency and args.latency.value,
        "faults": args.faults,
        "transport": "memory" if args.in_process else None,
        "mcp_servers": servers and str(servers.resolve()),
    }
    return {name: value for name, value in settings.items() if value is not None}


def _show(
    args: Options,
    settings: "list[SettingMeasures]",
    benched: "Benched",
    run: "Provenance",
    page: Path | None,
    drawn: list[Path],
) -> int:
    import msgspec

    from agentdyno.cli.output import print_found, print_json
    from agentdyno.pipelines.report import build_report
    from agentdyno_bench.tps.report.provenance import render_provenance

    if args.json:
        runs = msgspec.to_builtins(benched.runs, enc_hook=str)
        print_json(
            {
                "settings": settings,
                "runs": runs,
                "provenance": run,
                "report": str(page) if page else None,
            }
        )
    elif settings:
        topics = build_report(args.out / "ledger", ("planning", "scheduling")).topics
        print_found([*topics, render_provenance(run)], everything=args.every)
        _print_files(page, drawn)
    for task_run in benched.runs:
        mention_failures(task_run)
    stop = mention_stop(benched.runs)
    if stop or not settings:
        return stop or 1  # Not one task was finished.
    return int(run.lost > MOST_LOST * run.samples)


def _print_files(page: Path | None, drawn: list[Path]) -> None:
    from agentdyno.cli.output import console
    from agentdyno.records import shortened

    if page:
        console().print(f"report: {shortened(page)}", style="dim")
    if drawn:
        console().print(
            f"schedules: {shortened(drawn[0].parent)}/*.svg ({len(drawn)})", style="dim"
        )
