"""Proportions, shares over tasks, several tests at once, and how well scores separate."""

import pytest
from bench.board.areas import clustered_auc
from tests.labelled import from_set

from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.shares import clustered_share


@from_set("estimates/proportions", "successes", "n", "low", "high")
def test_wilson_matches_newcombe_and_toolfailbench(
    successes: int, n: int, low: float, high: float
) -> None:
    found = wilson(successes, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))
    assert found.n == n


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, float("nan")])
def test_a_confidence_outside_zero_and_one_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, confidence)


def test_few_of_many_reach_no_further_than_a_share_of_as_many_tasks() -> None:
    found = clustered_share({f"t{n}": [float(n < 3)] for n in range(20)})
    assert found == wilson(3, 20)
    assert found.high < 0.4


def test_tasks_whose_trials_agree_count_once() -> None:
    assert clustered_share({f"t{n}": [1.0] * 4 for n in range(5)}) == wilson(5, 5)


def test_where_trials_differ_tasks_are_resampled_within_bounds() -> None:
    found = clustered_share({f"t{n}": [1.0, float(n % 2)] for n in range(8)})
    assert found.value == pytest.approx(0.75)
    assert 0 < found.low < 0.75 < found.high <= 1


def test_a_score_that_tells_everything_is_sure_and_noise_is_not() -> None:
    sure = {str(n): [(n + 10.0, True), (n - 10.0, False)] for n in range(8)}
    found = clustered_auc(sure, within=True)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    noise = {
        str(n): [(float(n % 3), True), (float((n + 1) % 3), False), (float(n % 2), n % 2 == 0)]
        for n in range(12)
    }
    unsure = clustered_auc(noise)
    assert unsure.low < 0.5 < unsure.high
    assert unsure.n == 12


@pytest.mark.parametrize("within", [False, True])
def test_the_area_lies_inside_its_interval(within: bool) -> None:
    tasks = {str(n): [(n % 4 + 0.5, True), (n % 5 * 1.0, False)] for n in range(15)}
    found = clustered_auc(tasks, within)
    assert found.low <= found.value <= found.high  # type: ignore[operator]


def test_one_right_attempt_among_many_wrong_ones_has_no_interval() -> None:
    tasks = {str(n): [(float(n), n == 20)] for n in range(30)}
    found = clustered_auc(tasks)
    assert (found.value, found.low, found.high) == (pytest.approx(20 / 29), None, None)
    assert "fewer than 5" in str(found.reason)
