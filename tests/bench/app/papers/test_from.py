"""Pages from what is there: nothing is run, and the figures are those of the attempts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.papers import Paper, PaperRequest, find_paper, run_paper
from agentdyno.records import InputError
from agentdyno.reports.html import render_page
from agentdyno.reports.paper import PaperRun, list_topics
from tests.conftest import ROOT

FIVE = ROOT / "examples" / "five"
Read = Callable[..., PaperRun]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    made: dict[tuple[str, str], PaperRun] = {}

    def read_page(paper: str, source: Path, **more: Any) -> PaperRun:
        key = paper, str(source) + str(sorted(more.items()))
        if key not in made:
            out = tmp_path_factory.mktemp(paper)
            request = PaperRequest(out=out, source=source, **more)
            made[key] = run_paper(find_paper(paper), request, lambda *_: None)
        return made[key]

    return read_page


def _values(run: PaperRun, exhibit: str) -> dict[str, list[Any]]:
    """Rows by the last part of the model's name, estimates as numbers."""
    return {
        str(name).rpartition("/")[2]: [c.value if isinstance(c, Estimate) else c for c in cells]
        for name, *cells in run.results[exhibit].rows
    }


def test_the_page_of_mathematics_has_its_tables_from_logs_alone(read: Read) -> None:
    run = read("pte", FIVE / "mathematics")
    assert run.attempts == 36
    accuracy, tokens, calls, pte = _values(run, "Table 5")["careful"][:4]
    assert accuracy == 1.0
    assert min(tokens, calls, pte) > 0
    assert {name for name, result in run.results.items() if result.rows or result.charts} >= {
        "Table 1", "Table 2", "Figure 4", "Figure 5", "Table 7", "Section F.3", "Figure 9",
        "Figure 10",
    }  # fmt: skip


def test_the_page_of_planning_has_its_tables_from_logs_alone(read: Read) -> None:
    run = read("tps", FIVE / "planning")
    rows = _values(run, "Table 1")
    assert rows["careful, Easy"][1] == 1.0
    assert {name.partition(",")[0] for name in rows} == {"careful", "hasty", "smollm2-agent"}
    assert run.scope.endswith("24 attempts; nothing was run.")


def test_the_page_of_failures_has_its_tables_from_logs_alone(read: Read) -> None:
    """24 tasks in prose, 18 of which need a tool; a script that does what a task needs."""
    run = read("toolfail", FIVE / "failures", answers="prose")
    clean = {name: row[1] for name, row in _values(run, "Table 2").items()}
    assert clean["careful"] == 1.0
    assert clean["hasty"] < 0.5
    with pytest.raises(InputError, match="answered by --answers submit"):
        read("toolfail", FIVE / "failures", answers="submit")
    with pytest.raises(InputError, match="expected submit or prose"):
        read("toolfail", FIVE / "failures", answers="aloud")


def test_a_ledger_that_is_there_gives_the_same_page(read: Read, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    measure([FIVE / "planning"], ledger, MeasureOptions(workers=1))
    from_logs, from_ledger = read("tps", FIVE / "planning"), read("tps", ledger)
    assert _values(from_ledger, "Table 1") == _values(from_logs, "Table 1")


def test_the_page_of_tool_suites_is_read_from_a_ledger(read: Read, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    chats = [FIVE / "utility" / f"{suite}.jsonl.xz" for suite in ("default", "lean")]
    measure(chats, ledger, MeasureOptions(workers=1))
    run = read("utility", ledger)
    rows = run.results["Table 1"].rows
    assert [str(row[0]).rpartition(", ")[2] for row in rows] == ["default", "lean"]
    assert [row[1] + row[2] for row in rows] == [60, 60]  # type: ignore[operator]
    with pytest.raises(InputError, match="one model with a tool suite"):
        read("utility", FIVE / "mathematics")


def test_prompts_are_made_in_our_words(read: Read) -> None:
    planning, utility = read("tps", FIVE / "planning"), find_paper("utility")
    for number in (7, 8, 9, 10):
        assert all(len(str(text)) > 200 for _, text in planning.results[f"Figure {number}"].rows)
    assert utility.exhibits()[-1].name == "Appendix A"


def test_where_nothing_is_there_it_says_what_was_expected(read: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected logs, a ledger or a run's folder"):
        read("pte", tmp_path / "nowhere")
    with pytest.raises(InputError, match="attempts of `bench tps`"):
        read("tps", FIVE / "mathematics")
    only_run = Paper("mine", "Mine", "package", "module:run")
    with pytest.raises(InputError, match="makes its page from a run only"):
        run_paper(only_run, PaperRequest(out=tmp_path, source=tmp_path), lambda *_: None)


def test_a_page_has_one_heading_for_each_exhibit_and_the_papers_rows_beside_or_folded(
    read: Read,
) -> None:
    paper, run = find_paper("toolfail"), read("toolfail", FIVE / "failures", answers="prose")
    topics = {topic.title: topic for topic in list_topics(paper.title, paper.exhibits(), run)}
    board = topics["Table 2. Main leaderboard"]
    ours, theirs, *_ = board.tables
    assert (ours.title, ours.folded, theirs.title, theirs.folded) == (
        "This run", False, "The paper's rows", True
    )  # fmt: skip
    assert board.lead.startswith("How often each model used its tools cleanly")
    metrics = topics["Table 1. The six rates, and the tasks that each is over"]
    (beside,) = metrics.tables
    assert [c.title for c in beside.columns][-2:] == ["tasks, paper", "tasks, here"]
    assert list(beside.rows[0][-2:]) == ["750", 54]
    html = render_page("toolfail", list(topics.values()))
    assert html.count("Table 2. Main leaderboard") == html.count('id="table-2-title"') + 1
