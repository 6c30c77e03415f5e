"""What a reader sees of a ledger of several architectures: GPU-seconds in every form, and why."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.reports.html.page import render_page
from agentdyno.reports.topic import PlaneChart, RowsChart, Topic
from agentdyno.studies.views import View
from agentdyno_bench.shared.judging.importing import import_verdicts
from agentdyno_bench.toolfail.classify.doubts import doubt_ledger

ALLOWED = (
    "one PTE is the work of prefilling",
    "PTE of several architectures have different units",
    "PTE of 2 architectures have different units",
    "prefill-token equivalents (PTE) of several architectures have different units",
    "its PTE; savings are computed again",
    "PTE with growth by 51 %",
)
"""What says why PTE are not there, and what was measured elsewhere."""


IN_SECONDS = View(unit="gpu_seconds")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    doubt_ledger(folder, unproven=True)
    import_verdicts(folder, _verdicts(folder))
    return folder


def _verdicts(folder: Path) -> Path:
    """Every other call helped."""
    places = Ledger(folder).read("calls").select("trajectory_id", "turn", "call")
    lines = [
        json.dumps(row | {"label": ("positive", "non_positive")[number % 2]})
        for number, row in enumerate(places.iter_rows(named=True))
    ]
    file = folder.parent / "verdicts.jsonl"
    file.write_text("\n".join(lines))
    return file


@pytest.fixture(scope="module")
def report(ledger: Path) -> Report:
    return build_report(ledger, view=IN_SECONDS, unproven=True)


def _said(topic: Topic) -> Iterator[str]:
    yield from (topic.title, topic.lead, *topic.notes)
    yield from (figure.name for figure in topic.figures)
    yield from (term.text for term in topic.terms if term.name != "PTE")
    for chart in topic.charts:
        yield chart.title
        if isinstance(chart, PlaneChart):
            yield from (chart.across, chart.up)
        if isinstance(chart, RowsChart):
            yield chart.axis
    for table in topic.tables:
        yield from (table.title, table.note)
        if table.title != "By setting":  # There each row is of one model.
            yield from (column.title for column in table.columns)


def test_no_head_axis_or_sentence_of_a_mixed_report_counts_in_pte(report: Report) -> None:
    assert len(report.topics) > 14
    counted = [
        (topic.anchor, said)
        for topic in report.topics
        for said in _said(topic)
        if "PTE" in said and not any(reason in said for reason in ALLOWED)
    ]
    assert counted == []


def test_the_same_ledger_as_one_architecture_counts_in_pte(ledger: Path) -> None:
    seen = build_report(ledger, unproven=True, view=View(arch="qwen3-32b", unit="pte"))
    said = " ".join(part for topic in seen.topics for part in _said(topic))
    assert seen.results["glance"].summary.unit == "pte"
    assert "differ in architecture" not in said
    # What is named beside PTE, in the table of settings and among the rivals of latency, stays.
    assert "GPU-seconds by tool" not in said
    assert "PTE by tool" in said


def test_what_calls_took_and_what_a_tool_cost_is_in_seconds(ledger: Path, report: Report) -> None:
    found = report.results["utility"].report
    calls = report.results["tools"].tools
    spent = sum((tool.request_cost or 0.0) + (tool.result_cost or 0.0) for tool in calls)
    assert sum(tool.cost or 0.0 for tool in found.tools) == pytest.approx(spent)
    advice = next(one for one in found.advice if one.tool == "search_help")
    of_tool = next(tool for tool in calls if tool.tool == "search_help")
    assert advice.saving.cost == pytest.approx(of_tool.cost)
    assert advice.saving.share == pytest.approx(of_tool.share)


def test_a_page_opens_trajectories_in_their_unit(report: Report) -> None:
    page = render_page("x", report.topics)
    [held] = re.findall(r'id="trajectories-data"[^>]*>(.*?)</script>', page, re.S)
    data = json.loads(held)
    assert data["unit"] == "GPU-seconds"
    first = report.results["trajectories"].trajectories[0]
    assert data["rows"][0][7] == pytest.approx(first.cost, rel=1e-3)
