"""Each analysis against numbers worked by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentdyno.studies.cost.attribution import expensive_calls, kind_shares, tool_shares
from agentdyno.studies.cost.patterns import patterns
from agentdyno_bench.pte.studies.by_turn import turn_series
from agentdyno_bench.pte.studies.difficulty import difficulty, order_levels
from agentdyno_bench.pte.studies.hardware_ranks import hardware_ranks
from agentdyno_bench.pte.studies.latency import latency
from agentdyno_bench.pte.studies.outcome_gaps import outcome_gaps
from tests.labelled import from_set
from tests.pipelines.ledger_builder import LedgerRows
from tests.rows import differences

STUDIES: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        difficulty, expensive_calls, hardware_ranks, kind_shares, latency, outcome_gaps, patterns,
        tool_shares, turn_series,
    )
}  # fmt: skip


@from_set("studies/cost", "why", "study", "rows", "expected")
def test_what_a_study_says(
    tmp_path: Path, why: str, study: list[str], rows: list[list[Any]], expected: dict[str, Any]
) -> None:
    name, *options = study
    found = STUDIES[name](LedgerRows().spelled(*rows).frames(tmp_path / "l"), *options)
    assert differences(found, expected) == {}, why


def test_a_curve_ends_where_too_few_trajectories_are_left(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name in range(100):
        rows.trajectory(str(name))
        for turn in range(2 if name < 96 else 5):
            rows.turn(str(name), turn)
    series = turn_series(rows.frames(tmp_path / "l"))[0]
    # Four of a hundred reach the third turn: under 5 %.
    assert [p.trajectories for p in series.points] == [100, 100]


def test_a_dear_setting_with_failures_is_not_dear_failures(tmp_path: Path) -> None:
    """Within each setting failing costs nothing extra; pooled raw costs would say 10 times."""
    rows = LedgerRows()
    for i in range(10):
        rows.trajectory(f"a{i}", 10.0, model="cheap", correct=i > 0)
        rows.trajectory(f"b{i}", 100.0, model="dear", correct=i == 0)
    pooled, *single = outcome_gaps(rows.frames(tmp_path / "l"))
    assert (pooled.setting, pooled.ratio.value) == (None, pytest.approx(1.0))
    assert [g.ratio.value for g in single] == [pytest.approx(1.0)] * 2


def test_levels_in_words_are_ordered_and_unknown_ones_not() -> None:
    assert order_levels(["hard", "Easy", "medium"]) == (["Easy", "medium", "hard"], True)
    schools = ["Primary School", "Senior High School", "University", "PhD"]
    assert order_levels(schools[::-1]) == (schools, True)
    assert order_levels(["10", "9", "2"]) == (["2", "9", "10"], True)
    assert order_levels(["red", "blue"]) == (["blue", "red"], False)


def test_the_price_that_makes_the_time_correlates_fully(tmp_path: Path) -> None:
    rows = LedgerRows()
    for i in range(12):
        context, decode = 100 + 70 * (i % 5), 10 + 13 * (i % 7)
        seconds = 0.01 * (context + 3 * decode)
        rows.trajectory(str(i), 1.0 + i % 3, latency_seconds=seconds)
        rows.turn(str(i), 0, 1.0 + i % 3, context_tokens=context, decode_tokens=decode,
                  latency_seconds=seconds)  # fmt: skip
    found = latency(rows.frames(tmp_path / "l"))
    by = {r.measure: r.pearson for r in found.rows if r.model == "m"}
    assert by["price 1:3"].value == pytest.approx(1.0)
    assert (by["tokens 1:1"].value or 0.0) < 0.999
    assert list(by) == [
        "pte", "output tokens", "tokens 1:1", "price 1:1.5", "price 1:3", "price 1:4", "price 1:8",
    ]  # fmt: skip
    assert by["pte"].p is None
    assert (by["pte"].n, len(found.points)) == (12, 12)


def test_latencies_of_a_busy_process_are_left_out(tmp_path: Path) -> None:
    rows = LedgerRows()
    for i in range(12):
        # Of two turns each, the second of the last four was timed by a busy process.
        rows.trajectory(str(i), 2.0 + i, latency_seconds=2.0 + i)
        rows.turn(str(i), 0, 1.0 + i, latency_seconds=1.0 + i, latency_valid=True)
        late = {"latency_seconds": 900.0, "latency_valid": False} if i >= 8 else {}
        rows.turn(str(i), 1, 1.0, **({"latency_seconds": 1.0} | late))
    found = latency(rows.frames(tmp_path / "l"))
    by = {r.measure: r.pearson for r in found.rows if r.model == "m"}
    assert (by["pte"].value, by["pte"].n) == (pytest.approx(1.0), 20)


def test_a_finding_costs_its_share_of_the_turn_that_was_spent_on_it(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0)
    rows.turn("a", 0, 8.0, calls=4).turn("a", 1, 30.0, calls=1)
    for turn, call, detail in ((0, 0, "a wrong path"), (0, 1, "a wrong path"), (1, 0, "code")):
        rows.call("a", turn, "Read", call=call, pte=0.5)
        rows.pattern("a", "lack_of_tool_priors", turn=turn, call=call, detail=detail, pte=0.5)
    found = patterns(rows.frames(tmp_path / "l")).kinds
    assert [(each.kind, each.found, each.turns, each.turn_cost) for each in found] == [
        ("code", 1, 1, 30.0), ("a wrong path", 2, 1, 8.0 * 2 / 4),
    ]  # fmt: skip
