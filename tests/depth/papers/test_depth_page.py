"""The page of the paper on deep thinking over a pool whose figures are known by construction."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.measures.depth import Baselines
from agentdyno.pipelines.papers import PaperRequest, find_paper, run_paper
from agentdyno.records import InputError
from agentdyno.reports.html import render_page
from agentdyno.reports.paper import ExhibitResult, PaperRun, list_topics
from agentdyno_depth.papers.depth_page import MEASURES, ModelRun, make_exhibits
from agentdyno_depth.pipelines.depth import DepthResult
from agentdyno_depth.records.depth import Thresholds
from agentdyno_depth.records.thinking import (
    Pool,
    PoolHead,
    PrefixScores,
    Problem,
    ProblemPool,
    Sample,
)
from agentdyno_depth.studies.depth.results import SequenceDepth
from agentdyno_depth.studies.thinking.methods import ThinkOptions, compare_methods
from agentdyno_depth.think.pool_files import write_pool

RATIOS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _scores(prefix: int | None, ratio: float) -> PrefixScores:
    return PrefixScores(prefix, prefix or 100, ratio, ratio - 1.0, 1.0 - ratio, ratio)


def _sample(place: int, problem: int) -> Sample:
    """Deep samples are right, the deeper the more of the problems; long ones are shallow."""
    ratio, right = RATIOS[place], problem < place
    return Sample(
        text=f"\\boxed{{{1 if right else 2}}}",
        tokens=1100 - 100 * (place + 1),
        ended=True,
        scores=(_scores(50, ratio), _scores(None, ratio)),
        answer="1" if right else "2",
        correct=right,
    )


def _pool() -> Pool:
    head = PoolHead(
        model="m", scorer="m", dtype="float32", samples=10, temperature=0.7, top_p=1.0, seed=0,
        max_tokens=1000, g=0.5, rho=0.85, prefixes=(50,),
    )  # fmt: skip
    return Pool(
        head,
        tuple(
            ProblemPool(
                Problem(f"p{problem}", "One?", "1"), tuple(_sample(n, problem) for n in range(10))
            )
            for problem in range(9)
        ),
    )


@pytest.fixture(scope="module")
def results() -> dict[str, ExhibitResult]:
    pool = _pool()
    thinking = compare_methods(pool, ThinkOptions(n=10, prefix=50, trials=2))
    read = DepthResult("m", 30, 26, "jsd", tuple(_list_responses(pool)), None, ())
    return make_exhibits([ModelRun("m", pool, thinking, read, {"jsd": read})])


def _list_responses(pool: Pool) -> Iterator[SequenceDepth]:
    """The pool's responses as they are read for other thresholds."""
    for problem in pool.problems:
        for place, sample in enumerate(problem.samples):
            ratio, name = RATIOS[place], f"{problem.problem.problem_id}/{place}"
            sweep = ((Thresholds(), ratio),)
            others = Baselines(sample.tokens, -sample.tokens, *[None] * 4)
            yield SequenceDepth(name, ratio, others, sweep, None, correct=sample.correct)


def _cells(row: list[Any]) -> list[Any]:
    return [getattr(cell, "value", cell) for cell in row]


def test_depth_goes_with_being_right_and_length_against_it(
    results: dict[str, ExhibitResult],
) -> None:
    """Bins of two places hold 0+1, 2+3, … of nine problems: on a line with the ratio."""
    name, *found = _cells(results["Table 1"].rows[0])
    assert name == "m, word problems"
    expected = {"length": -1.0, "reverse_length": 1.0, "dtr": 1.0, "mean_log_prob": 1.0,
                "self_certainty": 1.0, "negative_entropy": 1.0}  # fmt: skip
    cells = dict(zip(MEASURES, found, strict=True))
    assert {key: cells[key] for key in expected} == pytest.approx(expected)
    assert 0.9 < cells["negative_perplexity"] < 1  # Not on a line: an exponential.
    assert [_cells(row)[1] for row in results["Figure 1"].rows] == pytest.approx([-1, 1])


