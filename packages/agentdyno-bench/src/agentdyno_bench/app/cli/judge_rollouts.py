"""Rollouts from the command line: what `judge --estimator rollout` and `worth --judge rollout` do.

Says on stderr what is about to be run and what came of it; a bar there when it is a terminal.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agentdyno.matching.logical_tools import LogicalTools

if TYPE_CHECKING:
    from agentdyno_bench.shared.running.options import ModelSpec
    from agentdyno_bench.utility.rollouts.run import RolledOut


class RolloutOptions(Struct, frozen=True):
    """Options of the rollout estimator."""

    rules: LogicalTools
    continuations: int
    """At most so many for each side of a call."""
    smallest: float
    """Effects below this are not looked for."""
    sample: int | None = None
    """Only so many calls, spread over all; None for every call."""
    models: tuple[str, ...] = ()
    """Who continues; nobody named means the model that made each trajectory."""
    base_url: str | None = None
    """Where that model's service is, if elsewhere."""
    arguments: tuple[str, ...] = ()
    """KEY=VALUE for its provider."""
    concurrency: int = 16
    """Runs in progress at once."""
    max_usd: float | None = None
    """Stops once so much was spent; None for no limit."""
    prices: Path | None = None
    """A price table of the user's own."""
    trusted: bool = False
    """Whether models are reached and code is run as the run's settings say."""


def roll_out_ledger(ledger: Path, options: RolloutOptions) -> "RolledOut":
    """Continues the trajectories of a ledger."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.records import InputError
    from agentdyno_bench.app.restoring import find_benches
    from agentdyno_bench.utility.findings.rollouts import SignTest
    from agentdyno_bench.utility.rollouts.run import roll_out
    from agentdyno_bench.utility.rollouts.run.inspect_runs import Continuing

    model = _choose_model(options)
    settings = Continuing(model, options.concurrency, options.trusted, options.prices)
    with sample_progress() as progress:
        result = roll_out(
            ledger,
            find_benches(ledger, settings),
            SignTest(options.continuations, 0.05, options.smallest),
            options.rules,
            lambda now, total: progress("continuations", now, total),
            options.max_usd,
            lambda expected: print(f"{expected}", file=sys.stderr),
            options.sample,
        )
    if result.not_resumable and not result.calls + result.known:
        raise InputError(_explain_none_resumed(ledger, result))
    _print_result(result)
    return result


def _explain_none_resumed(ledger: Path, result: "RolledOut") -> str:
    why = "; ".join(f"{many:,}, as {reason}" for reason, many in result.reasons.items())
    return (
        f"{ledger}: expected trajectories of facts, tir, toolfail or tps whose calls can be "
        f"continued, found none ({why})."
    )


def _choose_model(options: RolloutOptions) -> "ModelSpec | None":
    """Who goes on; None for the model that made each trajectory."""
    from agentdyno.records import InputError
    from agentdyno_bench.shared.running.options import model_spec

    if len(options.models) > 1:
        raise InputError(f"--estimator rollout: expected one --model, found {len(options.models)}.")
    if options.models:
        return model_spec(options.models[0], options.base_url, list(options.arguments))
    if options.base_url or options.arguments:
        raise InputError(
            "--base-url and -M say where a model is: expected --model too, found none."
        )
    return None


def _print_result(result: "RolledOut") -> None:
    from agentdyno.records import plural, printable

    money = "" if result.spent_usd is None else f", ${result.spent_usd:,.2f}"
    before = f"; {plural(result.known, 'call')} known before" if result.known else ""
    _say(
        f"{plural(result.calls, 'call')}, {plural(result.continuations, 'continuation')}{money}, "
        f"{plural(result.decided, 'sign')} settled{before}."
    )
    for reason, many in result.reasons.items():
        who = plural(many, "trajectory", "trajectories")
        _say(f"{who} cannot be continued: {printable(reason, 200)}.")
    for name, reason in list(result.missing.items())[:5]:
        _say(f"{printable(name, 120)}: {printable(reason, 200)}.")
    if result.failed:
        _say(
            f"{result.failed:,} continuations failed or could not be graded and count nowhere; run "
            "the command again to repeat those that failed."
        )
    if result.out_of_money:
        _say("Stopped at --max-usd; run the command again with more to go on.")


def _say(text: Any) -> None:
    print(text, file=sys.stderr)
