"""Few skewed tasks: how far intervals reach, by hand, and that the truth lies within."""

import math

import numpy as np
import pytest

from agentdyno.estimates.few_skewed import ENOUGH, FARTHEST, widen
from agentdyno.estimates.means import TaskSums, clustered_mean
from agentdyno.estimates.studentised import Reach

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
        assert found.low is not None
        assert found.high is not None
        held += found.low <= math.exp(sigma**2 / 2) <= found.high
    # The standard error of the rate is 0.006.
    assert held / repeats >= 0.93 - 0.012
