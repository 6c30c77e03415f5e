"""Money that a price list alone does not give: hours of caching, service tiers, what traces say."""

import json
import math

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.whatif import WhatIfOptions, whatif

WRITTEN = {
    "input_tokens": 10,
    "output_tokens": 5,
    "cache_creation_input_tokens": 150,
    "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 50},
}


def _ledger(tmp_path, name, record):
    file = tmp_path / name
    file.write_text(json.dumps(record) + "\n")
    measure([file], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True))
    return tmp_path / "ledger"


def _answered(tmp_path, **usage):
    response = {
        "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn",
        "usage": WRITTEN | usage,
    }  # fmt: skip
    asked = {"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "hi"}]}
    return _ledger(tmp_path, "log.jsonl", {"request": asked, "response": response})


def _usd(ledger, **options):
    found, _ = whatif(ledger, WhatIfOptions(**options))
    return next(figure for figure in found.together.figures if figure.name == "usd")


def test_what_is_kept_for_an_hour_costs_what_the_ledger_says(tmp_path):
    ledger = _answered(tmp_path)
    # 10 at 3, 150 written at 3.75, 50 of them 2.25 dearer, 5 at 15: 780 over a million.
    figure = _usd(ledger, cap_results=1000)
    assert (figure.before, figure.after) == pytest.approx((780e-6, 780e-6))
    # As claude-opus-4-5: 10 at 5, 150 at 6.25, 50 of them 3.75 dearer, 5 at 25.
    assert _usd(ledger, model="claude-opus-4-5").after == pytest.approx(1300e-6)


def test_a_cache_that_lives_longer_is_written_at_the_price_of_an_hour(tmp_path):
    ledger = _answered(tmp_path)
    # All 160 tokens of the first turn are written, at 3.75 or at 6, and 5 are generated at 15.
    assert _usd(ledger, keep_cache_seconds=300).after == pytest.approx(675e-6)
    assert _usd(ledger, keep_cache_seconds=600).after == pytest.approx(1035e-6)
    assert _usd(ledger, keep_cache_seconds=math.inf).after == pytest.approx(675e-6)


def test_a_tier_is_charged_before_and_after(tmp_path):
    figure = _usd(_answered(tmp_path, service_tier="batch"), cap_results=1000)
    assert (figure.before, figure.after) == pytest.approx((390e-6, 390e-6))


def test_money_that_only_the_trace_tells_is_not_predicted(tmp_path):
    metrics = {"prompt_tokens": 100, "completion_tokens": 10, "cost_usd": 0.5}
    steps = [
        {"step_id": 1, "source": "user", "message": "hi"},
        {"step_id": 2, "source": "agent", "message": "hello", "metrics": metrics},
    ]
    agent = {"name": "a", "version": "1", "model_name": "nobody/unpriced"}
    trial = {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": agent, "steps": steps}
    figure = _usd(_ledger(tmp_path, "trajectory.json", trial), cap_results=1000)
    assert (figure.before, figure.after, figure.left_out) == (None, None, 1)
