"""Means and quantiles over tasks, also where tasks are few and skewed."""

import math

import numpy as np
import pytest

from agentdyno.estimates import few_skewed
from agentdyno.estimates.estimate import Estimate, undefined_estimate
from agentdyno.estimates.few_skewed import ENOUGH, FARTHEST, widen
from agentdyno.estimates.limits import judge_limit
from agentdyno.estimates.means import TaskSums, clustered_mean, linear_error, task_sums
from agentdyno.estimates.quantiles import (
    mean_ranks,
)
from agentdyno.estimates.resampling import resample_sums
from agentdyno.estimates.studentised import Reach
from tests.labelled import from_set

# Efron and Tibshirani, An Introduction to the Bootstrap (1993), Table 2.1, control group.
MICE = [52.0, 104, 146, 10, 51, 30, 40, 27, 46]


def test_bootstrap_t_matches_efron_and_tibshiranis_mice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few_skewed, "ENOUGH", 0)  # Theirs is not widened for few tasks.
    # Chapter 12: mean 56.22, 90 % bootstrap-t interval [35.82, 116.74] from 1000 resamples.
    trials = {f"mouse {place}": [value] for place, value in enumerate(MICE)}
    found = clustered_mean(trials, confidence=0.9, resamples=20_000)
    assert found.value == pytest.approx(56.22, abs=0.005)
    assert found.low == pytest.approx(35.82, abs=1.0)
    assert found.high == pytest.approx(116.74, abs=3.0)
    assert "bootstrap-t" in found.method


def test_error_of_unequal_tasks_matches_the_hand_calculation() -> None:
    sums, counts = task_sums({"a": [1.0, 3.0], "b": [5.0], "c": [7.0, 9.0], "empty": []})
    assert counts.tolist() == [2, 1, 2]
    error = linear_error(sums - 5.0 * counts, 5.0, scale=5.0)
    assert error == pytest.approx((1.5 * 72 / 25) ** 0.5)


def test_repeated_trials_do_not_pass_for_new_tasks() -> None:
    once = {str(place): [value] for place, value in enumerate(MICE)}
    thrice = {task: values * 3 for task, values in once.items()}
    first, second = clustered_mean(once), clustered_mean(thrice)
    assert (first.low, first.high) == pytest.approx((second.low, second.high))
    assert first.n == second.n == 9


def test_the_same_data_and_seed_give_the_same_interval() -> None:
    trials = {str(place): [value] for place, value in enumerate(MICE)}
    assert clustered_mean(trials) == clustered_mean(dict(reversed(trials.items())))
    assert clustered_mean(trials, seed=1) != clustered_mean(trials, seed=2)


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="leave unknown values out"):
        clustered_mean({"a": [float("nan")], "b": [1.0]})


def test_few_differing_tasks_fall_back_to_students_t() -> None:
    trials = {str(task): [1.0 if task == 0 else 0.0] for task in range(40)}
    assert "Student's t" in clustered_mean(trials).method


def test_resampled_sums_keep_the_number_of_rows() -> None:
    table = np.column_stack([np.ones(7), np.arange(7.0)])
    sums = resample_sums(table, resamples=500, seed=3)
    assert (sums.shape, set(sums[:, 0])) == ((500, 2), {7.0})
    assert sums[:, 1].mean() == pytest.approx(21, abs=1.0)


def test_resamples_without_spread_are_known_in_spite_of_rounding() -> None:
    turns = {f"t{i}": [float(value)] for i, value in enumerate([3] * 8 + [2, 1])}
    found = clustered_mean(turns)
    assert "Student" in found.method
    assert 2 < found.low < 2.7 < found.high < 3.5


def test_a_cost_has_no_negative_end() -> None:
    costs = {f"t{i}": [float(value)] for i, value in enumerate([1, 1, 1, 2, 2, 1, 1, 2, 900, 1])}
    found = clustered_mean(costs)
    assert found.low >= 0
    signed = clustered_mean({name: [values[0] - 5] for name, values in costs.items()})
    assert signed.low < 0


def test_ties_share_the_mean_of_their_ranks() -> None:
    assert mean_ranks(np.array([30.0, 10, 20, 10])).tolist() == [4, 1.5, 3, 1.5]


REACH = Reach(2.0, 10.0, 0.5, "t")
COSTS = np.exp([-1.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0])


