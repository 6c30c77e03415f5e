"""ToolFailBench as one run, with policies whose label on every task is known before they run."""

from collections import Counter
from typing import Any

import pytest

from agentdyno.pipelines.papers import PaperRequest, find_paper, run_paper
from agentdyno.reports.html import render_page
from agentdyno.reports.paper import PaperRun, list_topics, run_fields
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from tests.zoo.server import serve
from tests.zoo.toolfail import DEALT, POLICIES, deal

TASKS = 36
MODEL = f"openai-api/zoo/{DEALT}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> PaperRun:
    with serve() as zoo:
        request = PaperRequest(
            out=tmp_path_factory.mktemp("paper"),
            models=(zoo.model(DEALT),),
            base_url=zoo.address,
            model_arguments=("api_key=zoo",),
            limit=TASKS,
        )
        return run_paper(find_paper("toolfail"), request, lambda *_: None)


def _truth() -> Counter[tuple[str, str]]:
    tasks = order_evenly(load_suite().tasks)[:TASKS]
    labels = [POLICIES[deal()[task.task_id]](task).label for task in tasks]
    return Counter((t.kind, label) for t, label in zip(tasks, labels, strict=True))


def _cells(run: PaperRun, exhibit: str) -> list[list[Any]]:
    return [[getattr(cell, "value", cell) for cell in row] for row in run.results[exhibit].rows]


def test_the_leaderboard_has_the_rates_that_hold_by_construction(run: PaperRun) -> None:
    truth = _truth()
    required = sum(n for (kind, _), n in truth.items() if kind == "required")
    answered = required - truth["required", "refused"] - truth["required", "malformed"]
    controls = TASKS - required
    rates = [
        truth["required", "correct"] / answered,
        truth["required", "correct"] / answered,
        truth["required", "tool_skip"] / answered,
        truth["required", "result_ignore"] / answered,
        truth["required", "output_fabrication"] / answered,
        truth["control", "unnecessary_tool_use"] / controls,
        truth["control", "correct"] / controls,
    ]
    model, rank, *cells = _cells(run, "Table 2")[0]
    assert (model, rank) == (MODEL, "1")
    assert cells == pytest.approx(rates)
    assert sum(cells[1:5]) == pytest.approx(1)
    assert [row[3] for row in _cells(run, "Table 1")] == [required] * 4 + [controls] * 2


def test_a_second_run_at_another_temperature_stands_beside_the_first(run: PaperRun) -> None:
    first, second = _cells(run, "Section B.3")
    assert first[0].endswith("temperature 0")
    assert second[0].endswith("temperature 0.7")
    assert first[1] == second[1] == _cells(run, "Table 6")[0][1]


def test_cells_that_need_a_judge_are_empty_and_say_so(run: PaperRun) -> None:
    for exhibit in ("Table 4", "Section 5.4", "Table 7", "Table 8"):
        assert run.results[exhibit].rows == []
        assert "--judge" in run.results[exhibit].notes[0]


def test_the_page_has_every_exhibit_with_the_papers_rows_below_ours(run: PaperRun) -> None:
    paper = find_paper("toolfail")
    exhibits = paper.exhibits()
    assert set(run.results) == {e.name for e in exhibits if e.state != "cannot be made"}
    page = render_page("toolfail", list_topics(paper.title, exhibits, run))
    for exhibit in exhibits:
        assert f">{exhibit.name}. " in page
    assert page.index(MODEL) < page.index("Grok-4.3")
    by_name = {each["name"]: each for each in run_fields(exhibits, run)["exhibits"]}  # type: ignore[attr-defined]
    assert by_name["Table 2"]["printed"][0][2] == "86.33"
    assert by_name["Table 2"]["rows"][0][0] == MODEL
