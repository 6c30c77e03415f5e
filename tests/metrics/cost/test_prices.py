"""Prices: found by any spelling, never by a wrong one, and added up by hand."""

from pathlib import Path

import pytest

from agentdyno.cost.prices import known_prices, money, price_of, tier_factor
from agentdyno.records import InputError

SPELLINGS = {
    "gpt-4o": "gpt-4o",
    "openai/gpt-4o": "gpt-4o",
    "gpt-4o-2024-08-06": "gpt-4o",
    "gpt-4o-2024-05-13": "gpt-4o-2024-05-13",
    "azureai/gpt-4o-mini-2024-07-18": "gpt-4o-mini",
    "gpt-5-2025-08-07": "gpt-5",
    "gpt-5-chat-latest": "gpt-5",
    "gpt-4-1106-preview": "gpt-4-turbo",
    "o3-2025-04-16": "o3",
    "claude-opus-4-5-20251101": "claude-opus-4-5",
    "claude-sonnet-4.5": "claude-sonnet-4-5",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5",
    "claude-3-5-sonnet@20241022": "claude-3-5-sonnet",
    "anthropic.claude-3-5-sonnet-20241022-v2:0": "claude-3-5-sonnet",
    "claude-3.7-sonnet:thinking": "claude-3-7-sonnet",
    "claude-3-5-haiku-latest": "claude-3-5-haiku",
    "models/gemini-2.5-flash": "gemini-2.5-flash",
    "gemini-2.5-pro-preview-05-06": "gemini-2.5-pro",
    "gemini-2.0-flash-001": "gemini-2.0-flash",
    "deepseek/deepseek-chat": "deepseek-chat",
}


@pytest.mark.parametrize(("spelled", "listed"), SPELLINGS.items())
def test_a_price_is_found_by_any_spelling(spelled: str, listed: str) -> None:
    price = price_of(spelled)
    assert price is not None
    assert price.model == listed


@pytest.mark.parametrize(
    "model",
    [
        "gpt-4-32k",
        "gpt-4o-audio-preview",
        "gemini-2.5-flash-preview-04-17",
        "ft:gpt-4o-mini-2024-07-18:me::1",
        "gpt-4o:free",
        "llama3.1:8b",
        "gpt-oss-120b",
        "",
        "///",
    ],
)
def test_a_model_of_another_or_unknown_price_is_unpriced(model: str) -> None:
    assert price_of(model) is None


def test_money_adds_each_kind_of_token_at_its_price() -> None:
    price = price_of("claude-sonnet-4-5")
    # 1,000 * 3 + 10,000 * 0.30 + 2,000 * 3.75 + 500 * 15, over a million.
    assert money(price, 1_000, 10_000, 2_000, 500) == pytest.approx(0.021)


def test_cached_tokens_cost_the_input_price_where_none_is_listed() -> None:
    price = price_of("gpt-4-turbo")
    assert price is not None
    assert price.cached_input is None
    assert money(price, 0, 1_000_000, None, 0) == pytest.approx(10.0)


def test_cache_writing_costs_the_input_price_where_it_is_not_charged_apart() -> None:
    assert money(price_of("gpt-4o"), 0, 0, 1_000_000, 0) == pytest.approx(2.5)


def test_unknown_stays_unknown() -> None:
    price = price_of("gpt-4o")
    assert money(None, 1, 1, 1, 1) is None
    assert money(price, None, 0, 0, 1) is None
    assert money(price, 1, 0, 0, None) is None
    assert money(price, 0, None, None, 0) == 0.0


def test_every_entry_is_dated_and_a_cache_hit_is_never_dearer() -> None:
    for price in known_prices():
        assert 2024 <= price.as_of.year <= 2030
        assert price.cached_input is None or price.cached_input <= price.input
        assert price.cache_write is None or price.cache_write > price.input


def test_a_users_file_wins_and_the_rest_stays(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(
        '["gpt-4o"]\ninput = 1.0\noutput = 2.0\nas_of = 2026-01-31\n'
        '["my-llama"]\ninput = 0.1\noutput = 0.2\nas_of = 2026-01-31\n'
    )
    own, new, bundled = (price_of(name, path) for name in ("openai/gpt-4o", "my-llama", "o3"))
    assert own is not None
    assert new is not None
    assert bundled is not None
    assert (own.input, new.output, bundled.input) == (1.0, 0.2, 2.0)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('["m"]\ninput = 1.0\nas_of = 2026-01-31\n', "output"),
        ('["m"]\ninput = -1.0\noutput = 1.0\nas_of = 2026-01-31\n', "input"),
        ('["m"]\ninput = "1"\noutput = 1.0\nas_of = 2026-01-31\n', "input"),
        ("m = 3\n", "table"),
        ("m =", "TOML"),
    ],
)
def test_a_broken_file_is_refused_with_the_key(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"prices\.toml") as caught:
        price_of("m", path)
    assert named in str(caught.value)


def test_what_is_kept_for_an_hour_costs_twice_the_input_price() -> None:
    price = price_of("claude-opus-4-5")
    # 1,000 written for five minutes at 6.25, 1,000 for an hour at 10, over a million.
    assert money(price, 0, 0, 2_000, 0, 1_000) == pytest.approx(0.01625)


def test_a_tier_multiplies_the_price_and_an_unknown_one_has_none() -> None:
    price = price_of("gpt-5")
    assert price is not None
    assert tier_factor(price, "flex") == 0.5
    assert tier_factor(price, "default") == tier_factor(price, None) == 1.0
    assert tier_factor(price, "moonlight") is None


def test_a_dotted_name_without_quotes_is_said_with_the_quotes(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text("[gpt-4.1]\ninput = 1\noutput = 2\nas_of = 2026-01-15\n")
    with pytest.raises(InputError, match=r'in quotes: \["gpt-4\.1"\]'):
        price_of("gpt-4.1", path)


def test_tiers_of_a_model_are_no_dotted_name(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    rows = "[m]\ninput = 1\noutput = 2\nas_of = 2026-01-15\n[m.tiers]\nbatch = 0.5\n"
    path.write_text(rows)
    price = price_of("m", path)
    assert price is not None
    assert price.tiers == {"batch": 0.5}
