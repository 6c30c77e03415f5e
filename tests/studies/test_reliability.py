"""Repeated attempts, costs at equal tasks, schedules in time and ablations, worked by hand."""

from typing import Any

import polars as pl
import pytest

from agentdyno.estimates.stratified import stratified_ratio
from agentdyno.studies.comparison.measures import pass_power
from agentdyno.studies.scheduling.lanes import CLOCK, SERVICES, STEPS, WAITS, PlacedCall, lay_out
from agentdyno_bench.tps.studies.ablations import compare_ways


def test_pass_power_is_the_share_of_draws_that_are_all_solved() -> None:
    assert [pass_power(4, 3, k) for k in (1, 2, 3, 4)] == [3 / 4, 1 / 2, 1 / 4, 0]


def test_costs_are_compared_at_equal_tasks() -> None:
    """Tasks of 100, 110 and 120 cost half afterwards, however many rows each has."""
    rows = [(f"t{n}", (100.0 + 10 * n) * (0.5 if after else 1.0), after)
            for n in range(3) for after in (False, True) for _ in range(n + 2)]  # fmt: skip
    found = stratified_ratio(pl.DataFrame(rows, schema=["task", "cost", "after"], orient="row"))
    assert (found.value, found.n) == (pytest.approx(0.5), 18)
    few = stratified_ratio(pl.DataFrame(rows[:4], schema=["task", "cost", "after"], orient="row"))
    assert (few.value, few.low) == (pytest.approx(0.5), None)


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
