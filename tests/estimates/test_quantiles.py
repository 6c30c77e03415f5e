"""Quantiles and tails against printed tables, ranks by hand."""

import numpy as np
import pytest

from agentdyno.estimates.quantiles import (
    mean_ranks,
    normal_p,
    normal_quantile,
    student_p,
    student_quantile,
)


def test_quantiles_match_the_tables() -> None:
    assert normal_quantile(0.975) == pytest.approx(1.959964, abs=1e-6)
    assert student_quantile(0.975, 10) == pytest.approx(2.228, abs=5e-4)
    assert student_quantile(0.95, 4.5) == pytest.approx(2.0650, abs=5e-3)  # Between 4 and 5.


def test_tails_match_the_tables() -> None:
    assert normal_p(-1.959964) == pytest.approx(0.05, abs=1e-6)
    assert student_p(2.228, 10) == pytest.approx(0.05, abs=1e-4)
    assert student_p(0.0, 3) == 1.0


def test_ties_share_the_mean_of_their_ranks() -> None:
    assert mean_ranks(np.array([30.0, 10, 20, 10])).tolist() == [4, 1.5, 3, 1.5]
