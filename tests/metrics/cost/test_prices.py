"""Money is added up by hand: by kind of token, tier and length of context."""

import pytest

from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.prices import Price, money
from tests.labelled import from_set


def price(model: str) -> Price:
    found = price_of(model)
    assert found is not None
    return found


def test_money_adds_each_kind_of_token_at_its_price() -> None:
    # 1,000 * 3 + 10,000 * 0.30 + 2,000 * 3.75 + 500 * 15, over a million.
    paid = money(price("claude-sonnet-4-5"), 1_000, 10_000, 2_000, 500)
    assert paid == pytest.approx(0.021)


def test_cached_tokens_without_a_listed_price_cost_an_unknown_amount() -> None:
    turbo = price("gpt-4-turbo")
    assert turbo.cached_input is None
    assert money(turbo, 1_000, 1_000_000, None, 0) is None
    # What was not read from the cache has its price.
    assert money(turbo, 1_000_000, 0, None, 0) == pytest.approx(10.0)


def test_cache_writing_costs_the_input_price_where_it_is_not_charged_apart() -> None:
    assert money(price("gpt-4o"), 0, 0, 1_000_000, 0) == pytest.approx(2.5)


def test_unknown_stays_unknown() -> None:
    assert money(None, 1, 1, 1, 1) is None
    assert money(price("gpt-4o"), None, 0, 0, 1) is None
    assert money(price("gpt-4o"), 1, 0, 0, None) is None
    assert money(price("gpt-4o"), 0, None, None, 0) == 0.0


def test_what_is_kept_for_an_hour_costs_twice_the_input_price() -> None:
    # 1,000 written for five minutes at 6.25, 1,000 for an hour at 10, over a million.
    assert money(price("claude-opus-4-5"), 0, 0, 2_000, 0, 1_000) == pytest.approx(0.01625)


def test_a_long_context_costs_its_rates_for_all_of_its_tokens() -> None:
    sonnet = price("claude-sonnet-4-5[1m]")
    # 100,000 + 100,000 cached is short: 0.30 + 0.03; one more is long: 100,001 * 6 + 0.06.
    assert money(sonnet, 100_000, 100_000, None, 0) == pytest.approx(0.33)
    assert money(sonnet, 100_001, 100_000, None, 0) == pytest.approx(0.660006)


@from_set("metrics/cost/prices", "model", "tier", "fresh", "cached", "out")
def test_a_tier_has_its_rates(
    model: str, tier: str | None, fresh: float, cached: float, out: float
) -> None:
    rates = price(model).in_tier(tier)
    assert rates is not None
    assert (rates.input, rates.cached_input, rates.output) == pytest.approx((fresh, cached, out))


def test_an_unknown_tier_has_no_rates() -> None:
    assert price("gpt-5").in_tier("moonlight") is None


def test_a_tier_has_long_contexts_too() -> None:
    batch = price("claude-sonnet-4-5").in_tier("batch")
    assert batch is not None
    assert batch.at_length(300_000).input == 3.0
