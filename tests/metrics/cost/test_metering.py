"""Money of single turns: by the day, the tier and the length of the context of each."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agentdyno.cost.columns import Joined
from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.metering import Batch
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.pipelines.meter import build_meter
from agentdyno.records import read_reported


def list_usd(*turns: dict[str, Any], prices: Path | None = None) -> list[float]:
    """Money by the price list of turns of one trajectory, 100 tokens decoded in each."""
    b = TrajectoryBuilder()
    for turn in turns:
        b.user("q")
        b.turn(**{"decode": read_reported(100), **turn})
        b.text("t")
    meter = build_meter(MeterOptions(prices=str(prices) if prices else None))
    batch = Batch(Joined([b.build("f#0", "f", "test")]), meter)
    return [float(usd) for usd in batch.list_usd]


def seconds(day: str) -> float:
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()


def test_each_turn_costs_the_price_of_its_day() -> None:
    before, after, unknown = list_usd(
        {
            "model": "gpt-5.6-sol",
            "prefill": read_reported(1_000),
            "started_at": seconds("2026-08-20"),
        },
        {
            "model": "gpt-5.6-sol",
            "prefill": read_reported(1_000),
            "ended_at": seconds("2026-08-21"),
        },
        {"model": "gpt-5.6-sol", "prefill": read_reported(1_000)},
    )
    # 1,000 at 5 and 100 at 30; then 1,000 at 4 and 100 at 20, over a million.
    assert (before, after, unknown) == pytest.approx((8e-3, 6e-3, 6e-3))


def test_a_context_above_the_limit_costs_its_own_rates() -> None:
    short, long = list_usd(
        {"model": "claude-sonnet-4-5", "prefill": read_reported(200_000), "cached_tokens": 100_000},
        {"model": "claude-sonnet-4-5", "prefill": read_reported(200_001), "cached_tokens": 100_000},
    )
    # 0.3 + 0.03 + 0.0015; then 100,001 at 6, 100,000 at 0.6, 100 at 22.5.
    assert (short, long) == pytest.approx((0.3315, 0.662256))


def test_tiers_and_models_of_one_trajectory_do_not_mix() -> None:
    flex, priority, other, unknown = list_usd(
        {"model": "gpt-5", "prefill": read_reported(1_000), "service_tier": "flex"},
        {"model": "gpt-5", "prefill": read_reported(1_000), "service_tier": "priority"},
        {"model": "gpt-4o-mini", "prefill": read_reported(1_000)},
        {"model": "gpt-5", "prefill": read_reported(1_000), "service_tier": "moonlight"},
    )
    assert (flex, priority, other) == pytest.approx((1.125e-3, 4.5e-3, 2.1e-4))
    assert np.isnan(unknown)


def test_cached_tokens_without_a_price_make_the_money_unknown_and_only_then() -> None:
    cached, none = list_usd(
        {"model": "gpt-4-turbo", "prefill": read_reported(1_000), "cached_tokens": 1},
        {"model": "gpt-4-turbo", "prefill": read_reported(1_000), "cached_tokens": 0},
    )
    assert np.isnan(cached)
    assert none == pytest.approx(0.013)


def test_a_users_long_contexts_and_tiers_are_charged(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(
        '["m"]\ninput = 1.0\noutput = 2.0\nas_of = 2026-01-31\n'
        "long_context = [{ above = 1000, input = 10.0, output = 20.0 },"
        " { above = 2000, input = 100.0, output = 200.0 }]\n"
        "tiers = { batch = 0.5, fast = { input = 3.0, output = 4.0 } }\n"
    )
    turns = [
        {"model": "m", "prefill": read_reported(1_000)},
        {"model": "m", "prefill": read_reported(1_001)},
        {"model": "m", "prefill": read_reported(2_001), "service_tier": "batch"},
        {"model": "m", "prefill": read_reported(2_001), "service_tier": "fast"},
    ]
    # 1,000 + 200; 10,010 + 2,000; half of 200,100 + 20,000; 6,003 + 400: over a million.
    assert list_usd(*turns, prices=path) == pytest.approx([0.0012, 0.01201, 0.11005, 0.006403])
