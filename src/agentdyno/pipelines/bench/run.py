"""Runs plans one after the other, then measures all their logs into one ledger.

run       each plan: a task and a model, resumed where it stopped     benchmarks.running
measure   OUT/logs -> OUT/ledger, through intake like any trace        pipelines.measure
derive    what this benchmark alone can add to the ledger             the benchmark's own
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.benchmarks.running.options import TaskRun
from agentdyno.benchmarks.running.plans import Plan
from agentdyno.benchmarks.running.run import run_task
from agentdyno.pipelines.measure import Measured, MeasureOptions, measure

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much of it is done, and of how much."""

Derive = Callable[[Sequence[TaskRun], Measured], None]
"""Adds tables to the ledger once it is measured, before anything is reported."""


class Benched(Struct, frozen=True):
    """What became of the plans."""

    runs: list[TaskRun]
    """One for each plan."""
    measured: Measured
    """What the ledger took in."""


def run_bench(
    plans: Sequence[Plan],
    out: Path,
    measuring: MeasureOptions | None = None,
    progress: Progress | None = None,
    derive: Derive | None = None,
) -> Benched:
    """Runs, measures and derives; called again after any interruption it goes on."""
    runs = [_run(plan, progress) for plan in plans]
    options = measuring or MeasureOptions(format="inspect_ai")
    measured = measure([out / "logs"], out / "ledger", options)
    if derive is not None:
        derive(runs, measured)
    return Benched(runs, measured)


def _run(plan: Plan, progress: Progress | None) -> TaskRun:
    def tell(done: int, total: int) -> None:
        assert progress is not None
        progress(plan.model.name, done, total)

    return run_task(plan.task, plan.model, plan.options, tell if progress else None)
