"""Efficiency, utility, places and streaks, worked by hand."""

import pytest

from agentdyno.findings.utility.eta import measure_eta, trajectory_etas
from agentdyno.findings.utility.places import measure_thirds
from agentdyno.findings.utility.streaks import measure_streaks
from agentdyno.findings.utility.tools import measure_tools
from tests.metrics.utility.builders import judged


def test_mean_eta_is_over_trajectories_and_pooled_over_calls() -> None:
    eta = measure_eta(judged({"one": "a+", "two": "a+ a- a- a-", "bad": "a?"}), 4)
    assert eta.mean.value == pytest.approx(0.625)
    assert eta.pooled.value == pytest.approx(0.4)
    # One trajectory has no call, one no label: neither counts as 0.
    assert (eta.trajectories, eta.undefined, eta.unjudged) == (4, 2, 1)


def test_attempts_at_one_task_are_one_unit() -> None:
    eta = measure_eta(judged({"t/1": "a+", "t/2": "a-", "u/1": "a+ a+"}), 3)
    assert eta.mean.n == 2
    assert eta.mean.value == pytest.approx(2 / 3)


def test_without_tools_eta_does_not_exist() -> None:
    eta = measure_eta([], 25)
    assert (eta.undefined, eta.mean.value, eta.pooled.value) == (25, None, None)
    assert eta.mean.reason == "no observations"


def test_an_unjudged_call_counts_nowhere() -> None:
    assert trajectory_etas(judged({"x": "a+ a? a-"})) == {"x": 0.5}


def test_tools_are_summed_with_waste_and_return() -> None:
    calls = judged({"x": "a+ a- b-", "y": "a+ b- b?"}, pte=250.0)
    a, b = measure_tools(calls)
    assert (a.tool, a.calls, a.useful, a.not_useful, a.aggregate) == ("a", 3, 2, 1, 1)
    assert (a.pte, a.wasted_pte) == (750.0, 250.0)
    assert a.utility_per_1000_pte == pytest.approx(1 / 0.75)
    assert (b.calls, b.unjudged, b.aggregate, b.helped, b.trajectories) == (2, 1, -2, 0, 2)
    assert b.confidence_useful is None
    assert b.confidence_not_useful == pytest.approx(0.9)


def test_unknown_cost_stays_unknown() -> None:
    row = measure_tools(judged({"x": "a+ a-"}, pte=None))[0]
    assert (row.pte, row.wasted_pte, row.utility_per_1000_pte) == (None, None, None)


def test_thirds_follow_the_order_of_the_calls() -> None:
    # Of four calls 0 and 1 are first, 2 middle, 3 last; of three one each.
    thirds = measure_thirds(judged({"x": "a+ a- a- a+", "y": "a+ a- a-"}))
    assert [(t.third, t.calls, t.useful) for t in thirds] == [
        ("first", 3, 2),
        ("middle", 2, 0),
        ("last", 2, 1),
    ]


def test_streaks_are_cut_by_a_useful_call_and_by_the_trajectory() -> None:
    streaks = measure_streaks(judged({"x": "a- a- a+ a- a- a-", "y": "a- a-"}), alarm=3)
    assert streaks.trajectories == 1
    assert [(s.trajectory_id, s.turn, s.length, s.pte) for s in streaks.longest] == [
        ("x", 3, 3, 300.0)
    ]
    assert streaks.pte == 300.0
