"""The benchmark from end to end: run every model, measure, label, judge, report.

run       two steps per task, resumed where it stopped          benchmarks.running
measure   OUT/logs -> OUT/ledger                                 pipelines.bench
label     both rules on every trajectory                         labels
judge     verdicts kept in OUT/verdicts, when judges are named   judging
report    OUT/failures.md, OUT/failures.json, OUT/labels.jsonl   report, markdown, charts
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.benchmarks.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno.benchmarks.toolfail.suite import Turns, load_suite
from agentdyno.benchmarks.toolfail.task import FACTORY
from agentdyno.pipelines.bench.run import Benched, Plan, Progress, run_bench
from agentdyno.pipelines.measure import MeasureOptions
from agentdyno.pipelines.toolfail.charts import domain_chart, profile_chart
from agentdyno.pipelines.toolfail.judging import judge_trajectories, judges_for
from agentdyno.pipelines.toolfail.labels import LabelledTrajectory, failure_rows, label_logs
from agentdyno.pipelines.toolfail.markdown import render_failures
from agentdyno.pipelines.toolfail.report import FailureReport, report_failures


class ToolfailOptions(Struct, frozen=True):
    """What the user may choose beyond how a task is run."""

    models: Sequence[ModelSpec]
    """Models to be measured."""
    tasks: Path | None = None
    """A folder in the published format; None for the bundled suite."""
    turns: Turns = "single"
    """`multi` adds the tasks of several turns."""
    stride: int | None = None
    """Every so-many-th task; None for all."""
    judges: Sequence[str] = ()
    """Models that judge; one gets both framings, several get them in turn."""


class ToolfailDone(Struct, frozen=True):
    """What became of it."""

    benched: Benched
    """The runs and the ledger."""
    report: FailureReport
    """Labels summed up."""


def run_toolfail(
    asked: ToolfailOptions,
    options: RunOptions,
    measuring: MeasureOptions | None = None,
    progress: Progress | None = None,
    page: bool = True,
) -> ToolfailDone:
    """Runs, measures, labels, judges and reports."""
    suite = load_suite(asked.tasks, asked.turns)  # Wrong folders are said before anything runs.
    benched = run_bench(toolfail_plans(asked, options), options.out, measuring, progress, page)
    folders = [run.folder.absolute() for run in benched.runs]
    labelled = label_logs(options.out / "logs", suite, folders)
    if asked.judges:
        store = options.out / "verdicts"
        judges = judges_for(asked.judges)
        labelled, verdicts = judge_trajectories(labelled, suite, judges, store)
        _write_lines(options.out / "verdicts.jsonl", verdicts)
    report = report_failures(suite.name, labelled, benched.measured.ledger)
    write_report(report, labelled, options.out)
    return ToolfailDone(benched, report)


def toolfail_plans(asked: ToolfailOptions, options: RunOptions) -> list[Plan]:
    """The task with every model."""
    given = {
        "tasks": str(asked.tasks.resolve()) if asked.tasks else None,
        "turns": asked.turns,
        "stride": asked.stride,
    }
    recipe = TaskRecipe(FACTORY, {key: value for key, value in given.items() if value is not None})
    models = list({model.name: model for model in asked.models}.values())
    return [Plan(recipe, model, options) for model in models]


def write_report(report: FailureReport, labelled: Sequence[LabelledTrajectory], out: Path) -> None:
    """The report for people and for programs, and every label."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "failures.md").write_text(render_failures(report), encoding="utf-8")
    charts = {"profiles": profile_chart(report), "domains": domain_chart(report)}
    whole = {**msgspec.to_builtins(report), "charts": charts}
    (out / "failures.json").write_bytes(msgspec.json.format(msgspec.json.encode(whole)))
    _write_lines(out / "labels.jsonl", failure_rows(labelled))


def _write_lines(file: Path, rows: Sequence[object]) -> None:
    file.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
