"""The clustered mean: published mice, hand-worked errors, clusters that matter."""

import numpy as np
import pytest

from agentdyno.estimates import few_skewed
from agentdyno.estimates.means import clustered_mean, linear_error, task_sums
from agentdyno.estimates.resampling import resample_sums

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


def test_equal_tasks_have_a_mean_but_no_interval() -> None:
    found = clustered_mean({"a": [0.1 + 0.2], "b": [0.3], "c": [0.3]})
    assert found.value == pytest.approx(0.3)
    assert (found.low, found.high) == (None, None)
    assert found.reason is not None


def test_one_task_has_a_mean_but_no_interval() -> None:
    found = clustered_mean({"a": [1.0, 2.0, 3.0]})
    assert found.value == pytest.approx(2.0)
    assert found.low is None
    assert found.reason == "one task gives no spread between tasks"


def test_no_tasks_are_undefined() -> None:
    assert clustered_mean({}).reason == "no observations"


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="leave unknown values out"):
        clustered_mean({"a": [float("nan")], "b": [1.0]})


def test_few_differing_tasks_fall_back_to_students_t() -> None:
    trials = {str(task): [1.0 if task == 0 else 0.0] for task in range(40)}
    assert "Student's t" in clustered_mean(trials).method


def test_resampled_sums_keep_the_number_of_rows() -> None:
    table = np.column_stack([np.ones(7), np.arange(7.0)])
    sums = resample_sums(table, resamples=500, seed=3)
    assert sums.shape == (500, 2)
    assert set(sums[:, 0]) == {7.0}
    assert sums[:, 1].mean() == pytest.approx(21, abs=1.0)


def test_resamples_without_spread_are_known_in_spite_of_rounding() -> None:
    turns = {f"t{i}": [float(value)] for i, value in enumerate([3] * 8 + [2, 1])}
    found = clustered_mean(turns)
    assert "Student" in found.method
    assert found.low is not None
    assert found.high is not None
    assert 2 < found.low < 2.7 < found.high < 3.5


def test_a_cost_has_no_negative_end() -> None:
    costs = {f"t{i}": [float(value)] for i, value in enumerate([1, 1, 1, 2, 2, 1, 1, 2, 900, 1])}
    found = clustered_mean(costs)
    assert found.low is not None
    assert found.low >= 0
    signed = clustered_mean({name: [values[0] - 5] for name, values in costs.items()})
    assert signed.low is not None
    assert signed.low < 0
