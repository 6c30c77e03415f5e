"""Which turns have no price although their model has one: what they read from the cache has none.

Takes a table of turns and the price file that they were measured with, returns turns by model.
"""

from pathlib import Path

import polars as pl

from agentdyno.cost.price_lookup import tariff_of

NEEDED = ["model", "cached_tokens", "usd_source"]


def count_without_cached_price(turns: pl.DataFrame, prices: str | None) -> dict[str, int]:
    """Turns that read from the cache at a price that no table lists, by model."""
    rows = turns.filter(
        pl.col("cached_tokens") > 0,
        pl.col("model").is_not_null(),
        pl.col("usd_source").ne_missing("list"),
    )
    counts = rows.group_by("model").len().sort("len", "model", descending=[True, False])
    # A ledger outlives the price file that it was measured with.
    file = Path(prices) if prices and Path(prices).is_file() else None
    return {model: many for model, many in counts.iter_rows() if _has_no_cached_price(model, file)}


def _has_no_cached_price(model: str, prices: Path | None) -> bool:
    tariff = tariff_of(model, prices)
    return tariff is not None and any(one.cached_input is None for one in tariff.terms)
