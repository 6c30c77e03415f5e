"""The dyno sheet of several agents: each attempts the same held-out tasks, then all are compared.

run       every agent into OUT/NAME through Inspect, resumed where it stopped    bench
compare   paired by task                                                         studies.sheets
page      OUT/sheet.html, OUT/sheet.md, OUT/sheet.json
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.up_to_date import ensure_patterns, ensure_schedules
from agentdyno.reports.html import render_page
from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.topic import Topic
from agentdyno.studies.report_context import ReportContext
from agentdyno_bench.pipelines.bench_run import run_bench
from agentdyno_bench.pipelines.toolfail import record_labels
from agentdyno_bench.pipelines.toolfail_labels import label_logs
from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_bench.tir.plans import ATTEMPT_TOKENS
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.named_agents import local_weights
from agentdyno_train.reports.sheet import render_agent, render_sheet
from agentdyno_train.sheet_plans import (
    PROBLEM_SECONDS,
    Offer,
    SheetTasks,
    sheet_plans,
)
from agentdyno_train.studies.sheets import Sheet, study_sheet

TITLE = "The dyno sheet"
Progress = Callable[[str, int, int], None]


class SheetOptions(Struct, frozen=True):
    """What a user may choose."""

    out: Path
    """Folder of all runs and of the page."""
    levels: Sequence[Level] = ("easy", "hard")
    """Levels of the bundled test tasks."""
    offer: Offer = "needed"
    """Which tools every task is offered: all that the chosen tasks need (`needed`), or by one of
    the benchmark's selections."""
    limit: int | None = None
    """Only the first so many tasks of a level."""
    turns: int = 16
    """Model calls of an attempt at most."""
    max_tokens: int = 512
    """Tokens of a model call at most."""
    concurrency: int = 16
    """Attempts in progress at once."""
    hardware: str = "h200"
    """The hardware that GPU-seconds are computed for."""
    in_process: bool = True
    """Whether the world's servers stay in this process."""
    toolfail: int = 0
    """Questions of toolfail, spread over the suite."""
    tir: int = 0
    """Problems of tir, with the tool `python`."""
    unsafe_python: bool = False
    """Whether programs of tir may run unprotected where there is no sandbox."""
    tir_tokens: int | None = ATTEMPT_TOKENS
    """Tokens written at a problem of tir before the last model call; None for no such limit."""
    tir_seconds: int | None = PROBLEM_SECONDS
    """After this a problem of tir is stopped and graded as it stands; None waits for it."""


class SheetResult(Struct, frozen=True):
    """The sheet with its topics."""

    sheet: Sheet
    """The agents, measure by measure."""
    topics: list[Topic]


def make_sheet(
    agents: Mapping[str, ModelSpec], options: SheetOptions, progress: Progress | None = None
) -> SheetResult:
    """Runs what has not been run, compares, writes the page."""
    for spec in agents.values():
        local_weights(spec)  # Missing weights are reported before an hour of the others.
    tasks, run = _tasks(options), _run_options(options)
    for name, spec in agents.items():
        _run(spec, tasks, run, options.out / name, progress)
        ensure_patterns(options.out / name / "ledger")
        ensure_schedules(options.out / name / "ledger")
    ledgers = {name: ReadableLedger(options.out / name / "ledger") for name in agents}
    found = study_sheet(ledgers, options.hardware)
    result = SheetResult(found, render_sheet(found))
    own = [topic for name in agents for topic in render_agent(name, ReportContext(ledgers[name]))]
    _write(result, [*result.topics, *own], options.out)
    return result


def _write(result: SheetResult, pages: list[Topic], out: Path) -> None:
    text = msgspec.json.format(msgspec.json.encode(result.sheet), indent=1)
    (out / "sheet.json").write_bytes(text)
    (out / "sheet.md").write_text(render_markdown(result.topics, TITLE), "utf-8")
    (out / "sheet.html").write_text(render_page(TITLE, pages), "utf-8")


def _tasks(options: SheetOptions) -> SheetTasks:
    return SheetTasks(
        [(level, options.limit) for level in options.levels], options.offer, options.turns,
        options.in_process, options.toolfail, options.tir, options.unsafe_python,
        options.tir_tokens, options.tir_seconds,
    )  # fmt: skip


def _run_options(options: SheetOptions) -> RunOptions:
    return RunOptions(
        options.out, concurrency=options.concurrency, max_tokens=options.max_tokens, temperature=0.0
    )


def _run(
    spec: ModelSpec, tasks: SheetTasks, run: RunOptions, out: Path, progress: Progress | None
) -> None:
    plans = sheet_plans(spec, tasks, msgspec.structs.replace(run, out=out))
    done = run_bench(plans.all(), out, None, progress)
    if plans.failing:
        first = len(plans.planning)
        mine = done.runs[first : first + len(plans.failing)]
        record_labels(label_logs(out / "logs", load_suite(), mine), done.measured.ledger)
