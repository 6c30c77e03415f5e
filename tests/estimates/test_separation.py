"""Areas under the curve, by hand."""

import pytest

from agentdyno.estimates.separation import clustered_auc


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
    assert unsure.low is not None
    assert unsure.high is not None
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
    assert found.value == pytest.approx(20 / 29)
    assert (found.low, found.high) == (None, None)
    assert "fewer than 5" in str(found.reason)
