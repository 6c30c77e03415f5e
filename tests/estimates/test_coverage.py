"""Do 95 % intervals hold the truth 95 % of the time, and do gates stay quiet without cause?

Seeded simulation over data like a ledger's: 60 tasks with 3 trials each, costs log-normal with
sigma 0.8 between tasks and 0.5 within. 400 repetitions put a standard error of 1.1 points on
each rate, 2,000 (slow) one of 0.5.
"""

import math

import numpy as np
import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.limits import judge_limit
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.paired import paired_difference, paired_ratio
from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.unpaired import unpaired_ratio

TASKS, TRIALS = 60, 3
BETWEEN, WITHIN = 0.8, 0.5
TRUE_MEAN = math.exp((BETWEEN**2 + WITHIN**2) / 2)
RESAMPLES = 799
ByTask = dict[str, list[float]]
NAMES = [f"{task:03}" for task in range(TASKS)]


def draw_sides(rng: np.random.Generator, *factors: float) -> list[ByTask]:
    """One cost table per factor; tasks are as hard on every side."""
    hardness = rng.normal(0.0, BETWEEN, (TASKS, 1))
    return [
        dict(zip(NAMES, (factor * np.exp(hardness + noise)).tolist(), strict=True))
        for factor in factors
        for noise in [rng.normal(0.0, WITHIN, (TASKS, TRIALS))]
    ]


@pytest.fixture(scope="module", params=[400, pytest.param(2000, marks=pytest.mark.slow)])
def repeats(request: pytest.FixtureRequest) -> int:
    """How often everything is drawn."""
    count: int = request.param
    return count


def is_near(share: float, found: list[bool]) -> bool:
    """Whether the share of what was found is off by no more than chance explains."""
    return abs(float(np.mean(found)) - share) <= (0.02 if len(found) >= 2000 else 0.03)


def holds(found: Estimate, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


def test_wilson_covers() -> None:
    rng = np.random.default_rng(11)
    rates = rng.uniform(0.05, 0.95, 20_000)
    solved = rng.binomial(100, rates)
    intervals = [wilson(count, 100) for count in range(101)]
    covered = [holds(intervals[count], rate) for count, rate in zip(solved, rates, strict=True)]
    assert is_near(0.95, covered)


def test_clustered_mean_of_skewed_costs_covers(repeats: int) -> None:
    rng = np.random.default_rng(12)
    covered = [
        holds(clustered_mean(draw_sides(rng, 1.0)[0], resamples=RESAMPLES), TRUE_MEAN)
        for _ in range(repeats)
    ]
    assert is_near(0.95, covered)


@pytest.fixture(scope="module")
def without_difference(repeats: int) -> list[Estimate]:
    """Paired ratios of two sides that cost the same."""
    rng = np.random.default_rng(13)
    return [paired_ratio(*draw_sides(rng, 1.0, 1.0), resamples=RESAMPLES) for _ in range(repeats)]


def test_paired_ratio_covers(without_difference: list[Estimate]) -> None:
    covered = [holds(found, 1.0) for found in without_difference]
    assert is_near(0.95, covered)


@pytest.mark.parametrize("limit", [1.0, 1.05])
def test_a_gate_seldom_fails_without_a_real_difference(
    without_difference: list[Estimate], limit: float
) -> None:
    # A limit of 1.0 ("no dearer at all") is the hardest case: the truth sits on it.
    alarms = [judge_limit(found, limit, "above").state == "broken" for found in without_difference]
    assert np.mean(alarms) < 0.05


def test_a_difference_seldom_looks_significant_without_one(
    without_difference: list[Estimate],
) -> None:
    significant = [found.p is not None and found.p <= 0.05 for found in without_difference]
    assert is_near(0.05, significant)


def test_paired_difference_of_costs_covers(repeats: int) -> None:
    rng = np.random.default_rng(14)
    covered = [
        holds(paired_difference(*draw_sides(rng, 1.0, 1.1), resamples=RESAMPLES), 0.1 * TRUE_MEAN)
        for _ in range(repeats)
    ]
    # Intervals over few skewed costs are wide on purpose.
    assert np.mean(covered) >= 0.93


def test_paired_difference_of_solved_shares_covers(repeats: int) -> None:
    rng = np.random.default_rng(15)
    covered = []
    for _ in range(repeats):
        chance = rng.beta(0.6, 0.4, TASKS)
        sides = [
            dict(zip(NAMES, (rng.random((TASKS, TRIALS)) < chance[:, None]).tolist(), strict=True))
            for _ in range(2)
        ]
        covered.append(holds(paired_difference(*sides, resamples=RESAMPLES), 0.0))
    assert is_near(0.95, covered)


def test_unpaired_ratio_covers(repeats: int) -> None:
    rng = np.random.default_rng(16)
    covered = []
    for _ in range(repeats // 2):
        first, second = draw_sides(rng, 1.0)[0], draw_sides(rng, 1.3)[0]
        covered.append(holds(unpaired_ratio(first, second, resamples=RESAMPLES), 1.3))
    assert is_near(0.95, covered)


def test_a_gate_does_fail_on_a_real_difference() -> None:
    rng = np.random.default_rng(18)
    alarms = [
        judge_limit(
            paired_ratio(*draw_sides(rng, 1.0, 1.5), resamples=RESAMPLES), 1.05, "above"
        ).state
        == "broken"
        for _ in range(300)
    ]
    assert np.mean(alarms) > 0.8
