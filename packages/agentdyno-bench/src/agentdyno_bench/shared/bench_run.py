"""Runs plans one after the other, then measures all their logs into one ledger.

run       each plan: a task and a model, resumed where it stopped     benchmarks.running.plans
measure   OUT/logs -> OUT/ledger, through intake like any trace        pipelines.measure
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.pipelines.measure import Measured, MeasureOptions, measure
from agentdyno_bench.shared.running.options import TaskRun
from agentdyno_bench.shared.running.plans import Plan, Progress, run_plans


class Benched(Struct, frozen=True):
    """Runs of the plans, and the ledger measured from them."""

    runs: list[TaskRun]
    measured: Measured
    """What the ledger took in."""


def run_bench(
    plans: Sequence[Plan],
    out: Path,
    measuring: MeasureOptions | None = None,
    progress: Progress | None = None,
) -> Benched:
    """Runs and measures; called again after any interruption it goes on."""
    runs = run_plans(plans, progress)
    options = measuring or MeasureOptions(format="inspect_ai")
    return Benched(runs, measure([out / "logs"], out / "ledger", options))
