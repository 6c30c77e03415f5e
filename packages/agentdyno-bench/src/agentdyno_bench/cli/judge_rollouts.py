"""Rollouts from the command line: what `judge --estimator rollout` and `ablate --judge rollout` do.

Says on stderr what is about to be run and what came of it; a bar there when it is a terminal.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentdyno.pipelines.judge.estimators import Estimator, EstimatorOptions

if TYPE_CHECKING:
    from agentdyno.findings.utility.logical import LogicalTools
    from agentdyno_bench.pipelines.rollout import RolledOut


def roll_out_ledger(
    ledger: Path,
    rules: "LogicalTools",
    continuations: int,
    smallest: float,
    sample: int | None = None,
    model: tuple[str, str | None, list[str]] | None = None,
    concurrency: int = 16,
    max_usd: float | None = None,
    prices: Path | None = None,
    trusted: bool = False,
) -> "RolledOut":
    """Continues the trajectories of a ledger; `model` is name, address and arguments."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.findings.utility.rollouts import SignTest
    from agentdyno.records import InputError
    from agentdyno_bench.cli.bench_output import model_spec
    from agentdyno_bench.pipelines.rollout import roll_out
    from agentdyno_bench.pipelines.rollout.inspect_runs import Continuing, find_benches

    asked = Continuing(model_spec(*model) if model else None, concurrency, trusted, prices)
    with sample_progress() as progress:
        done = roll_out(
            ledger,
            find_benches(ledger, asked),
            SignTest(continuations, 0.05, smallest),
            rules,
            lambda now, total: progress("continuations", now, total),
            max_usd,
            lambda expected: print(f"{expected}", file=sys.stderr),
            sample,
        )
    if done.not_resumable and not done.calls + done.known:
        raise InputError(_nothing(ledger, done))
    _print_result(done)
    return done


def _nothing(ledger: Path, done: "RolledOut") -> str:
    why = "; ".join(f"{many:,}, as {reason}" for reason, many in done.reasons.items())
    return (
        f"{ledger}: expected trajectories of facts, tir, toolfail or tps whose calls can be "
        f"continued, found none ({why})."
    )


def only_model(
    names: list[str] | None, base_url: str | None, arguments: list[str] | None
) -> tuple[str, str | None, list[str]] | None:
    """Who goes on; None for the model that made each trajectory."""
    from agentdyno.records import InputError

    if not names:
        if base_url or arguments:
            raise InputError(
                "--base-url and -M say where a model is: expected --model too, found none."
            )
        return None
    if len(names) > 1:
        raise InputError(f"--estimator rollout: expected one --model, found {len(names)}.")
    return names[0], base_url, arguments or []


def _print_result(done: "RolledOut") -> None:
    from agentdyno.records import plural, printable

    money = "" if done.spent_usd is None else f", ${done.spent_usd:,.2f}"
    before = f"; {plural(done.known, 'call')} known before" if done.known else ""
    _say(
        f"{plural(done.calls, 'call')}, {plural(done.continuations, 'continuation')}{money}, "
        f"{plural(done.decided, 'sign')} settled{before}."
    )
    for reason, many in done.reasons.items():
        who = plural(many, "trajectory", "trajectories")
        _say(f"{who} cannot be continued: {printable(reason, 200)}.")
    for name, reason in list(done.missing.items())[:5]:
        _say(f"{printable(name, 120)}: {printable(reason, 200)}.")
    if done.failed:
        _say(
            f"{done.failed:,} continuations failed or could not be graded and count nowhere; run "
            "the command again to repeat those that failed."
        )
    if done.out_of_money:
        _say("Stopped at --max-usd; run the command again with more to go on.")


def _say(text: Any) -> None:
    print(text, file=sys.stderr)


def _estimate(ledger: Path, options: EstimatorOptions) -> "RolledOut":
    return roll_out_ledger(
        ledger,
        options.rules,
        options.continuations,
        options.smallest,
        options.sample,
        only_model(list(options.models), options.base_url, list(options.arguments)),
        options.concurrency,
        options.max_usd,
        options.prices,
        options.trusted,
    )


ROLLOUT = Estimator("rollout", _estimate)
