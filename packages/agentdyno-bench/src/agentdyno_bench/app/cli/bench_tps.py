"""`agentdyno bench tps`: compound tasks over fifteen MCP servers, against the best schedule."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options
from agentdyno_bench.app.cli.bench_output import (
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
    from agentdyno_bench.tps.measured_run import SettingMeasures


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
    judge: str | None = None
    """A model that marks completion and selection too, and reads answers in prose."""
    answers: TpsAnswers = TpsAnswers.submit
    """submit (a call with typed fields) or prose (for agents that cannot; reported apart)."""
    in_process: opt.InProcess = False
    pictures: Annotated[int, typer.Option(min=0)] = 3
    """Draw the schedules of so many samples: OUT/schedules/*.svg."""


@takes_options
def command(args: Options) -> int:
    """Run compound tasks over fifteen MCP servers; compare completion, tool selection, turns and
    time with the best schedule."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno_bench.shared.bench_run import run_bench
    from agentdyno_bench.shared.prompts import first_prompts
    from agentdyno_bench.tps.measured_run import (
        TpsPlanOptions,
        compare_settings,
        measure_samples,
        tps_plans,
    )
    from agentdyno_bench.tps.pictures import draw_samples

    tps_options = copy_options(
        args,
        TpsPlanOptions,
        models=args.model_specs(),
        levels=[choice.value for choice in args.level or _levels(args.model)],
        selections=[choice.value for choice in args.selection or _selections(args.model)],
        schedulings=[choice.value for choice in args.scheduling or (TpsScheduling.parallel,)],
        judge=args.judge_spec(args.judge),
        prompts=first_prompts(args.prompts("selection", "scheduling")),
        pool=_pool(args),
    )
    with sample_progress() as progress:
        benched = run_bench(tps_plans(tps_options, args.run_options()), args.out, None, progress)
    settings = compare_settings(measure_samples(args.out))
    drawn = draw_samples(args.out, args.pictures)
    page = args.write_page()
    return _show(args.out, settings, benched, page, drawn, args.json)


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
        print_json(
            {
                "settings": settings,
                "runs": runs,
                "report": str(page) if page else None,
            }
        )
    elif settings:
        print_found(build_report(out / "ledger", ("planning", "scheduling")).topics)
        _print_files(page, drawn)
    for run in benched.runs:
        mention_failures(run)
    return mention_stop(benched.runs) if settings else 1  # Not one task was finished.


def _print_files(page: Path | None, drawn: list[Path]) -> None:
    from agentdyno.cli.output import console
    from agentdyno.records import shortened

    if page:
        console().print(f"report: {shortened(page)}", style="dim")
    if drawn:
        console().print(
            f"schedules: {shortened(drawn[0].parent)}/*.svg ({len(drawn)})", style="dim"
        )
