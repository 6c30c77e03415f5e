"""Proportions, and shares over tasks."""

import pytest
from tests.labelled import from_set

from agentdyno.estimates.proportions import proportion_difference, two_proportion_z, wilson
from agentdyno.estimates.shares import clustered_share


@from_set("estimates/proportions", "successes", "n", "low", "high")
def test_wilson_matches_newcombe_and_toolfailbench(
    successes: int, n: int, low: float, high: float
) -> None:
    found = wilson(successes, n)
    assert found.low == pytest.approx(low, abs=6e-5)
    assert found.high == pytest.approx(high, abs=6e-5)
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
    assert found.p is not None
    assert found.p < 1e-80


def test_z_is_undefined_when_everything_succeeds() -> None:
    found = two_proportion_z(10, 10, 20, 20)
    assert found.statistic is None
    assert found.p is None
    assert found.reason is not None
    assert "same outcome" in found.reason


def test_difference_interval_matches_newcombe() -> None:
    # Newcombe, Statistics in Medicine 17 (1998) 873-890, Table II, method 10: 56/70 - 48/80.
    found = proportion_difference(48, 80, 56, 70)
    assert found.value == pytest.approx(0.2)
    assert found.low == pytest.approx(0.0524, abs=6e-5)
    assert found.high == pytest.approx(0.3339, abs=6e-5)


def test_difference_against_an_empty_group_has_a_reason() -> None:
    found = proportion_difference(0, 0, 3, 4)
    assert found.value is None
    assert found.reason == "a group is empty"


def test_few_of_many_reach_no_further_than_a_share_of_as_many_tasks() -> None:
    found = clustered_share({f"t{n}": [float(n < 3)] for n in range(20)})
    assert found == wilson(3, 20)
    assert found.high is not None
    assert found.high < 0.4


def test_tasks_whose_trials_agree_count_once() -> None:
    assert clustered_share({f"t{n}": [1.0] * 4 for n in range(5)}) == wilson(5, 5)


def test_where_trials_differ_tasks_are_resampled_within_bounds() -> None:
    found = clustered_share({f"t{n}": [1.0, float(n % 2)] for n in range(8)})
    assert found.value == pytest.approx(0.75)
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < 0.75 < found.high <= 1


def test_no_trials_are_unknown() -> None:
    assert clustered_share({}).value is None
