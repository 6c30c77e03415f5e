"""The dyno sheet of several agents: each attempts the same held-out tasks, then all are compared.

run       every agent into OUT/NAME through Inspect, resumed where it stopped    bench
compare   paired by task                                                         studies.sheets
page      OUT/sheet.html, OUT/sheet.md, OUT/sheet.json
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.pipelines.derivations import PATTERNS, SCHEDULES
from agentdyno.pipelines.rederive import rederive_tables
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.reports.html import render_page
from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.topic import Topic
from agentdyno.studies.report_context import ReportContext
from agentdyno_bench.pipelines.bench_run import run_bench
from agentdyno_bench.pipelines.toolfail import record_labels
from agentdyno_bench.pipelines.toolfail_labels import label_logs
from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_train.named_agents import local_weights
from agentdyno_train.reports.sheet import render_agent, render_sheet
from agentdyno_train.sheet_plans import (
    SheetOptions,
    sheet_plans,
)
from agentdyno_train.studies.sheets import Sheet, study_sheet

TITLE = "The dyno sheet"
Progress = Callable[[str, int, int], None]


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
    run = _run_options(options)
    for name, spec in agents.items():
        _run(spec, options, run, options.out / name, progress)
        rederive_tables(options.out / name / "ledger", [PATTERNS, SCHEDULES])
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


def _run_options(options: SheetOptions) -> RunOptions:
    return RunOptions(
        options.out, concurrency=options.concurrency, max_tokens=options.max_tokens, temperature=0.0
    )


def _run(
    spec: ModelSpec, options: SheetOptions, run: RunOptions, out: Path, progress: Progress | None
) -> None:
    plans = sheet_plans(spec, options, msgspec.structs.replace(run, out=out))
    done = run_bench(plans.all(), out, None, progress)
    if plans.failing:
        first = len(plans.planning)
        mine = done.runs[first : first + len(plans.failing)]
        record_labels(label_logs(out / "logs", load_suite(), mine), done.measured.ledger)
