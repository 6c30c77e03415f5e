"""A limit is broken only when the whole interval lies beyond it."""

import numpy as np
import pytest
from tests.labelled import from_set

from agentdyno.estimates.estimate import Estimate, undefined_estimate
from agentdyno.estimates.limits import judge_limit


def effect(estimate: float, low: float, high: float, n: int = 60) -> Estimate:
    return Estimate(value=estimate, low=low, high=high, n=n, method="test")


@from_set("estimates/limits", "low", "high", "worse", "state")
def test_verdict_follows_the_interval(low: float, high: float, worse: str, state: str) -> None:
    limit = 0.05 if worse == "above" else -0.02
    found = judge_limit(effect((low + high) / 2, low, high), limit, worse)  # type: ignore[arg-type]
    assert found.state == state


def test_undecided_says_about_how_many_more_tasks() -> None:
    # Worked in the module: a chance of 0.551 below the limit and of 0.299 above it.
    found = judge_limit(effect(0.04, -0.02, 0.10), 0.05, "above")
    assert found.state == "inconclusive"
    assert found.more_tasks_needed == pytest.approx(5787, abs=20)
    # A power of 80 % with the true value 6 / 1.96 = 3.06 further off.
    assert found.more_tasks_low == pytest.approx(60 * (6 * 1.4294 / 4.0613) ** 2 - 60, abs=3)
    assert found.more_tasks_high is None


def test_an_estimate_on_the_limit_still_lies_somewhere() -> None:
    # P(|z| > 1.96 sqrt(60 / more)) = 0.85 where 1.96 sqrt(60 / more) = 0.1891.
    found = judge_limit(effect(0.05, 0.0, 0.1), 0.05, "above")
    assert found.more_tasks_needed == pytest.approx(60 * (1.96 / 0.1891) ** 2, rel=0.01)


@pytest.mark.parametrize("true", [0.5, 1.0])
def test_following_the_advice_decides_four_of_five(true: float) -> None:
    """Estimates of a normal value that lies so many pilot errors from the limit."""
    rng, decided = np.random.default_rng(20260407), []
    for estimate in true + rng.standard_normal(1500):
        more = judge_limit(effect(estimate, estimate - 1.96, estimate + 1.96), 0.0, "above")
        if more.state == "inconclusive":
            assert more.more_tasks_needed is not None
            total = 60 + more.more_tasks_needed
            further = true + rng.standard_normal() * np.sqrt(60 / more.more_tasks_needed)
            last = (60 * estimate + more.more_tasks_needed * further) / total
            decided.append(abs(last) > 1.96 * np.sqrt(60 / total))
    assert np.mean(decided) > 0.8


def test_a_missing_interval_breaks_nothing() -> None:
    found = judge_limit(undefined_estimate("no tasks", n=0, method="test"), 0.0, "above")
    assert found.state == "inconclusive"
    assert found.more_tasks_needed is None