def test_the_upper_end_is_that_of_a_log_normal_mean_where_it_lies_further() -> None:
    # Logs: mean 0, variance (1 + 1 + 0.25 + 0.25) / 9; their skewness is 0. The pivot, drawn here
    # from normal samples of ten: what mean and variance the logs would have had to come from.
    variance, mean = 2.5 / 9, float(COSTS.mean())
    samples = np.random.default_rng(5).standard_normal((200_000, 10))
    scale = variance / samples.var(axis=1, ddof=1)
    pivot = -samples.mean(axis=1) * np.sqrt(scale) + scale / 2
    near = Reach(0.1, 0.3, 0.5, "t")
    found = widen(near, COSTS, mean, 0.95)
    expected = math.exp(float(np.quantile(pivot, 0.95))) - mean
    assert found.above == pytest.approx(expected, rel=0.05)
    assert widen(near, COSTS, mean, 0.95) == found
    assert found.below == pytest.approx(0.1 * (1 + (5 / 10 - 5 / 200) / 3))
    assert "widened" in found.method


def test_ends_move_out_by_the_number_of_tasks_and_never_too_far() -> None:
    mean = float(COSTS.mean())
    found = widen(REACH, COSTS, mean, 0.95)
    assert found.above == pytest.approx(10 * (1 + 5 / 10 - 5 / 200))
    close = Reach(0.01, 0.02, 0.5, "t")
    assert widen(close, COSTS, mean, 0.95).above == pytest.approx(0.02 * FARTHEST)


@pytest.mark.parametrize(
    "means", [np.array([0.0, *COSTS]), -COSTS, np.ones(ENOUGH) * 2 + np.arange(ENOUGH) ** 3,
              np.arange(1.0, 11.0), COSTS[:4]],
)  # fmt: skip
def test_shares_signs_even_costs_and_many_tasks_stay_as_they_were(means: np.ndarray) -> None:  # type: ignore[type-arg]
    assert widen(REACH, means, float(means.mean()), 0.95) is REACH


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [0.5, 1.0, 1.5])
@pytest.mark.parametrize("tasks", [10, 20, 60])
def test_log_normal_costs_are_covered_from_ten_tasks_on(sigma: float, tasks: int) -> None:
    rng, held, repeats = np.random.default_rng(tasks), 0, 1500
    names, ones = [f"{n:03}" for n in range(tasks)], np.ones(tasks)
    for _ in range(repeats):
        found = clustered_mean(TaskSums(names, rng.lognormal(0, sigma, tasks), ones), resamples=799)
        held += found.low <= math.exp(sigma**2 / 2) <= found.high
    # The standard error of the rate is 0.006.
    assert held / repeats >= 0.93 - 0.012


def effect(estimate: float, low: float, high: float, n: int = 60) -> Estimate:
    return Estimate(value=estimate, low=low, high=high, n=n, method="test")


@from_set("estimates/means", "low", "high", "worse", "state")
def test_verdict_follows_the_interval(low: float, high: float, worse: str, state: str) -> None:
    limit = 0.05 if worse == "above" else -0.02
    found = judge_limit(effect((low + high) / 2, low, high), limit, worse)  # type: ignore[arg-type]
    assert found.state == state


def test_undecided_says_about_how_many_more_tasks() -> None:
    # Worked in the module: a chance of 0.551 below the limit and of 0.299 above it.
    found = judge_limit(effect(0.04, -0.02, 0.10), 0.05, "above")
    assert (found.state, found.more_tasks_needed) == ("inconclusive", pytest.approx(5787, abs=20))
    # A power of 80 % with the true value 6 / 1.96 = 3.06 further off.
    assert found.more_tasks_low == pytest.approx(60 * (6 * 1.4294 / 4.0613) ** 2 - 60, abs=3)
    assert found.more_tasks_high is None


def test_an_estimate_on_the_limit_still_lies_somewhere() -> None:
    # P(|z| > 1.96 sqrt(60 / more)) = 0.85 where 1.96 sqrt(60 / more) = 0.1891.
    found = judge_limit(effect(0.05, 0.0, 0.1), 0.05, "above")
    assert found.more_tasks_needed == pytest.approx(60 * (1.96 / 0.1891) ** 2, rel=0.01)


@pytest.mark.parametrize("true", [0.5, 1.0])
def test_following_the_advice_decides_four_of_five(true: float) -> None:
    """Estimates of a normal value that lies so many pilot errors from the limit."""
    rng, decided = np.random.default_rng(20260407), []
    for estimate in true + rng.standard_normal(1500):
        more = judge_limit(effect(estimate, estimate - 1.96, estimate + 1.96), 0.0, "above")
        if more.state == "inconclusive":
            total = 60 + more.more_tasks_needed
            further = true + rng.standard_normal() * np.sqrt(60 / more.more_tasks_needed)
            last = (60 * estimate + more.more_tasks_needed * further) / total
            decided.append(abs(last) > 1.96 * np.sqrt(60 / total))
    assert np.mean(decided) > 0.8


def test_a_missing_interval_breaks_nothing() -> None:
    found = judge_limit(undefined_estimate("no tasks", n=0, method="test"), 0.0, "above")
    assert (found.state, found.more_tasks_needed) == ("inconclusive", None)
