"""Few skewed pairs: how much wider intervals get, that p agrees, and that the truth lies within."""

import numpy as np
import pytest

from agentdyno.estimates.few_pairs import error_factor
from agentdyno.estimates.means import TaskSums
from agentdyno.estimates.paired import paired_difference, paired_ratio

COSTS = np.exp([-1.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0])


def draw(rng: np.random.Generator, tasks: int, factor: float) -> list[TaskSums]:
    """Costs of two sides, the second so many times the first, sigma 1.25 between tasks."""
    names, ones, hard = (
        [f"{n:03}" for n in range(tasks)],
        np.ones(tasks),
        rng.normal(0, 1.25, tasks),
    )
    scatter = rng.normal(-0.125, 0.5, (2, tasks))
    return [TaskSums(names, f * np.exp(hard + s), ones)
            for f, s in zip((1.0, factor), scatter, strict=True)]  # fmt: skip


def test_the_error_of_few_skewed_costs_counts_more() -> None:
    assert error_factor(COSTS, 2 * COSTS) == pytest.approx(1 + 3 * (1 / 10 - 1 / 200))
    even, solved = np.arange(1.0, 11.0), np.array([0.0, 1.0] * 5)
    assert [error_factor(side, side) for side in (even, solved, COSTS[:4])] == [1.0] * 3
    assert error_factor(np.tile(COSTS, 20), np.tile(COSTS, 20)) == 1.0


def test_an_interval_that_holds_no_change_has_no_small_p() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        found = paired_difference(*draw(rng, 12, 2.5), resamples=799)
        assert found.p is not None
        assert found.low is not None
        assert (found.low > 0) == (found.p <= 0.05)
        assert "widened for few skewed tasks" in found.method


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [10, 20, 60])
def test_differences_and_ratios_of_skewed_costs_are_covered(tasks: int) -> None:
    rng, held, repeats = np.random.default_rng(tasks), np.zeros(2), 1000
    truths = 0.5 * np.exp(1.25**2 / 2), 1.5
    for _ in range(repeats):
        sides = draw(rng, tasks, 1.5)
        for which, of in enumerate((paired_difference, paired_ratio)):
            found = of(*sides, resamples=799)
            assert found.low is not None
            assert found.high is not None
            held[which] += found.low <= truths[which] <= found.high
    # The standard error of the rate is 0.008.
    assert (held / repeats >= 0.93 - 0.016).all()
