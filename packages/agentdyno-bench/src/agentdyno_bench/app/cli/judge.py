"""`agentdyno judge`: verdicts on calls and trajectories, by models, rollouts, or from elsewhere."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno_bench.app.cli.bench_output import Prompt

if TYPE_CHECKING:
    from agentdyno.matching.logical_tools import LogicalTools
    from agentdyno_bench.shared.judging import JudgeOptions


class Estimator(StrEnum):
    """How it is found out."""

    judge = "judge"
    rollout = "rollout"


class Options(Struct, frozen=True, kw_only=True):
    ledger: opt.LedgerFolder
    sources: opt.Sources = None
    kind: str = "utility"
    """utility (did calls help), failure (how were tools used), answer (is it right), completion
    (which parts are done), or a plug-in's."""
    model: Annotated[list[str] | None, typer.Option("--model", "-m")] = None
    """A judge as openai/gpt-4.1; several give agreement."""
    base_url: opt.BaseUrl = None
    model_argument: opt.ModelArguments = None
    estimator: Estimator = Estimator.judge
    """A judge, or rollouts where runs can be continued."""
    import_file: Annotated[Path | None, typer.Option("--import")] = None
    """Add the verdicts of this JSONL file."""
    tasks: str | None = None
    """Tasks whose truth is known: `bundled`, a folder (failure) or a file (completion)."""
    references: Path | None = None
    """Right answers: JSONL with task_id and answer."""
    tools: opt.ToolRules = None
    reads_only: opt.ReadsOnly = None
    solved: str | None = None
    """When a task of this domain counts as solved, in words."""
    repeats: Annotated[int, typer.Option(min=1)] = 1
    """Times that every judge is asked."""
    sample: Annotated[int | None, typer.Option(min=1)] = None
    """Judge only so many calls or trajectories, spread over all."""
    budget: Annotated[int, typer.Option(min=500)] = 6000
    """Tokens of the state that a judge is shown."""
    max_usd: opt.MaxUsd = None
    concurrency: Annotated[int, typer.Option(min=1)] = 16
    """Questions in flight."""
    per_minute: Annotated[float | None, typer.Option(min=0.1)] = None
    """Questions started in a minute at most."""
    answers: Path | None = None
    """Folder of answers, to share them between ledgers."""
    prompt: Prompt = None
    prices: opt.Prices = None
    check: Annotated[int | None, typer.Option(min=1)] = None
    """Check on so many of them if order or orders move the judge."""
    continuations: opt.Continuations = 256
    smallest: Annotated[float, typer.Option(min=0, max=1)] = 0.05
    """Effects below this end a rollout."""
    trust_run: bool = False
    """Rollouts reach models and run code as the run's settings say."""
    json: opt.Json = False


@takes_options
def command(args: Options) -> int:
    """Judge calls or whole trajectories by models or by rollouts, record the verdicts in the
    ledger, and say what they come to."""
    import msgspec

    from agentdyno.cli.output import print_json
    from agentdyno.matching.logical_tools import choose_rules
    from agentdyno_bench.shared.judging.command import judge, kind_of, open_client

    _refuse_conflicting_options(args)
    rules = choose_rules(args.tools, args.reads_only)
    results: dict[str, Any] = {}
    if args.import_file is not None:
        results["imported"] = _import(args.ledger, args.import_file)
    if args.estimator is Estimator.rollout:
        from agentdyno_bench.app.cli.judge_rollouts import RolloutOptions, roll_out_ledger

        asked_for = RolloutOptions(
            rules,
            args.continuations,
            args.smallest,
            args.sample,
            tuple(args.model or ()),
            args.base_url,
            tuple(args.model_argument or ()),
            args.concurrency,
            args.max_usd,
            args.prices,
            args.trust_run,
        )
        results["rolled_out"] = roll_out_ledger(args.ledger, asked_for)
    if args.model and args.estimator is Estimator.judge:
        arguments = args.model_argument or []
        models = [open_client(name, args.base_url, arguments) for name in args.model]
        options = _options(args, rules)
        selected = kind_of(args.kind, options, args.tasks, args.references)
        results["judged"] = judge(args.ledger, selected, models, options)
    report = _report(args.ledger, args.kind, rules, displayed=not args.json)
    if args.json:
        print_json({**msgspec.to_builtins(report), **msgspec.to_builtins(results)})
    judged = results.get("judged")
    return 1 if judged is not None and judged.unanswered else 0


def _refuse_conflicting_options(args: Options) -> None:
    from agentdyno.records import InputError
    from agentdyno_bench.shared.judging.choosing import Truth, choose_kind

    rolls_out = args.estimator is Estimator.rollout
    alone = {"--import": args.import_file is not None, "--estimator rollout": rolls_out}
    for option, is_given in alone.items():
        if is_given and args.kind != "utility":
            raise InputError(f"{option} goes with --kind utility, found --kind {args.kind}.")
    choose_kind(args.kind, Truth(args.tasks, args.references))


def _report(ledger: Path, kind: str, rules: "LogicalTools", *, displayed: bool) -> Any:
    """Summarize the kind's verdicts, and print them for people on the terminal."""
    from agentdyno.cli.output import print_found
    from agentdyno.ledger.reader import Ledger
    from agentdyno.pipelines.sources import ReadableLedger
    from agentdyno.records import InputError
    from agentdyno_bench.app.verdict_report import render_verdicts
    from agentdyno_bench.shared.verdicts.summary import summarise_verdicts
    from agentdyno_bench.utility.report import render_utility
    from agentdyno_bench.utility.studies import report_utility
    from agentdyno_bench.utility.studies.results import Usefulness

    if kind == "utility":
        report = report_utility(ReadableLedger(ledger), rules)
        if displayed:
            print_found([render_utility(Usefulness(report, []))])
        return report
    summary = summarise_verdicts(Ledger(ledger), kind)
    if summary is None:
        raise InputError(
            f"{ledger}: expected {kind} verdicts, found none. Add some with "
            f"`agentdyno judge LEDGER --kind {kind} --model M`."
        )
    if displayed:
        print_found([render_verdicts(summary)])
    return summary


def _options(args: Options, rules: "LogicalTools") -> "JudgeOptions":
    from agentdyno_bench.shared.judges.framing import SOLVED, Framing
    from agentdyno_bench.shared.judges.questions import AskOptions
    from agentdyno_bench.shared.judging import JudgeOptions
    from agentdyno_bench.shared.prompts import read_prompts

    return JudgeOptions(
        framing=Framing(solved=args.solved or SOLVED, budget_tokens=args.budget),
        repeats=args.repeats,
        sample=args.sample,
        check=args.check,
        rules=rules,
        ask=AskOptions(args.concurrency, args.per_minute, max_usd=args.max_usd),
        answers=args.answers,
        prices=args.prices,
        instructions=read_prompts(args.prompt or (), ["judge"]).get("judge", ()),
    )


def _import(ledger: Path, file: Path) -> Any:
    import sys

    from agentdyno_bench.shared.judging.importing import import_verdicts

    imported = import_verdicts(ledger, file)
    for bad in imported.bad[:5]:
        print(f"skipped: {bad}", file=sys.stderr)
    if len(imported.bad) > 5:
        print(f"skipped: {len(imported.bad) - 5:,} more lines", file=sys.stderr)
    return imported
