"""Differences of pairs, also where pairs are few."""

import numpy as np
import pytest

from agentdyno.estimates.estimate import as_share
from agentdyno.estimates.few_pairs import error_factor
from agentdyno.estimates.means import TaskSums
from agentdyno.estimates.paired import paired_difference, paired_ratio
from agentdyno.estimates.unpaired import unpaired_ratio


def by_task(values: list[float]) -> dict[str, list[float]]:
    return {f"task {place:03}": [value] for place, value in enumerate(values)}


def test_ratio_is_of_means_and_turns_over_with_its_sides() -> None:
    costs = by_task([1.0, 2, 3, 4, 9, 5, 6, 2, 8, 3])
    dearer = by_task([2.0, 2, 5, 4, 9, 9, 7, 3, 8, 5])
    found, turned = paired_ratio(costs, dearer), paired_ratio(dearer, costs)
    assert found.value == pytest.approx(54 / 43)
    assert turned.value == pytest.approx(43 / 54)
    assert found.low is not None
    assert (found.low, found.p) == (pytest.approx(1 / turned.high), turned.p)


def test_pairing_narrows_what_hard_tasks_widen() -> None:
    hard = [float(task**2) for task in range(1, 31)]
    slower = [value * 1.1 + task % 3 for task, value in enumerate(hard)]
    paired = paired_ratio(by_task(hard), by_task(slower))
    unpaired = unpaired_ratio(by_task(hard), by_task(slower))
    assert paired.value == pytest.approx(unpaired.value)
    assert paired.low is not None
    assert paired.high / paired.low < 1.1 < unpaired.high / unpaired.low


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
            held[which] += found.low <= truths[which] <= found.high
    # The standard error of the rate is 0.008.
    assert (held / repeats >= 0.93 - 0.016).all()


def test_a_difference_of_shares_reaches_no_further_than_shares_do() -> None:
    found = paired_difference(by_task([1.0] * 5 + [0.0]), by_task([0.0] * 3 + [1.0, 0.0, 0.0]))
    assert found.low is not None
    assert found.low < -1
    assert as_share(found, least=-1.0).low == -1
    assert as_share(found, least=-1.0).high == found.high
