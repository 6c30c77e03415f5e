"""Holm's correction, worked by hand."""

import pytest

from agentdyno.estimates.multiplicity import holm


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
