"""Proportions, shares over tasks, and several tests at once."""

import pytest

from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.shares import clustered_share
from tests.labelled import from_set


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
