"""Correlations, plain and of bins."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.estimates.binned import correlate_bins
from agentdyno.estimates.correlation import p_of_correlation, partial, pearson, spearman

# Anscombe, The American Statistician 27 (1973) 17-21, first set.
ANSCOMBE_X = [10.0, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
ANSCOMBE_Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]


def test_pearson_matches_anscombe() -> None:
    found = pearson(ANSCOMBE_X, ANSCOMBE_Y)
    assert found.value == pytest.approx(0.816, abs=5e-4)
    assert found.p == pytest.approx(0.00217, abs=5e-6)
    # Fisher z by hand: atanh(0.8164) = 1.1459, +- 1.96 / sqrt(8) -> tanh(0.4529), tanh(1.8388).
    assert found.low == pytest.approx(0.4244, abs=5e-4)
    assert found.high == pytest.approx(0.9507, abs=5e-4)


def test_spearman_matches_the_ten_pupils() -> None:
    # IQ against hours of television, the worked example of Wikipedia's article on Spearman:
    # sum d² = 194, rho = 1 - 6 * 194 / 990 = -29/165, p = 0.627.
    iq = [106.0, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7.0, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    found = spearman(iq, hours)
    assert (found.value, found.p) == (pytest.approx(-29 / 165), pytest.approx(0.627, abs=5e-4))


@pytest.mark.parametrize(("n", "p"), [(11, 0.2558), (100, 0.0001)])
def test_p_of_a_printed_correlation_depends_on_its_n(n: int, p: float) -> None:
    # PTE paper, section 4.1, prints r = -0.3750, N = 100, p = 0.2558: that p belongs to N = 11.
    assert p_of_correlation(-0.3750, n) == pytest.approx(p, abs=5e-5)


def test_two_points_have_no_p() -> None:
    assert p_of_correlation(0.5, 2) is None
    assert p_of_correlation(-1.0, 5) == 0.0


def test_partial_matches_the_four_points() -> None:
    # Worked example of Wikipedia's article on partial correlation: r = 0.970, partial 0.919.
    x, y, z = [2.0, 4, 15, 20], [1.0, 2, 3, 4], [0.0, 0, 1, 1]
    assert pearson(x, y).value == pytest.approx(0.970, abs=5e-4)
    assert partial(x, y, [z]).value == pytest.approx(0.919, abs=5e-4)


def test_partial_without_controls_is_pearson() -> None:
    found = partial(ANSCOMBE_X, ANSCOMBE_Y, [])
    plain = pearson(ANSCOMBE_X, ANSCOMBE_Y)
    assert (found.value, found.p) == (pytest.approx(plain.value), pytest.approx(plain.p))


def test_unknown_values_leave_their_row_out() -> None:
    found = pearson([*ANSCOMBE_X, None, 3.0], [*ANSCOMBE_Y, 1.0, None])
    assert (found.n, found.value) == (11, pytest.approx(0.816, abs=5e-4))


def test_a_constant_column_has_a_reason_and_no_number() -> None:
    rounding = pearson([0.3, 0.1 + 0.2, 0.3, 0.3], [1.0, 2.0, 3.0, 4.0])
    assert (rounding.value, rounding.reason) == (None, "a column is constant")
    ranks = spearman([5.0, 5.0, 5.0, 5.0], [1.0, 2.0, 3.0, 4.0])
    assert (ranks.value, ranks.reason) == (None, "a column is constant")


def test_a_column_its_controls_explain_has_a_reason() -> None:
    found = partial([1.0, 2, 3, 5, 8], [2.0, 1, 4, 4, 9], [[2.0, 4, 6, 10, 16]])
    assert found.value is None
    assert found.reason == "the controls explain one of the two columns wholly"


def test_too_few_points_have_a_reason() -> None:
    assert pearson([1.0, 2.0], [2.0, 1.0]).reason is not None
    assert spearman([1.0, None], [2.0, 1.0]).reason is not None
    three = pearson([1.0, 2.0, 3.0], [2.0, 1.0, 5.0])
    assert three.value is not None
    assert (three.low, three.reason) == (None, "an interval needs at least 4 observations")


def test_columns_of_two_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        pearson([1.0], [1.0, 2.0])


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="None for unknown"):
        pearson([1.0, float("nan"), 2.0], [1.0, 2.0, 3.0])


numbers = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


@settings(deadline=None)  # the first call imports scipy
@given(st.lists(st.tuples(numbers, numbers), min_size=4, max_size=30))
def test_r_lies_between_its_ends_and_within_one(rows: list[tuple[float, float]]) -> None:
    found = pearson([a for a, _ in rows], [b for _, b in rows])
    if found.value is None:
        assert found.reason
        return
    assert -1 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert 0 <= found.p <= 1


SCORES = [float(score) for score in range(1, 11)]
OUTCOMES = [0.0, 0, 0, 1, 0, 1, 1, 1, 1, 1]


def test_ten_responses_match_the_hand_calculation() -> None:
    # Bin means: 1.5 3.5 5.5 7.5 9.5 against 0 .5 .5 1 1: r = 2.5 / sqrt(10 * 0.7).
    found = correlate_bins(SCORES, OUTCOMES)
    assert (found.value, found.n) == (pytest.approx(2.5 / math.sqrt(7)), 5)


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
    assert (found.value, found.reason) == (None, "a column is constant")


def test_fewer_responses_than_bins_have_a_reason() -> None:
    found = correlate_bins([1.0, 2.0], [0.0, 1.0])
    assert found.value is None
    assert found.reason is not None
    assert "5 bins" in found.reason
