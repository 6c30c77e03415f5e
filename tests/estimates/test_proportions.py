"""Proportions, shares over tasks, several tests at once, and how well scores separate."""

import pytest
from tests.labelled import from_set

from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.proportions import proportion_difference, two_proportion_z, wilson
from agentdyno.estimates.separation import clustered_auc
from agentdyno.estimates.shares import clustered_share


@from_set("estimates/proportions", "successes", "n", "low", "high")
def test_wilson_matches_newcombe_and_toolfailbench(
    successes: int, n: int, low: float, high: float
) -> None:
    found = wilson(successes, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))
    assert found.n == n


def test_no_observations_give_a_reason_and_no_number() -> None:
    found = wilson(0, 0)
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.reason == "no observations"


def test_more_successes_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="got 5 of 4"):
        wilson(5, 4)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, float("nan")])
def test_a_confidence_outside_zero_and_one_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, confidence)


def test_z_of_the_control_accuracy_gap_matches_toolfailbench() -> None:
    # Section 5.3: 8.91 % (22 of 247) against 98.00 % (245 of 250): z = -19.9, p < 1e-80.
    found = two_proportion_z(22, 247, 245, 250)
    assert found.statistic == pytest.approx(-19.9, abs=0.05)
    assert found.p < 1e-80


def test_z_is_undefined_when_everything_succeeds() -> None:
    found = two_proportion_z(10, 10, 20, 20)
    assert (found.statistic, found.p) == (None, None)
    assert found.reason is not None
    assert "same outcome" in found.reason


def test_difference_interval_matches_newcombe() -> None:
    # Newcombe, Statistics in Medicine 17 (1998) 873-890, Table II, method 10: 56/70 - 48/80.
    found = proportion_difference(48, 80, 56, 70)
    assert (found.value, found.low) == (pytest.approx(0.2), pytest.approx(0.0524, abs=6e-5))
    assert found.high == pytest.approx(0.3339, abs=6e-5)


def test_difference_against_an_empty_group_has_a_reason() -> None:
    found = proportion_difference(0, 0, 3, 4)
    assert (found.value, found.reason) == (None, "a group is empty")


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


def test_no_trials_are_unknown() -> None:
    assert clustered_share({}).value is None


def test_four_tests_match_the_worked_example() -> None:
    # Holm, Scandinavian Journal of Statistics 6 (1979) 65-70, on the usual four p values:
    # 0.005*4, 0.01*3, 0.03*2, then 0.04*1 raised to its predecessor.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_an_unknown_p_stays_unknown_and_is_not_counted() -> None:
    assert holm([0.02, None, 0.03]) == [pytest.approx(0.04), None, pytest.approx(0.04)]


def test_corrected_p_never_exceeds_one() -> None:
    assert holm([0.6, 0.7]) == [1.0, 1.0]


def test_nothing_to_correct() -> None:
    assert holm([]) == []
    assert holm([None]) == [None]


def test_pooled_pairs_cross_tasks_and_inner_pairs_do_not() -> None:
    tasks = {"a": [(0.9, True), (0.1, False)], "b": [(0.4, True), (0.6, False)]}
    assert clustered_auc(tasks).value == 0.75
    assert clustered_auc(tasks, within=True).value == 0.5
    assert clustered_auc(tasks).low is None  # Two tasks say nothing of others.


def test_ties_count_half() -> None:
    assert clustered_auc({"a": [(1.0, True), (1.0, False)]}).value == 0.5


def test_without_a_pair_there_is_no_area() -> None:
    found = clustered_auc({"a": [(1.0, True)], "b": [(2.0, True)]})
    assert found.value is None
    assert found.reason is not None


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
