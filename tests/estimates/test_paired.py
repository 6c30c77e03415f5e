"""Differences of pairs, also where pairs are few."""

import math

import numpy as np
import pytest

from agentdyno.estimates.few_pairs import error_factor
from agentdyno.estimates.means import TaskSums
from agentdyno.estimates.paired import paired_difference, paired_ratio
from agentdyno.estimates.paired_outcomes import mcnemar
from agentdyno.estimates.unpaired import unpaired_difference, unpaired_ratio

# Student, Biometrika 6 (1908): hours of sleep gained by ten patients under two drugs.
FIRST_DRUG = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND_DRUG = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def by_task(values: list[float]) -> dict[str, list[float]]:
    return {f"task {place:03}": [value] for place, value in enumerate(values)}


def test_sleep_data_match_student() -> None:
    # Mean 1.58, t = 4.0621, p = 0.0028; Student's 95 % interval [0.70, 2.46]. The bootstrap-t
    # is wider, because ten differences with one outlier do not look normal.
    found = paired_difference(by_task(FIRST_DRUG), by_task(SECOND_DRUG))
    assert found.value == pytest.approx(1.58)
    assert 0.2 < found.low < 0.85
    assert 2.3 < found.high < 3.0
    assert found.p < 0.02


def test_students_interval_is_exact_where_resamples_lose_their_spread() -> None:
    # Three tasks: resamples of one task alone are common, so Student's t is used.
    # Differences 1, 2, 6: mean 3, error sqrt(7/3) = 1.5275, t(0.975, 2) = 4.3027.
    found = paired_difference(by_task([0.0, 0, 0]), by_task([1.0, 2, 6]))
    assert "Student's t" in found.method
    assert found.value == pytest.approx(3.0)
    assert found.low == pytest.approx(3 - 4.30265 * math.sqrt(7 / 3), abs=1e-4)
    assert found.high == pytest.approx(3 + 4.30265 * math.sqrt(7 / 3), abs=1e-4)


def test_only_shared_tasks_are_compared_and_trials_are_averaged() -> None:
    first = {"a": [1.0, 3.0], "b": [4.0], "only here": [100.0]}
    second = {"a": [5.0], "b": [4.0, 6.0], "only there": [1.0], "untried": []}
    found = paired_difference(first, second)
    assert found.n == 2
    assert found.value == pytest.approx(2.0)  # (5 - 2 + 5 - 4) / 2


def test_ratio_is_of_means_and_turns_over_with_its_sides() -> None:
    costs = by_task([1.0, 2, 3, 4, 9, 5, 6, 2, 8, 3])
    dearer = by_task([2.0, 2, 5, 4, 9, 9, 7, 3, 8, 5])
    found, turned = paired_ratio(costs, dearer), paired_ratio(dearer, costs)
    assert found.value == pytest.approx(54 / 43)
    assert turned.value == pytest.approx(43 / 54)
    assert found.low is not None
    assert turned.high is not None
    assert (found.low, found.p) == (pytest.approx(1 / turned.high), turned.p)


def test_a_ratio_over_nothing_has_a_reason() -> None:
    found = paired_ratio(by_task([0.0, 0.0]), by_task([1.0, 2.0]))
    assert found.value is None
    assert found.reason is not None


def test_identical_sides_have_no_spread_to_judge() -> None:
    found = paired_difference(by_task(FIRST_DRUG), by_task(FIRST_DRUG))
    assert (found.value, found.low) == (0.0, None)
    assert found.reason is not None
    assert paired_ratio(by_task([1.0, 2]), by_task([2.0, 4])).value == pytest.approx(2.0)


def test_sides_without_a_shared_task_are_undefined() -> None:
    assert paired_difference({"a": [1.0]}, {"b": [1.0]}).reason == "the two sides share no task"
    assert paired_ratio({"a": [1.0]}, {"b": [1.0]}).value is None


def test_unpaired_error_matches_the_hand_calculation() -> None:
    # 1, 3, 5 against 6, 8, 10: difference 5, error sqrt(8/3), Welch freedom 4, t = 2.7764.
    found = unpaired_difference(by_task([1.0, 3, 5]), by_task([6.0, 8, 10]))
    assert found.value == pytest.approx(5.0)
    assert "4 degrees of freedom" in found.method
    assert found.low == pytest.approx(5 - 2.7764 * math.sqrt(8 / 3), abs=1e-3)


def test_pairing_narrows_what_hard_tasks_widen() -> None:
    hard = [float(task**2) for task in range(1, 31)]
    slower = [value * 1.1 + task % 3 for task, value in enumerate(hard)]
    paired = paired_ratio(by_task(hard), by_task(slower))
    unpaired = unpaired_ratio(by_task(hard), by_task(slower))
    assert paired.value == pytest.approx(unpaired.value)
    assert paired.low is not None
    assert paired.high is not None
    assert unpaired.low is not None
    assert unpaired.high is not None
    assert paired.high / paired.low < 1.1 < unpaired.high / unpaired.low


def test_unpaired_sides_need_tasks_that_differ() -> None:
    assert unpaired_difference({}, by_task([1.0])).reason == "a side has no task"
    assert unpaired_difference(by_task([1.0, 1]), by_task([2.0, 2])).low is None
    assert unpaired_ratio(by_task([0.0, 0]), by_task([1.0, 2])).value is None
    assert unpaired_ratio({}, {}).value is None


def test_large_counts_match_agrestis_approval_ratings() -> None:
    # Agresti, Categorical Data Analysis: 150 and 86 changed their mind, z = -4.17, z² = 17.36.
    found = mcnemar(150, 86)
    assert found.statistic == pytest.approx(17.36, abs=0.005)
    assert (found.p, found.n) == (pytest.approx(3.1e-5, abs=1e-6), 236)
    assert "chi-square" in found.method


def test_few_disagreements_use_the_exact_test() -> None:
    # 6 against 16: twice the binomial tail P(X <= 6 | 22, 1/2) = 2 * 110056 / 2^22 = 0.0525.
    found = mcnemar(6, 16)
    assert found.p == pytest.approx(2 * 110_056 / 2**22)
    assert "exact" in found.method


def test_equal_disagreements_have_p_of_one() -> None:
    assert mcnemar(3, 3).p == 1.0


def test_full_agreement_has_a_reason_and_no_p() -> None:
    found = mcnemar(0, 0)
    assert (found.p, found.reason) == (None, "the two agree on every task")


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="counts >= 0"):
        mcnemar(-1, 2)


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
            assert found.high is not None
            held[which] += found.low <= truths[which] <= found.high
    # The standard error of the rate is 0.008.
    assert (held / repeats >= 0.93 - 0.016).all()