def test_a_correlation_has_one_interval_wherever_it_stands(
    results: dict[str, ExhibitResult],
) -> None:
    """Samples of one problem are drawn again together, in each table."""
    ends = {
        (cell.value, cell.low, cell.high)
        for cell in (
            results["Table 1"].rows[0][1 + MEASURES.index("dtr")],
            results["Figure 1"].rows[1][1],
            results["Figure 4"].rows[0][1],
            results["Figure 6"].rows[0][1],
        )
        if isinstance(cell, Estimate)
    }
    assert len(ends) == 1


def test_ways_to_choose_have_the_accuracy_and_cost_of_the_votes(
    results: dict[str, ExhibitResult],
) -> None:
    """Of problem p nine minus p samples are right: all vote for the first four problems and are
    evenly split over none; the five deepest are right on all but p = 7 and 8 by majority."""
    rows = {row[0]: _cells(row)[1:] for row in map(_cells, results["Table 2"].rows)}
    assert rows["Cons@n, m, word problems"][0] == pytest.approx(4 / 9)
    assert rows["Mean@n, m, word problems"][0] == pytest.approx(0.5)
    accuracy, cost, change = rows["Think@n, m, word problems"]
    assert accuracy == pytest.approx(7 / 9)
    kept, rejected = 100 + 200 + 300 + 400 + 500, 5 * 50
    assert cost == pytest.approx((kept + rejected) / 1000)
    assert change == pytest.approx((kept + rejected) / 5500 - 1)
    assert _cells(results["Table 3"].rows[0])[1:] == pytest.approx([0.5, 0.55])


def test_examples_are_the_shallowest_wrong_and_the_deepest_right_answer(
    results: dict[str, ExhibitResult],
) -> None:
    assert _cells(results["Table 7"].rows[0])[1:3] == [1000, 0.1]
    assert _cells(results["Table 8"].rows[0])[1:3] == [100, 1.0]


def test_the_page_has_every_exhibit(results: dict[str, ExhibitResult]) -> None:
    paper = find_paper("depth")
    exhibits = paper.exhibits()
    assert set(results) == {e.name for e in exhibits if e.state != "cannot be made"}
    page = render_page("depth", list_topics(paper.title, exhibits, PaperRun(results=results)))
    assert all(f">{exhibit.name}. " in page for exhibit in exhibits)


def test_a_recorded_pool_is_a_page_without_its_model(tmp_path: Path) -> None:
    """What needs layers waits for a model and says so; everything else is made."""
    file = tmp_path / "smollm2" / "pool.jsonl"
    file.parent.mkdir()
    write_pool(file, _pool())
    for source in (file, file.parent, tmp_path):
        request = PaperRequest(out=tmp_path / "out", source=source)
        run = run_paper(find_paper("depth"), request, lambda *_: None)
        assert run.attempts == 90
        assert run.results["Table 1"].rows[0][0] == "smollm2, word problems"
        assert run.results["Table 2"].rows
        assert all("waits for the model" in run.results[f"Figure {n}"].notes[0] for n in (2, 4, 6))
    with pytest.raises(InputError, match="expected a pool"):
        run_paper(find_paper("depth"), PaperRequest(out=tmp_path, source=file.parent / "no"),
                  lambda *_: None)  # fmt: skip


def test_prompts_are_made_in_our_words(results: dict[str, ExhibitResult]) -> None:
    assert "{question}" in str(results["Table 4"].rows[0][1])
    assert "{choices}" in str(results["Table 5"].rows[0][1])


def test_a_service_is_refused(tmp_path: Any) -> None:
    request = PaperRequest(out=tmp_path, models=("openai/x",), base_url="http://localhost:1")
    with pytest.raises(InputError, match="folder with weights"):
        run_paper(find_paper("depth"), request, lambda *_: None)
