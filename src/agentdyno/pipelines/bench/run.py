"""Runs plans one after the other, then measures all their logs into one ledger.

    run       each plan: a task and a model, resumed where it stopped     benchmarks.running
    measure   OUT/logs -> OUT/ledger, through intake like any trace        pipelines.measure
    derive    what this benchmark alone can add to the ledger             the benchmark's own
    report    OUT/report.html                                             pipelines.report

A plan is what any benchmark has to give: a recipe for its task, a model, and how to run it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.benchmarks.running.options import ModelSpec, RunOptions, TaskRecipe, TaskRun
from agentdyno.benchmarks.running.run import run_task
from agentdyno.pipelines.measure import Measured, MeasureOptions, measure

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much of it is done, and of how much."""

Derive = Callable[[Sequence[TaskRun], Measured], None]
"""Adds tables to the ledger once it is measured, before anything is reported."""


class Plan(Struct, frozen=True):
    """One task for one model."""

    task: TaskRecipe
    """How to make the task."""
    model: ModelSpec
    """Who is to solve it."""
    options: RunOptions
    """How; all plans of a run share the folder `out`."""


class Benched(Struct, frozen=True):
    """What became of the plans."""

    runs: list[TaskRun]
    """One for each plan."""
    measured: Measured
    """What the ledger took in."""
    report: Path | None
    """The page with the report; None when it was not wanted."""


def run_bench(
    plans: Sequence[Plan],
    out: Path,
    measuring: MeasureOptions | None = None,
    progress: Progress | None = None,
    report: bool = True,
    derive: Derive | None = None,
) -> Benched:
    """Runs, measures, derives and reports; called again after any interruption it goes on."""
    runs = [_run(plan, progress) for plan in plans]
    options = measuring or MeasureOptions(format="inspect_ai")
    measured = measure([out / "logs"], out / "ledger", options)
    if derive is not None:
        derive(runs, measured)
    page = _write_report(out) if report else None
    return Benched(runs, measured, page)


def _run(plan: Plan, progress: Progress | None) -> TaskRun:
    def told(done: int, total: int) -> None:
        assert progress is not None
        progress(plan.model.name, done, total)

    return run_task(plan.task, plan.model, plan.options, told if progress else None)


def _write_report(out: Path) -> Path:
    from agentdyno.pipelines.report import build_report
    from agentdyno.reports.html import render_page

    report = build_report(out / "ledger")
    page = out / "report.html"
    page.write_text(render_page(report.title, report.topics), encoding="utf-8")
    return page
