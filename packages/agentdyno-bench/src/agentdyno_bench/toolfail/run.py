"""The benchmark from end to end: run every model, measure, label, judge, report.

run       two steps per task, resumed where it stopped          benchmarks.running, scoring
measure   OUT/logs -> OUT/ledger                                 pipelines.bench
label     what was submitted, or the published rule over prose   bench.toolfail_labels
judge     verdicts in the ledger, when judges are named          bench.toolfail_judging
vote      the published rule and judges, over prose              studies.failures.votes
record    the ledger's table `failures`                          pipelines.classify
report    OUT/failures.md, OUT/failures.json, OUT/labels.jsonl   reports.topics.failures
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import Measured, MeasureOptions, measure
from agentdyno.reports.markdown import render_markdown
from agentdyno.studies.cost.unit import costs_of
from agentdyno_bench.shared.running.budget import enter_spending, left_after
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRun
from agentdyno_bench.shared.running.plans import Progress, run_plans
from agentdyno_bench.shared.verdicts.options import Judged
from agentdyno_bench.toolfail.classify.table import add_failures
from agentdyno_bench.toolfail.label_files import label_logs
from agentdyno_bench.toolfail.records import Answers, TaskSuite
from agentdyno_bench.toolfail.report import render_failures
from agentdyno_bench.toolfail.studies.labels import LabelledTrajectory, failure_rows
from agentdyno_bench.toolfail.studies.rated_attempts import list_rated_trajectories
from agentdyno_bench.toolfail.studies.report import FailureReport, Failures, report_failures
from agentdyno_bench.toolfail.studies.votes import with_votes
from agentdyno_bench.toolfail.tasks.plans import toolfail_plans
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task import check_answers, replace_prompt
from agentdyno_bench.toolfail.tasks.task_suites import Turns


class AttemptJudges(Protocol):
    """Who judges attempts, within which limits."""

    def refuse_unknown_prices(self) -> None:
        """`InputError` when money is limited and a judge has no price."""
        ...

    def within(self, max_usd: float | None) -> "AttemptJudges":
        """The same, who may spend no more than this."""
        ...

    def judge(
        self,
        ledger: Path,
        suite: TaskSuite,
        labelled: Sequence[LabelledTrajectory],
        progress: Progress | None = None,
    ) -> Judged:
        """Every judge's verdict on every attempt, in the ledger."""
        ...


class ToolfailOptions(Struct, frozen=True):
    """Options of `bench toolfail`, besides how a task is run."""

    models: Sequence[ModelSpec]
    """Models to be measured."""
    tasks: Path | None = None
    """A folder in the published format; None for the bundled suite."""
    turns: Turns = "single"
    """`multi` adds the tasks of several turns."""
    stride: int | None = None
    """One in so many tasks; None for all."""
    answers: Answers = "submit"
    """Whether models submit their answers, or write prose as the paper has it."""
    published: Path | None = None
    """The published repository, of which the published rule takes its field names."""
    prompts: dict[str, str] = {}
    """Texts in place of our prompts: `system` of every domain."""
    judging: AttemptJudges | None = None
    """Which models judge; None for none."""


class ToolfailDone(Struct, frozen=True):
    """Runs of the benchmark, and their report."""

    runs: list[TaskRun]
    measured: Measured
    """What the ledger took in."""
    report: FailureReport
    judged: Judged | None = None
    """What judging did; None without judges."""


def run_toolfail(
    setup: ToolfailOptions,
    options: RunOptions,
    measuring: MeasureOptions | None = None,
    progress: Progress | None = None,
) -> ToolfailDone:
    """Runs, measures, labels, judges and reports."""
    # Wrong folders are reported before anything runs.
    suite = load_suite(setup.tasks, setup.turns, setup.published)
    check_answers(suite, setup.answers)
    replace_prompt(suite, setup.prompts.get("system"))
    if setup.judging:
        setup.judging.refuse_unknown_prices()
    runs = run_plans(
        toolfail_plans(
            setup.models,
            options,
            setup.tasks,
            setup.turns,
            setup.stride,
            setup.answers,
            setup.published,
            setup.prompts.get("system"),
        ),
        progress,
    )
    out = options.out
    measuring = measuring or MeasureOptions(format="inspect_ai")
    measured = measure([out / "logs"], out / "ledger", measuring)
    labelled = label_logs(out / "logs", suite, runs)
    # First without judges: one that fails, or costs too much, takes nothing from the rules.
    report, judged = _record(labelled, suite, measured.ledger, out), None
    if setup.judging:
        judging = setup.judging
        if options.max_usd is not None:
            judging = judging.within(left_after(out, options.max_usd))
        judged = judging.judge(measured.ledger, suite, labelled, progress)
        if options.max_usd is not None:
            enter_spending(out, "judges", judged.spent_usd or 0.0)
        report = _record(labelled, suite, measured.ledger, out)
    return ToolfailDone(runs, measured, report, judged)


def _record(
    labelled: Sequence[LabelledTrajectory], suite: TaskSuite, ledger: Path, out: Path
) -> FailureReport:
    """Labels and votes into the ledger, and what they say of the models of these runs."""
    voted = record_labels(labelled, ledger)
    ours = {attempt.trajectory_id for attempt in voted}
    tables = Ledger(ledger)
    costs = costs_of(tables)
    report = report_failures(suite.name, list_rated_trajectories(tables, ours, costs), costs.unit)
    write_report(report, voted, out)
    return report


def record_labels(labelled: Sequence[LabelledTrajectory], ledger: Path) -> list[LabelledTrajectory]:
    """Labels with the votes of rule and judges, which are then in the ledger."""
    voted = with_votes(labelled, Ledger(ledger))
    add_failures(ledger, failure_rows(voted))
    return voted


def write_report(report: FailureReport, labelled: Sequence[LabelledTrajectory], out: Path) -> None:
    """The report for people and for programs, and every label."""
    out.mkdir(parents=True, exist_ok=True)
    page = render_markdown([render_failures(Failures([report], []))], f"Failures: {report.suite}")
    (out / "failures.md").write_text(page, encoding="utf-8")
    (out / "failures.json").write_bytes(msgspec.json.format(msgspec.json.encode(report)))
    _write_lines(out / "labels.jsonl", failure_rows(labelled))


def _write_lines(file: Path, rows: Sequence[object]) -> None:
    file.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
