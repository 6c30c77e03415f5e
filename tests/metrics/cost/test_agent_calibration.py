"""What an agent took by its last response and its calls, with figures worked by hand."""

import pytest

from agentdyno.cost.agent_calibration import AgentCalibration, agent_calibration

ROUND = AgentCalibration(1.0, 0.8, 0.4, 0.1, 60, 22, "2026-01-01")


def test_the_context_grows_with_the_calls() -> None:
    assert ROUND.tokens(40_000, 15) == pytest.approx(40_000 * 16**0.8)
    assert agent_calibration().tokens(40_000, 15) > agent_calibration().tokens(40_000, 3) > 40_000


def test_one_agent_has_a_wide_interval_and_many_a_narrower_one() -> None:
    one, many = ROUND.total([(40_000, 15)]), ROUND.total([(40_000, 15)] * 400)
    # sd 0.4 and 0.1 together 0.412, a log-normal's width sqrt(ln(1 + 0.17)) = 0.396.
    assert one.value is not None
    assert one.high == pytest.approx(one.value * 2.009, rel=1e-3)
    assert one.low == pytest.approx(one.value * 0.425, rel=1e-2)
    # 0.4 / 20 and the shared 0.1: 0.102.
    assert many.value == pytest.approx(400 * one.value)
    assert many.high == pytest.approx(many.value * 1.215, rel=1e-3)


def test_no_estimate_is_below_what_is_known() -> None:
    low = AgentCalibration(0.1, 0.5, 0.4, 0.1, 60, 22, "2026-01-01").total([(1000.0, 1)])
    assert (low.value, low.low) == (1000.0, 1000.0)


def test_without_a_counted_response_there_is_no_estimate() -> None:
    none = ROUND.total([])
    assert none.value is None
    assert none.reason
