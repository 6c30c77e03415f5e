"""ToolFailBench's page with two judges who say what follows from what ran, so that every cell
between raters is known: one labels by the calls alone, one finds everything right."""

from collections.abc import Sequence
from typing import Any

import pytest

from agentdyno.pipelines.papers import PaperRequest, find_paper, run_paper
from agentdyno.records.verdicts import SCORES
from agentdyno.reports.html import render_page
from agentdyno.reports.paper import PaperRun, list_topics
from agentdyno_bench.shared.models.scripted import Reply
from agentdyno_bench.toolfail.judge import FRAMINGS
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from tests.zoo import judge
from tests.zoo.server import Conversation, everything, serve
from tests.zoo.toolfail import POLICIES

TASKS = 8
MODELS = ("good", "lazy", "ignores", "needless_without_arguments")
STRICT, KIND = judge.BY_CALLS, "good-judge"
"""By their names relatives of two of the models."""


def _find_all_right(name: str, asked: Conversation) -> Reply | None:
    """Gives whatever it is asked for the best score."""
    best = dict.fromkeys(SCORES, 3)
    return judge.write_verdict(asked.said[0], "correct", best) if name == KIND else None


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> PaperRun:
    with serve([_find_all_right, *everything()]) as zoo:
        request = PaperRequest(
            out=tmp_path_factory.mktemp("paper") / "toolfail",
            models=tuple(map(zoo.model, MODELS)),
            base_url=zoo.address,
            model_arguments=("api_key=zoo",),
            judges=(zoo.model(STRICT), zoo.model(KIND)),
            judge_base_url=zoo.address,
            judge_arguments=("api_key=zoo",),
            limit=TASKS,
        )
        return run_paper(find_paper("toolfail"), request, lambda *_: None)


def _labels(model: str) -> list[tuple[str, str, str]]:
    """By program, by the strict judge and by the kind one; a call without arguments that its tool
    refused did not run, and is needless for the program all the same."""
    found = []
    for task in order_evenly(load_suite().tasks)[:TASKS]:
        label = POLICIES[model](task).label
        strict = label if label in ("tool_skip", "unnecessary_tool_use") else "correct"
        found.append((label, strict, "correct"))
    return found


EVERY = [labels for model in MODELS for labels in _labels(model)]
PROGRAM, BY_CALLS, ALL_RIGHT = "submitted", f"{FRAMINGS[0]}:", f"{FRAMINGS[1]}:"


def _rows(run: PaperRun, exhibit: str) -> dict[str, list[Any]]:
    return {
        str(row[0]): [getattr(cell, "value", cell) for cell in row[1:]]
        for row in run.results[exhibit].rows
    }


def _kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's, from its definition."""
    ours, theirs = zip(*pairs, strict=True)
    agreed = sum(a == b for a, b in pairs) / len(pairs)
    chance = sum(ours.count(x) * theirs.count(x) for x in set(ours)) / len(pairs) ** 2
    return (agreed - chance) / (1 - chance)


def test_kappas_of_each_pair_and_of_all(run: PaperRun) -> None:
    found = _rows(run, "Table 4")
    kappas = {name: value for name, (value, *_) in found.items()}
    by_calls = next(v for name, v in kappas.items() if PROGRAM in name and STRICT in name)
    all_right = next(v for name, v in kappas.items() if PROGRAM in name and KIND in name)
    assert by_calls == pytest.approx(_kappa([(a, b) for a, b, _ in EVERY]))
    assert all_right == pytest.approx(_kappa([(a, c) for a, _, c in EVERY]))
    assert kappas["All raters, Fleiss' κ"] == pytest.approx(_fleiss())


def _fleiss() -> float:
    """From its definition."""
    labels = sorted({label for row in EVERY for label in row})
    counts = [[row.count(label) for label in labels] for row in EVERY]
    agreed = sum((sum(n * n for n in row) - 3) / 6 for row in counts) / len(counts)
    shares = [sum(column) / (3 * len(counts)) for column in zip(*counts, strict=True)]
    chance = sum(share * share for share in shares)
    return (agreed - chance) / (1 - chance)


def test_who_differs_and_who_is_overruled(run: PaperRun) -> None:
    found = _rows(run, "Section 5.4")
    overruled = sum(b == c != a for a, b, c in EVERY) / len(EVERY)
    assert overruled > 0
    assert found["All raters differ"] == [0.0]
    assert found["All judges against the rule"] == [pytest.approx(overruled)]


def test_a_judge_stands_beside_the_others_on_its_family_and_elsewhere(run: PaperRun) -> None:
    found = {name.split(":")[1]: row for name, row in _rows(run, "Table 7").items()}
    own, others = (
        next(row for name, row in found.items() if STRICT in name and words in name)
        for words in ("on its family", "on other models")
    )
    # The strict judge lets none of the lazy model's required tasks pass, the kind one all.
    assert own == [1, 0.0, 1.0, -1.0]
    assert others == [3, 1.0, 1.0, 0.0]


def test_tiers_domains_and_modes_have_their_own_agreement(run: PaperRun) -> None:
    found = _rows(run, "Table 8")
    tiers = [name for name in found if name.startswith("Tier")]
    assert tiers == ["Tier 1", "Tier 2", "Tier 3", "Tier 4"]
    by_model = {m: _labels(m) for m in MODELS}
    agreed = {m: sum(len(set(row)) == 1 for row in rows) / TASKS for m, rows in by_model.items()}
    raw = sorted(found[tier][1] for tier in tiers)
    assert raw == pytest.approx(sorted(agreed.values()))
    skip = next(row for name, row in found.items() if name == "Mode: Tool skip")
    of_skip = sum(len({label == "tool_skip" for label in row}) == 1 for row in EVERY) / len(EVERY)
    assert skip[1] == pytest.approx(of_skip)


@pytest.mark.parametrize("model", MODELS)
def test_scores_are_means_over_the_attempts_that_they_are_asked_for(
    run: PaperRun, model: str
) -> None:
    table, *_ = run.results["Table 10"].tables
    found = {
        (name.rpartition("/")[2], rater.rpartition("/")[2]): [
            None if cell is None else cell.value for cell in cells
        ]
        for name, rater, *cells in table.rows
    }
    labels = [label for label, *_ in _labels(model)]
    required = sum(bool(task.script) for task in order_evenly(load_suite().tasks)[:TASKS])
    ran = required - labels.count("tool_skip")
    faithful = judge.PARTLY if ran else None
    by_calls = [3 * ran / required, faithful, judge.RIGHT * required / TASKS]
    assert found[model, STRICT] == pytest.approx(by_calls)
    assert found[model, KIND] == [3, 3 if ran else None, 3]


def test_judges_change_no_rate_and_a_needless_call_without_arguments_is_needless(
    run: PaperRun,
) -> None:
    found = {name.rpartition("/")[2]: row for name, row in _rows(run, "Table 2").items()}
    rank, clean, *_, needless, controls = found["needless_without_arguments"]
    assert (clean, needless, controls) == (1.0, 1.0, 0.0)
    assert (found["good"][0], rank) == ("1–2", "1–2")
    assert [found[m][0] for m in ("lazy", "ignores")] == ["3–4", "3–4"]


def test_the_page_shows_the_judged_tables(run: PaperRun) -> None:
    paper = find_paper("toolfail")
    page = render_page("toolfail", list_topics(paper.title, paper.exhibits(), run))
    assert "No judge was given" not in page
    assert STRICT in page
    assert KIND in page
