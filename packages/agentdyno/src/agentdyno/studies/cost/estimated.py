"""How much of a ledger rests on estimated counts of generated tokens, and how far off that may be.

Takes the turns of a ledger and how its costs are counted; returns sums with a 95 % interval. Every
estimate has a spread of its own, which averages out over many, and a bias that all estimates of a
model share, which does not:

    sd^2 = sum_i (spread_i * d_i)^2 + sum_models (bias * sum d)^2,    interval = 1.96 * sd

Worked: 100 turns of 200 tokens, spread 0.1, bias 0.02: sqrt(100 * 20^2 + 400^2) = 447, so 20,000
tokens within 877 (4.4 %).
"""

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.unit import PTE_ALONE, Costs

WITHIN = 1.96
NEEDED = (
    "trajectory_id", "model", "decode_tokens", "decode_spread", "decode_bias", "gamma",
    "context_tokens", "pte", "usd", "usd_output",
)  # fmt: skip
"""Columns of `turns` that the answer rests on."""


class EstimatedTokens(Struct, frozen=True):
    """Generated tokens that nobody reported."""

    turns: int
    """Turns whose count is an estimate."""
    tokens: int
    """What they are estimated at."""
    tokens_error: float
    """By how much that may be off, as a share of it, at 95 %."""
    cost_error: float | None
    """By how much all of the ledger's cost may be off because of it, as a share, at 95 %."""
    unit: CostUnit = "pte"
    """What that cost is counted in."""


def study_estimates(turns: pl.DataFrame, costs: Costs = PTE_ALONE) -> EstimatedTokens | None:
    """The estimates of a ledger; None where every count was reported, or no error is recorded."""
    return add_estimates(*sum_estimates(turns, costs), costs.unit)


def sum_estimates(turns: pl.DataFrame, costs: Costs) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What adds up over volumes: counts and squares of spreads, and biases by model."""
    weighed = costs.weighed(turns)
    rows = weighed.filter(pl.col("decode_spread").is_not_null(), pl.col("decode_tokens") > 0)
    pairs = pl.col("gamma") * pl.col("context_tokens") * pl.col("decode_tokens")
    total, cost = pl.col("pte") * pl.col("factor"), pl.col("factor") * pairs
    if costs.unit == "usd":
        total, cost = pl.col("usd"), pl.col("usd_output").fill_null(0.0)
    amounts = {"tokens": pl.col("decode_tokens"), "cost": cost}
    squares = {
        f"{k}_square": ((pl.col("decode_spread") * v) ** 2).sum() for k, v in amounts.items()
    }
    biases = {f"{k}_bias": (pl.col("decode_bias") * v).sum() for k, v in amounts.items()}
    sums = rows.select(turns=pl.len(), tokens=pl.col("decode_tokens").sum(), **squares)
    return (
        sums.with_columns(total=pl.lit(weighed.select(total.sum()).item() or 0.0, pl.Float64)),
        rows.group_by("model", maintain_order=True).agg(**biases),
    )


def add_estimates(
    sums: pl.DataFrame, biases: pl.DataFrame, unit: CostUnit
) -> EstimatedTokens | None:
    """The sums of all volumes as one estimate."""
    tokens = int(sums["tokens"].sum())
    if not tokens:
        return None
    shared = biases.group_by("model").agg(pl.col("tokens_bias", "cost_bias").sum())

    def within(name: str) -> float:
        alone, bias = float(sums[f"{name}_square"].sum()), shared[f"{name}_bias"]
        return WITHIN * float(np.sqrt(alone + float((bias**2).sum())))

    total = float(sums["total"].sum())
    return EstimatedTokens(
        int(sums["turns"].sum()),
        tokens,
        within("tokens") / tokens,
        within("cost") / total if total else None,
        unit,
    )
