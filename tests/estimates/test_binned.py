"""Quantile-binned correlation, worked by hand."""

import math

import pytest

from agentdyno.estimates.binned import correlate_bins

SCORES = [float(score) for score in range(1, 11)]
OUTCOMES = [0.0, 0, 0, 1, 0, 1, 1, 1, 1, 1]


def test_ten_responses_match_the_hand_calculation() -> None:
    # Bin means: 1.5 3.5 5.5 7.5 9.5 against 0 .5 .5 1 1: r = 2.5 / sqrt(10 * 0.7).
    found = correlate_bins(SCORES, OUTCOMES)
    assert found.value == pytest.approx(2.5 / math.sqrt(7))
    assert found.n == 5


def test_the_order_of_rows_does_not_matter_even_with_ties() -> None:
    # Quantile edges 1, 1, 2, 3: the six ones fill the bin that two quantiles would share.
    scores = [1.0, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4]
    outcomes = [0.0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1]
    forward = correlate_bins(scores, outcomes)
    backward = correlate_bins(scores[::-1], outcomes[::-1])
    assert forward.value == pytest.approx(backward.value)
    assert forward.n == backward.n == 4


def test_unvarying_outcomes_have_a_reason() -> None:
    found = correlate_bins(SCORES, [1.0] * 10)
    assert found.value is None
    assert found.reason == "a column is constant"


def test_fewer_responses_than_bins_have_a_reason() -> None:
    found = correlate_bins([1.0, 2.0], [0.0, 1.0])
    assert found.value is None
    assert found.reason is not None
    assert "5 bins" in found.reason
