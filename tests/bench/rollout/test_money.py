"""What continuations may cost: the expectation, and how the limit is kept."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno_bench.running.history import Usage
from agentdyno_bench.studies.rollouts.continuations import Rollout
from agentdyno_bench.studies.rollouts.cuts import Cut
from agentdyno_bench.studies.rollouts.facts_runs import FactsRuns
from agentdyno_bench.studies.rollouts.money import Costs, portions

PRICES = '["pilot"]\ninput = 1\noutput = 5\nas_of = 2026-01-01\n'


class Shop(FactsRuns):
    """Every continuation is expected to cost one, and costs something else."""

    def __init__(self, price: float) -> None:
        super().__init__()
        self.price, self.sold = price, 0

    def estimate_usd(self, one: Rollout) -> float | None:
        return 1.0

    def count_spent_usd(self) -> float | None:
        return self.price * self.sold


def buy(shop: Shop, wanted: int, max_usd: float | None) -> int:
    for some in portions(shop, [Rollout("t", Cut(0, 0), n) for n in range(wanted)], max_usd):
        shop.sold += len(some)
    return shop.sold


@given(st.floats(0.1, 2.0), st.integers(1, 300), st.floats(1.0, 400.0))
def test_the_limit_holds_though_all_cost_twice_what_was_expected(
    price: float, wanted: int, max_usd: float
) -> None:
    shop = Shop(price)
    buy(shop, wanted, max_usd)
    assert shop.count_spent_usd() <= max_usd + max(0.0, price - 1)  # type: ignore[operator]


def test_money_that_is_there_is_used() -> None:
    # Twelve at one each: all but what is not enough for one more.
    assert buy(Shop(1.0), 300, 12.5) == 12
    # What is cheaper than expected leaves room for more, as far as one is expected to fit.
    assert buy(Shop(0.5), 300, 12.5) == 24
    assert buy(Shop(1.0), 300, None) == 300
    assert buy(Shop(1.0), 5, 1000.0) == 5


@pytest.fixture
def costs(tmp_path: Path) -> Costs:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    turns = {
        "trajectory_id": ["t"] * 4,
        "turn": [0, 1, 2, 3],
        "context_tokens": [2000] * 4,
        "cached_tokens": [None] * 4,
        "cache_write_tokens": [None] * 4,
        "decode_tokens": [100, 100, 100, 100],
    }

    class Table:
        def read(self, name: str) -> pl.DataFrame:
            return pl.DataFrame(turns)

    return Costs(Table(), prices)


def test_a_continuation_is_expected_to_cost_what_the_recorded_rest_did(costs: Costs) -> None:
    # The module's worked number: two turns are left, 0.002 and 0.0005 USD each.
    assert costs.estimate("t", 2, "provider/pilot") == pytest.approx(0.005)
    assert costs.estimate("t", 0, "pilot") == pytest.approx(0.01)
    assert costs.estimate("t", 2, "somebody-else") is None


def test_what_was_paid_is_the_usage_of_all_models(costs: Costs) -> None:
    used = Usage(1_000_000, 0, 0, 200_000)
    assert costs.count_paid({"provider/pilot": used}) == pytest.approx(2.0)
    assert costs.count_paid({"provider/pilot": used, "somebody-else": used}) is None
    assert costs.count_paid({}) == 0
