"""Accuracies compared, against worked and published numbers."""

import pytest

from agentdyno.studies.comparison.shares import paired_share_difference, unpaired_share_difference


def _solved(*outcomes: float) -> dict[str, list[float]]:
    return {f"t{i:03}": [outcome] for i, outcome in enumerate(outcomes)}


def test_four_losses_in_twenty_tasks_are_not_proof():
    found = paired_share_difference(_solved(*[1] * 20), _solved(*[0] * 4 + [1] * 16), 0.95)
    # centre -4/22 = -0.1818, error sqrt((6/22 - 0.03306) / 22) = 0.1044, t(21) = 2.0796.
    assert found.value == pytest.approx(-0.2)
    assert found.low == pytest.approx(-0.3989, abs=1e-4)
    assert found.high == pytest.approx(0.0353, abs=1e-4)
    assert found.p > 0.05


def test_no_change_at_all_still_has_an_interval():
    found = paired_share_difference(_solved(*[1] * 50), _solved(*[1] * 50), 0.95)
    # Two added tasks of 52: error sqrt(2/52/52) = 0.0272, t(51) = 2.0076.
    assert found.value == 0
    assert found.high == pytest.approx(0.0546, abs=1e-4)
    assert found.low == pytest.approx(-found.high)


def test_more_attempts_narrow_the_interval():
    once = paired_share_difference(_solved(*[1] * 50), _solved(*[1] * 50), 0.95)
    thrice = {task: [1.0] * 3 for task in _solved(*[1] * 50)}
    assert paired_share_difference(thrice, thrice, 0.95).high == pytest.approx(once.high / 3)


def test_ungraded_sides_have_no_effect():
    found = paired_share_difference({}, {}, 0.95)
    assert found.value is None
    assert found.reason == "no task is graded on both sides"


def test_unpaired_single_attempts_use_newcombe():
    # Newcombe 1998, table II (a): 56/70 against 48/80 -> 0.20 [0.0524, 0.3339].
    first = _solved(*[1] * 48 + [0] * 32)
    second = _solved(*[1] * 56 + [0] * 14)
    found = unpaired_share_difference(first, second, 0.95)
    assert found.value == pytest.approx(0.2)
    assert found.low == pytest.approx(0.0524, abs=5e-5)
    assert found.high == pytest.approx(0.3339, abs=5e-5)


def test_unpaired_without_spread_is_bounded_by_the_number_of_tasks():
    always = {f"t{i}": [1.0, 1.0] for i in range(20)}
    found = unpaired_share_difference(always, {f"u{i}": [1.0, 1.0] for i in range(20)}, 0.95)
    assert found.value == 0
    assert found.low < -0.1 < 0.1 < found.high
