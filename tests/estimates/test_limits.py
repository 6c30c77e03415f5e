"""A limit is broken only when the whole interval lies beyond it."""

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
    # Reach 6, distance 1: (6 / 1)² * 60 - 60 = 2,100.
    found = judge_limit(effect(0.04, -0.02, 0.10), 0.05, "above")
    assert found.state == "inconclusive"
    # 60 * (6 * (1.96 + 0.8416) / 1.96)² - 60, and with the true value 6 / 1.96 = 3.06 further off.
    assert found.more_tasks_needed == pytest.approx(4354, abs=10)
    assert found.more_tasks_low == pytest.approx(60 * (6 * 1.4294 / 4.0613) ** 2 - 60, abs=3)
    assert found.more_tasks_high is None


def test_an_estimate_on_the_limit_is_never_decided() -> None:
    assert judge_limit(effect(0.05, 0.0, 0.1), 0.05, "above").more_tasks_needed is None


def test_a_missing_interval_breaks_nothing() -> None:
    found = judge_limit(undefined_estimate("no tasks", n=0, method="test"), 0.0, "above")
    assert found.state == "inconclusive"
    assert found.more_tasks_needed is None
