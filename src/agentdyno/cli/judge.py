"""`agentdyno judge`: which calls helped, by a model, by rollouts, or by verdicts from elsewhere."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from agentdyno.judges.utility.asking import InspectAsk
    from agentdyno.metrics.utility.logical import LogicalTools
    from agentdyno.pipelines.judge import JudgeOptions


class Kind(StrEnum):
    """What is judged."""

    utility = "utility"


class Estimator(StrEnum):
    """How it is found out."""

    judge = "judge"
    rollout = "rollout"


def command(
    ledger: Annotated[Path, typer.Argument(help="Folder of the ledger.")],
    kind: Annotated[Kind, typer.Option(help="What is judged.")] = Kind.utility,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Inspect's name of a judge; several give agreement."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Where the judges' service is, if elsewhere.")
    ] = None,
    model_argument: Annotated[
        list[str] | None, typer.Option("-M", help="KEY=VALUE for the judges' provider.")
    ] = None,
    estimator: Annotated[
        Estimator, typer.Option(help="A judge, or rollouts where runs can be continued.")
    ] = Estimator.judge,
    import_file: Annotated[
        Path | None, typer.Option("--import", help="Add the verdicts of this JSONL file.")
    ] = None,
    tools: Annotated[
        Path | None, typer.Option(help="A TOML file that says which tool a call is of.")
    ] = None,
    solved: Annotated[
        str | None, typer.Option(help="When a task of this domain counts as solved, in words.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Times that every judge is asked.")] = 1,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Judge only so many calls, spread over the ledger.")
    ] = None,
    budget: Annotated[
        int, typer.Option(min=500, help="Tokens of the state that a judge is shown.")
    ] = 6000,
    max_usd: Annotated[
        float | None, typer.Option(min=0, help="Do not start, or go on, above this much money.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Questions in flight.")] = 16,
    per_minute: Annotated[
        float | None, typer.Option(min=0.1, help="Questions started in a minute at most.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Folder of answers, to share them between ledgers.")
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(help="A TOML price table that goes before the bundled one.")
    ] = None,
    check: Annotated[
        int | None,
        typer.Option(min=1, help="Check on so many calls if order or orders move the judge."),
    ] = None,
    continuations: Annotated[
        int, typer.Option(min=16, help="Rollouts on each side of a call at most.")
    ] = 256,
    smallest: Annotated[
        float, typer.Option(min=0, max=1, help="Effects below this end a rollout.")
    ] = 0.05,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Judge every tool call: did it raise the odds, and which tools should go."""
    import msgspec

    from agentdyno.cli.output import console, print_json
    from agentdyno.metrics.utility.logical import LogicalTools, read_rules
    from agentdyno.pipelines.utility import report_utility
    from agentdyno.reports.utility import print_utility

    rules = read_rules(tools) if tools else LogicalTools()
    done: dict[str, Any] = {}
    if import_file is not None:
        done["imported"] = _import(ledger, import_file)
    if estimator is Estimator.rollout:
        done["rolled_out"] = _roll_out(ledger, rules, continuations, smallest)
    judges = [_opened(name, base_url, model_argument or []) for name in model or ()]
    if judges and estimator is Estimator.judge:
        options = _options(
            rules,
            solved,
            repeats,
            sample,
            budget,
            max_usd,
            concurrency,
            per_minute,
            answers,
            prices,
        )
        done["judged"], done["checks"] = _judge(ledger, judges, options, check)
    report = report_utility(ledger, rules)
    if json:
        print_json({**msgspec.to_builtins(report), **msgspec.to_builtins(done)})
    else:
        print_utility(console(), report)
    judged = done.get("judged")
    return 1 if judged is not None and judged.unanswered else 0


def _options(
    rules: "LogicalTools",
    solved: str | None,
    repeats: int,
    sample: int | None,
    budget: int,
    max_usd: float | None,
    concurrency: int,
    per_minute: float | None,
    answers: Path | None,
    prices: Path | None,
) -> "JudgeOptions":
    from agentdyno.judges.utility.prompt import SOLVED, Framing
    from agentdyno.pipelines.judge import JudgeOptions
    from agentdyno.pipelines.judge.asking import AskOptions

    return JudgeOptions(
        framing=Framing(solved=solved or SOLVED, budget_tokens=budget),
        repeats=repeats,
        sample=sample,
        rules=rules,
        ask=AskOptions(concurrency=concurrency, per_minute=per_minute, max_usd=max_usd),
        answers=answers,
        prices=prices,
    )


def _opened(name: str, base_url: str | None, arguments: list[str]) -> "InspectAsk":
    from agentdyno.cli.bench_output import model_spec
    from agentdyno.judges.utility.asking import InspectAsk
    from agentdyno.records import InputError, printable

    if "/" not in name:
        raise InputError(
            f"--model {printable(name, 60)}: expected PROVIDER/MODEL, as in openai/gpt-4.1 or "
            "agentdyno/smollm2."
        )
    if name.startswith("agentdyno/"):
        # Found by its entry point once installed; a checkout on the path has none.
        from agentdyno.benchmarks import registry  # noqa: F401
    spec = model_spec(name, base_url, arguments)
    return InspectAsk(spec.name, base_url=spec.base_url, **spec.arguments)


def _judge(
    ledger: Path, judges: "list[InspectAsk]", options: "JudgeOptions", check: int | None
) -> tuple[Any, list[Any]]:
    import sys

    from agentdyno.pipelines.judge import judge_utility
    from agentdyno.pipelines.judge.checks import check_judge

    judged = judge_utility(
        ledger, list(judges), options, announce=lambda e: print(f"{e}", file=sys.stderr)
    )
    if judged.unread:
        print(f"{judged.unread:,} answers could not be read.", file=sys.stderr)
    if judged.unanswered:
        why = f" (the last one: {judged.last_error})" if judged.last_error else ""
        print(
            f"{judged.unanswered:,} questions were not answered{why}; run the command again.",
            file=sys.stderr,
        )
    checks = [c for ask in judges if check for c in check_judge(ledger, ask, options, check)]
    for one in checks:
        print(
            f"{one.model}: {one.name} moved {one.moved:,} of {one.calls:,} labels", file=sys.stderr
        )
    return judged, checks


def _roll_out(ledger: Path, rules: "LogicalTools", continuations: int, smallest: float) -> Any:
    import sys

    from agentdyno.metrics.utility.rollouts import SignTest
    from agentdyno.pipelines.rollout import roll_out
    from agentdyno.pipelines.rollout.resumable import known_benches

    done = roll_out(ledger, known_benches(), SignTest(continuations, 0.05, smallest), rules)
    print(
        f"{done.calls:,} calls, {done.continuations:,} continuations, {done.settled:,} signs "
        f"settled; {done.not_resumable:,} trajectories cannot be continued.",
        file=sys.stderr,
    )
    return done


def _import(ledger: Path, file: Path) -> Any:
    import sys

    from agentdyno.pipelines.judge.importing import import_verdicts

    done = import_verdicts(ledger, file)
    for bad in done.bad[:5]:
        print(f"skipped: {bad}", file=sys.stderr)
    if len(done.bad) > 5:
        print(f"skipped: {len(done.bad) - 5:,} more lines", file=sys.stderr)
    return done
