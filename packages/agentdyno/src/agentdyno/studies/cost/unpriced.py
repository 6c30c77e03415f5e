"""Which turns have no price although their model has one: what they read from the cache has none.

Takes a table of turns and the price file that they were measured with, returns turns by model.
"""

from pathlib import Path

import polars as pl

from agentdyno.cost.price_lookup import tariff_of


def list_cached_unpriced(turns: pl.DataFrame) -> pl.DataFrame:
    """Turns by `model` that read from the cache and whose money is by no list."""
    rows = turns.filter(
        pl.col("cached_tokens") > 0,
        pl.col("model").is_not_null(),
        pl.col("usd_source").ne_missing("list"),
    )
    return rows.group_by("model", maintain_order=True).len()


def count_without_cached_price(turns: pl.DataFrame, prices: str | None) -> dict[str, int]:
    """Of these, those at a price that no table lists."""
    counts = turns.group_by("model").agg(pl.col("len").sum())
    ordered = counts.sort("len", "model", descending=[True, False])
    # A ledger outlives the price file that it was measured with.
    file = Path(prices) if prices and Path(prices).is_file() else None
    return {model: many for model, many in ordered.iter_rows() if _has_no_cached_price(model, file)}


def _has_no_cached_price(model: str, prices: Path | None) -> bool:
    tariff = tariff_of(model, prices)
    return tariff is not None and any(term.cached_input is None for term in tariff.terms)
