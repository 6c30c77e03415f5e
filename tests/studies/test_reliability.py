"""Repeated attempts, proofs of a change, schedules in time, sheets and ablations, worked by
hand."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.pipelines.report import prove
from agentdyno.reports.topics.proof import render_proof
from agentdyno.studies.comparison.measures import pass_power
from agentdyno.studies.scheduling.lanes import CLOCK, SERVICES, STEPS, WAITS, PlacedCall, lay_out
from agentdyno_bench.tps.studies.ablations import compare_ways
from tests.labelled import from_set
from tests.pipelines.ledger_builder import LedgerRows


def test_pass_power_is_the_share_of_draws_that_are_all_solved() -> None:
    assert [pass_power(4, 3, k) for k in (1, 2, 3, 4)] == [3 / 4, 1 / 2, 1 / 4, 0]


CHANGE = 1_000_000.0


def _ledger(folder: Path, factors: list[float], others: int = 0) -> Path:
    """A session of 100, 110, 120 … before the change in each project, one of a factor after it."""
    rows = LedgerRows()
    for number, factor in enumerate(factors):
        for side, at, pte in (("a", -10.0, 1.0), ("b", 10.0, factor)):
            name, cost = f"{side}{number}", pte * (100.0 + 10 * number)
            rows.trajectory(name, cost, project=f"p{number}", session_id=name)
            rows.turn(name, 0, cost, started_at=CHANGE + at).part(name, "user", cost)
    for number in range(others):
        rows.trajectory(f"o{number}", 5000.0, project="elsewhere", session_id=f"o{number}")
        rows.turn(f"o{number}", 0, 5000.0, started_at=CHANGE + 10)
    return rows.write(folder)


@from_set("studies/reliability", "factors", "outcome")
def test_the_interval_decides(tmp_path: Path, factors: list[float], outcome: str) -> None:
    found = prove(_ledger(tmp_path / "l", factors), CHANGE)
    assert (found.outcome, found.groups) == (outcome, len(factors))


def test_sessions_without_a_counterpart_are_left_out_and_counted(tmp_path: Path) -> None:
    found = prove(_ledger(tmp_path / "l", [0.5, 0.48, 0.52, 0.5] * 2, others=3), CHANGE)
    assert (found.before, found.after, found.unmatched) == (8, 11, 3)
    assert found.ratio.value == pytest.approx(0.5, abs=0.01)
    assert render_proof(found).lead.startswith("It worked: -")


def call(
    turn: int, place: int, clock: tuple[float, float] | None = None, wait: float | None = None
) -> PlacedCall:
    return PlacedCall((turn, place), "tool", False, clock, wait)


def test_services_take_their_own_time_and_turns_follow_each_other() -> None:
    calls = [call(1, 0), call(1, 1), call(2, 0)]
    laid = lay_out(calls, {(1, 0): 2.0, (1, 1): 1.0, (2, 0): 3.0})
    assert (laid.spans, laid.turns, laid.axis) == ([(0, 2), (0, 1), (2, 5)], [0, 2], SERVICES)


def test_the_clock_is_shown_from_the_first_call_on() -> None:
    calls = [call(0, 0, (100, 102), 2), call(0, 1, (100.5, 101), 0.5), call(3, 0, (110, 111), 1)]
    laid = lay_out(calls, {})
    assert (laid.spans, laid.turns, laid.axis) == ([(0, 2), (0.5, 1), (10, 11)], [0, 10], CLOCK)


def test_a_clock_with_a_night_in_it_gives_way_to_the_waits() -> None:
    laid = lay_out([call(0, 0, (0, 2), 2), call(1, 0, (40_000, 40_001), 1)], {})
    assert (laid.spans, laid.axis) == ([(0, 2), (2, 3)], WAITS)


def test_without_times_every_turn_is_a_step_and_the_axis_says_so() -> None:
    laid = lay_out([call(0, 0), call(0, 1, wait=1.0), call(4, 0)], {})
    assert (laid.spans, laid.axis) == ([(0, 1), (0, 1), (1, 2)], STEPS)


def test_calls_that_took_no_time_at_all_are_steps_too() -> None:
    assert lay_out([call(0, 0, (5, 5), 0.0), call(1, 0, (5, 5), 0.0)], {}).axis == STEPS


KEYS = ("selection", "scheduling", "task", "completion", "input_tokens", "call_turns")


def attempts(*rows: tuple[str, str, str, float, int, int]) -> pl.DataFrame:
    found: list[dict[str, Any]] = [
        {
            "benchmark": "tps_hard",
            "model": "m",
            "answers": "submit",
            "output_tokens": 0,
            "seconds": None,
            "cost": 10.0,
            **dict(zip(KEYS, row, strict=True)),
        }
        for row in rows
    ]
    return pl.DataFrame(found, infer_schema_length=None).with_columns(
        pl.col("seconds").cast(pl.Float64)
    )


def test_every_way_is_compared_with_the_usual_one_other_things_equal() -> None:
    ways = compare_ways(
        attempts(
            ("self", "parallel", "1", 0.5, 1000, 2),
            ("self", "parallel", "2", 0.5, 1000, 4),
            ("none", "parallel", "1", 0.75, 3000, 2),
            ("none", "parallel", "2", 0.75, 3000, 4),
            ("self", "sequential", "1", 1.0, 1500, 6),
            ("self", "sequential", "2", 0.5, 1500, 12),
        )
    )
    assert [(w.of, w.held, w.base, w.other, w.tasks) for w in ways] == [
        ("selection", "parallel", "self", "none", 2),
        ("scheduling", "self", "parallel", "sequential", 2),
    ]
    selection, scheduling = ways
    assert selection.completion.value == pytest.approx(0.25)
    assert (selection.tokens.value, selection.turns.value) == (pytest.approx(3), pytest.approx(1))
    assert scheduling.completion.value == pytest.approx(0.25)  # +.5 on one task, 0 on the other
    assert (scheduling.turns.value, scheduling.seconds.value) == (pytest.approx(3), None)
    assert scheduling.seconds.reason


def test_only_tasks_that_both_attempted_count() -> None:
    (way,) = compare_ways(
        attempts(
            ("self", "parallel", "1", 0.0, 1, 1),
            ("self", "parallel", "2", 1.0, 1, 1),
            ("rule", "parallel", "2", 0.5, 2, 1),
        )
    )
    assert (way.tasks, way.completion.value) == (1, pytest.approx(-0.5))
    assert way.completion.low is None  # one task has no spread


def test_one_way_alone_is_no_ablation() -> None:
    assert compare_ways(attempts(("self", "parallel", "1", 1.0, 1, 1))) == []
