"""`agentdyno bench toolfail`: 1,000 tasks that show where the tool-use loop breaks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options
from agentdyno_bench.app.cli.bench_output import (
    BenchOptions,
    ToolfailAnswers,
    ToolfailTurns,
    mention_failures,
    mention_stop,
)

if TYPE_CHECKING:
    from agentdyno_bench.shared.judging import Judged
    from agentdyno_bench.toolfail.judging import Judging
    from agentdyno_bench.toolfail.run import ToolfailDone


class Options(BenchOptions, frozen=True, kw_only=True):
    tasks: Path | None = None
    """Tasks in the published format; by default our own."""
    turns: ToolfailTurns = ToolfailTurns.single
    """multi adds 200 tasks of several turns."""
    stride: Annotated[int | None, typer.Option(min=1)] = None
    """One in N tasks, domains and controls in proportion; 10 gives 100 of our 1,000."""
    answers: ToolfailAnswers = ToolfailAnswers.submit
    """How models answer: submit, a call that a program compares; prose, as in the paper, marked by
    its published rule and judges, for models that cannot be made to call submit."""
    published: Path | None = None
    """A copy of the published repository: the published rule takes its list of field names, in
    place of each return's own keys. Read as text, never run."""
    judge: Annotated[list[str] | None, typer.Option("--judge")] = None
    """A model that judges; one gets both framings."""
    processes: opt.Processes = None
    max_tokens: opt.MaxTokens = 1024
    hardware: opt.Hardware = "h100-pcie"
    arch: opt.Arch = "auto"


@takes_options
def command(args: Options) -> int:
    """Run 1,000 tasks that show how tool use breaks: skipped tools, ignored results, invented
    values and needless calls."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno_bench.shared.prompts import first_prompts
    from agentdyno_bench.toolfail.run import ToolfailOptions, run_toolfail
    from agentdyno_bench.toolfail.tasks.task import SEED, TEMPERATURE

    prompts = args.prompts("system", "judge")
    toolfail_options = copy_options(
        args,
        ToolfailOptions,
        models=args.model_specs(),
        tasks=args.tasks,
        prompts=first_prompts(prompts),
        judging=_judge_options(args, prompts.get("judge", ())),
    )
    temperature = TEMPERATURE if args.temperature is None else args.temperature
    options = args.run_options(temperature=temperature, seed=SEED)
    measuring = MeasureOptions(
        format="inspect_ai",
        hardware=args.hardware,
        arch=args.arch,
        prices=str(args.prices) if args.prices else None,
    )
    with sample_progress() as progress:
        result = run_toolfail(toolfail_options, options, measuring, progress)
    return _show(result, args.out, args.write_page(), args.json)


def _judge_options(args: Options, instructions: tuple[str, ...]) -> "Judging | None":
    import sys

    from agentdyno.records import InputError
    from agentdyno_bench.shared.judges.questions import AskOptions
    from agentdyno_bench.shared.judging import JudgeOptions
    from agentdyno_bench.shared.judging.command import open_client
    from agentdyno_bench.toolfail.judging import Judging

    base_url, arguments = args.judge_base_url, args.judge_argument or []
    alone = {"--judge-base-url": base_url, "-J": arguments or None}
    for option, value in alone.items():
        if value is not None and not args.judge:
            raise InputError(f"{option} is about judges: expected --judge NAME too, found none.")
    if not args.judge:
        return None
    return Judging(
        models=[open_client(name, base_url, arguments) for name in args.judge],
        options=JudgeOptions(
            ask=AskOptions(max_usd=args.max_usd), prices=args.prices, instructions=instructions
        ),
        announce=lambda estimated: print(f"judging: {estimated}", file=sys.stderr),
    )


def _show(result: "ToolfailDone", out: Path, page: Path | None, as_json: bool) -> int:
    import msgspec

    from agentdyno.cli.output import console, print_found, print_json
    from agentdyno.records import shortened
    from agentdyno_bench.toolfail.report import render_failures
    from agentdyno_bench.toolfail.studies.report import Failures

    if as_json:
        runs = msgspec.to_builtins(result.runs, enc_hook=str)
        judged = msgspec.to_builtins(result.judged)
        print_json({**msgspec.to_builtins(result.report), "runs": runs, "judged": judged})
    else:
        print_found([render_failures(Failures([result.report], []))])
        pages = [shortened(page or out / "failures.md"), shortened(out / "ledger")]
        console().print(f"report: {pages[0]}, ledger: {pages[1]}", style="dim")
    for run in result.runs:
        mention_failures(run)
    unanswered = _mention_judging(result.judged)
    if not result.report.trajectories or unanswered:
        return 1
    return mention_stop(result.runs)


def _mention_judging(judged: "Judged | None") -> int:
    """Says on stderr what did not go well; how many questions have no answer."""
    import sys

    from agentdyno_bench.shared.reports.judging_remarks import remarks

    if judged is None:
        return 0
    for line in remarks(judged, "trajectories"):
        print(line, file=sys.stderr)
    return judged.unanswered
