"""Shares over tasks."""

import pytest

from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.shares import clustered_share


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
