"""`agentdyno judge`: verdicts on calls and trajectories, by models, rollouts, or from elsewhere."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno.findings.utility.logical import LogicalTools
    from agentdyno.pipelines.judge import JudgeOptions


class Estimator(StrEnum):
    """How it is found out."""

    judge = "judge"
    rollout = "rollout"


def command(
    ledger: opt.LedgerFolder,
    kind: Annotated[
        str,
        typer.Option(
            help="utility (did calls help), failure (how were tools used), answer (is it right), "
            "completion (which parts are done), or a plug-in's."
        ),
    ] = "utility",
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="A judge as openai/gpt-4.1; several give agreement."),
    ] = None,
    base_url: opt.BaseUrl = None,
    model_argument: opt.ModelArguments = None,
    estimator: Annotated[
        Estimator, typer.Option(help="A judge, or rollouts where runs can be continued.")
    ] = Estimator.judge,
    import_file: Annotated[
        Path | None, typer.Option("--import", help="Add the verdicts of this JSONL file.")
    ] = None,
    tasks: Annotated[
        str | None,
        typer.Option(
            help="Tasks whose truth is known: `bundled`, a folder (failure) or a file (completion)."
        ),
    ] = None,
    references: Annotated[
        Path | None, typer.Option(help="Right answers: JSONL with task_id and answer.")
    ] = None,
    tools: opt.ToolRules = None,
    reads_only: opt.ReadsOnly = None,
    solved: Annotated[
        str | None, typer.Option(help="When a task of this domain counts as solved, in words.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Times that every judge is asked.")] = 1,
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="Judge only so many calls or trajectories, spread over all."),
    ] = None,
    budget: Annotated[
        int, typer.Option(min=500, help="Tokens of the state that a judge is shown.")
    ] = 6000,
    max_usd: opt.MaxUsd = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Questions in flight.")] = 16,
    per_minute: Annotated[
        float | None, typer.Option(min=0.1, help="Questions started in a minute at most.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Folder of answers, to share them between ledgers.")
    ] = None,
    prices: opt.Prices = None,
    check: Annotated[
        int | None,
        typer.Option(min=1, help="Check on so many of them if order or orders move the judge."),
    ] = None,
    continuations: opt.Continuations = 256,
    smallest: Annotated[
        float, typer.Option(min=0, max=1, help="Effects below this end a rollout.")
    ] = 0.05,
    trust_run: Annotated[
        bool,
        typer.Option(
            "--trust-run", help="Rollouts reach models and run code as the run's settings say."
        ),
    ] = False,
    json: opt.Json = False,
) -> int:
    """Judge calls or whole trajectories by models or by rollouts, record the verdicts in the
    ledger, and say what they come to."""
    import msgspec

    from agentdyno.cli.judge_output import judge, kind_of, open_client
    from agentdyno.cli.output import print_json
    from agentdyno.findings.utility.logical import choose_rules

    _refuse_what_does_not_go(kind, estimator, import_file, tasks, references)
    rules = choose_rules(tools, reads_only)
    done: dict[str, Any] = {}
    if import_file is not None:
        done["imported"] = _import(ledger, import_file)
    if estimator is Estimator.rollout:
        from agentdyno.pipelines.judge.estimators import EstimatorOptions, find_estimator

        asked_for = EstimatorOptions(
            rules,
            continuations,
            smallest,
            sample,
            tuple(model or ()),
            base_url,
            tuple(model_argument or ()),
            concurrency,
            max_usd,
            prices,
            trust_run,
        )
        done["rolled_out"] = find_estimator(estimator.value).estimate(ledger, asked_for)
    if model and estimator is Estimator.judge:
        models = [open_client(name, base_url, model_argument or []) for name in model]
        options = _options(
            rules,
            solved,
            repeats,
            sample,
            check,
            budget,
            max_usd,
            concurrency,
            per_minute,
            answers,
            prices,
        )
        asked = kind_of(kind, options, tasks, references)
        done["judged"] = judge(ledger, asked, models, options)
    report = _report(ledger, kind, rules, displayed=not json)
    if json:
        print_json({**msgspec.to_builtins(report), **msgspec.to_builtins(done)})
    judged = done.get("judged")
    return 1 if judged is not None and judged.unanswered else 0


def _refuse_what_does_not_go(
    kind: str,
    estimator: Estimator,
    import_file: Path | None,
    tasks: str | None,
    references: Path | None,
) -> None:
    from agentdyno.pipelines.judge.kinds.choosing import Truth, choose_kind
    from agentdyno.records import InputError

    alone = {"--import": import_file, "--estimator rollout": estimator is Estimator.rollout or None}
    for option, given in alone.items():
        if given is not None and kind != "utility":
            raise InputError(f"{option} goes with --kind utility, found --kind {kind}.")
    choose_kind(kind, Truth(tasks, references))


def _report(ledger: Path, kind: str, rules: "LogicalTools", *, displayed: bool) -> Any:
    """What the verdicts of the kind come to, and for people on the terminal."""
    from agentdyno.cli.output import print_found
    from agentdyno.ledger.reader import Ledger
    from agentdyno.pipelines.sources import ReadableLedger
    from agentdyno.records import InputError
    from agentdyno.reports.topics.utility import render_utility
    from agentdyno.reports.topics.verdicts import render_verdicts
    from agentdyno.studies.utility import report_utility
    from agentdyno.studies.utility.results import Usefulness
    from agentdyno.studies.verdicts.summary import summarise_verdicts

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


def _options(
    rules: "LogicalTools",
    solved: str | None,
    repeats: int,
    sample: int | None,
    check: int | None,
    budget: int,
    max_usd: float | None,
    concurrency: int,
    per_minute: float | None,
    answers: Path | None,
    prices: Path | None,
) -> "JudgeOptions":
    from agentdyno.judges.questions import AskOptions
    from agentdyno.judges.utility.utility_prompt import SOLVED, Framing
    from agentdyno.pipelines.judge import JudgeOptions

    return JudgeOptions(
        framing=Framing(solved=solved or SOLVED, budget_tokens=budget),
        repeats=repeats,
        sample=sample,
        check=check,
        rules=rules,
        ask=AskOptions(concurrency=concurrency, per_minute=per_minute, max_usd=max_usd),
        answers=answers,
        prices=prices,
    )


def _import(ledger: Path, file: Path) -> Any:
    import sys

    from agentdyno.pipelines.judge.importing import import_verdicts

    done = import_verdicts(ledger, file)
    for bad in done.bad[:5]:
        print(f"skipped: {bad}", file=sys.stderr)
    if len(done.bad) > 5:
        print(f"skipped: {len(done.bad) - 5:,} more lines", file=sys.stderr)
    return done
