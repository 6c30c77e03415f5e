"""Our few distributions against scipy, which the core does not install."""

import math

import numpy as np
import pytest
from scipy import special

from agentdyno.estimates.quantiles import beta_share, student_p, student_quantile

FREEDOMS = (1, 1.5, 2, 3.7, 10, 29, 121.4, 5_000, 2e6)
SHARES = (1e-6, 0.005, 0.025, 0.2, 0.5, 0.7, 0.95, 0.975, 0.9999)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_student_tails_are_those_of_scipy(freedom: float) -> None:
    for distance in (0.0, 1e-9, 0.3, 1.96, 4.5, 17.0, 200.0):
        expected = 2 * special.stdtr(freedom, -distance)
        assert student_p(-distance, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-300)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_student_quantiles_are_those_of_scipy(freedom: float) -> None:
    for share in SHARES:
        expected = special.stdtrit(freedom, share)
        assert student_quantile(share, freedom) == pytest.approx(expected, rel=1e-7, abs=1e-9)


def test_student_with_endless_freedom_is_the_normal() -> None:
    assert student_quantile(0.975, math.inf) == pytest.approx(1.959964, abs=1e-6)
    assert student_p(1.959964, math.inf) == pytest.approx(0.05, abs=1e-6)
    assert student_p(math.inf, 3) == 0
    assert math.isnan(student_p(math.nan, 3))


def test_beta_shares_are_those_of_scipy() -> None:
    random = np.random.default_rng(7)
    for a, b in 10 ** random.uniform(-1, 4, (300, 2)):
        for value in (0.0, 1e-4, 0.5, random.uniform(), a / (a + b), 1.0):
            expected = special.betainc(a, b, value)
            assert beta_share(value, a, b) == pytest.approx(expected, rel=1e-8, abs=1e-14)
