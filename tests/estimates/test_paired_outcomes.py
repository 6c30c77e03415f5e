"""McNemar against Agresti's table and a worked exact case."""

import pytest

from agentdyno.estimates.paired_outcomes import mcnemar


def test_large_counts_match_agrestis_approval_ratings() -> None:
    # Agresti, Categorical Data Analysis: 150 and 86 changed their mind, z = -4.17, z² = 17.36.
    found = mcnemar(150, 86)
    assert found.statistic == pytest.approx(17.36, abs=0.005)
    assert found.p == pytest.approx(3.1e-5, abs=1e-6)
    assert found.n == 236
    assert "chi-square" in found.method


def test_few_disagreements_use_the_exact_test() -> None:
    # 6 against 16: twice the binomial tail P(X <= 6 | 22, 1/2) = 2 * 110056 / 2^22 = 0.0525.
    found = mcnemar(6, 16)
    assert found.p == pytest.approx(2 * 110_056 / 2**22)
    assert "exact" in found.method


def test_equal_disagreements_have_p_of_one() -> None:
    assert mcnemar(3, 3).p == 1.0


def test_full_agreement_has_a_reason_and_no_p() -> None:
    found = mcnemar(0, 0)
    assert found.p is None
    assert found.reason == "the two agree on every task"


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="counts >= 0"):
        mcnemar(-1, 2)
