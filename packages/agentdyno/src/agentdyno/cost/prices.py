"""What a provider charges for a model call, in USD.

Takes a model's name and token counts, returns a `Price` and an amount, or None where unpriced. It
knows nothing of trajectories, and no exchange rates.

cost = (uncached * input + cached * cached_input + written * cache_write + decoded * output) / 1e6,
times the factor of the tier that served the call. Tokens written to be kept for an hour cost
`cache_write_hour`. Where no price is listed for cached or cache-writing tokens, they cost the input
price.
Worked: claude-sonnet-4-5, 1,000 uncached, 10,000 cached, 2,000 written, 500 decoded:
0.003 + 0.003 + 0.0075 + 0.0075 = 0.021 USD.

A user's TOML file has the same form as the bundled table and wins over it:

    ["my-model"]
    input = 0.5
    output = 1.5
    as_of = 2026-01-31
"""

from collections.abc import Iterable
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from agentdyno.cost.model_names import name_variants
from agentdyno.cost.toml_files import read_bundled, read_toml
from agentdyno.records import InputError, printable, shortened

PRICE_DECORATIONS = frozenset({"latest", "thinking"})
"""Words that do not change the price. `preview` and `turbo` do, so they are not among them."""

TOKENS_PER_PRICE = 1_000_000

Usd = Annotated[float, Meta(ge=0, le=1e6)]


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """One model's price, USD per million tokens, at a provider's base tier."""

    model: str
    """The name in the table."""
    input: Usd
    """A token of the prompt that was not read from the cache."""
    output: Usd
    """A decoded token, reasoning included."""
    as_of: date
    """A day on which this price held."""
    source: str = "user"
    """Whose price list it comes from."""
    cached_input: Usd | None = None
    """A token of the prompt read from the cache; None where no such price is listed."""
    cache_write: Usd | None = None
    """A token of the prompt written to the cache; None where writing is not charged apart."""
    cache_write_hour: Usd | None = None
    """A token written to be kept for an hour; None where that costs what any writing does."""
    tiers: dict[str, Annotated[float, Meta(ge=0, le=100)]] = {}
    """What the price is multiplied by when a call was served in a tier other than the base one."""
    aliases: tuple[str, ...] = ()
    """Other names that cost the same."""


@lru_cache(maxsize=4096)
def price_of(model: str, prices_file: Path | None = None) -> Price | None:
    """The price of a model however its name is spelled; None where no table lists it."""
    tables = [_bundled()] if prices_file is None else [_from_file(prices_file), _bundled()]
    variants = list(name_variants(model, PRICE_DECORATIONS))
    found = (table[tokens] for table in tables for tokens in variants if tokens in table)
    return next(found, None)


def money(
    price: Price | None,
    uncached_tokens: int | None,
    cached_tokens: int | None,
    cache_write_tokens: int | None,
    decode_tokens: int | None,
    hour_tokens: int | None = None,
) -> float | None:
    """What one model call cost in USD; None when the price or a count it rests on is unknown.

    `cached_tokens` and `cache_write_tokens` may be None: the provider then reported no such share,
    and all of the prompt is in `uncached_tokens`. `hour_tokens` are those of the written ones that
    are kept for an hour.
    """
    if price is None or uncached_tokens is None or decode_tokens is None:
        return None
    cached_input = price.input if price.cached_input is None else price.cached_input
    cache_write = price.input if price.cache_write is None else price.cache_write
    kept_longer = cache_write if price.cache_write_hour is None else price.cache_write_hour
    total = (
        uncached_tokens * price.input
        + (cached_tokens or 0) * cached_input
        + (cache_write_tokens or 0) * cache_write
        + (hour_tokens or 0) * (kept_longer - cache_write)
        + decode_tokens * price.output
    )
    return total / TOKENS_PER_PRICE


BASE_TIERS = frozenset({"standard", "default", "auto", "on_demand", "standard_only"})
"""What providers call the tier that list prices are for."""


def tier_factor(price: Price, tier: str | None) -> float | None:
    """What a tier multiplies the price by; None for one that the table does not know."""
    if tier is None or tier.lower() in BASE_TIERS:
        return 1.0
    return price.tiers.get(tier.lower())


@cache
def known_prices() -> tuple[Price, ...]:
    """The bundled price table."""
    rows = read_bundled("prices.toml")
    return tuple(msgspec.convert({"model": model, **row}, Price) for model, row in rows.items())


@cache
def _bundled() -> dict[tuple[str, ...], Price]:
    return _index(known_prices())


@cache
def _from_file(path: Path) -> dict[tuple[str, ...], Price]:
    return _index(_user_price(path, model, row) for model, row in read_toml(path).items())


def _user_price(path: Path, model: str, row: Any) -> Price:
    where = f"{shortened(path, 120)}: [{printable(model, 60)}]"
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected a table with input, output and as_of, found a value.")
    if cut := [key for key, inner in row.items() if isinstance(inner, dict) and key != "tiers"]:
        name = printable(f"{model}.{cut[0]}", 60)
        raise InputError(f'{where}: expected a name with a dot in quotes: ["{name}"].')
    try:
        return msgspec.convert({"model": model, **row}, Price)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: {error}.") from error


def _index(prices: Iterable[Price]) -> dict[tuple[str, ...], Price]:
    return {
        next(name_variants(name, PRICE_DECORATIONS)): price
        for price in prices
        for name in (price.model, *price.aliases)
    }
