"""Correlations, plain and of bins."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.estimates.correlation import partial, pearson

# Anscombe, The American Statistician 27 (1973) 17-21, first set.
ANSCOMBE_X = [10.0, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
ANSCOMBE_Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]


def test_partial_without_controls_is_pearson() -> None:
    found = partial(ANSCOMBE_X, ANSCOMBE_Y, [])
    plain = pearson(ANSCOMBE_X, ANSCOMBE_Y)
    assert (found.value, found.p) == (pytest.approx(plain.value), pytest.approx(plain.p))


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
