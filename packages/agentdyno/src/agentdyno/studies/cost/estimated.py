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
    pte_error: float | None
    """By how much all of the ledger's cost may be off because of it, as a share, at 95 %."""
    unit: CostUnit = "pte"
    """What that cost is counted in; GPU-seconds where the ledger has several architectures."""


def study_estimates(turns: pl.DataFrame, costs: Costs = PTE_ALONE) -> EstimatedTokens | None:
    """The estimates of a ledger; None where every count was reported, or no error is recorded."""
    weighed = costs.weighed(turns)
    rows = weighed.filter(pl.col("decode_spread").is_not_null(), pl.col("decode_tokens") > 0)
    tokens = int(rows["decode_tokens"].sum())
    if not tokens:
        return None
    if costs.unit == "usd":
        total = float(turns["usd"].drop_nulls().sum())
        cost = _deviation(rows, pl.col("usd_output").fill_null(0.0))
    else:
        total = float((weighed["pte"] * weighed["factor"]).drop_nulls().sum())
        pairs = pl.col("gamma") * pl.col("context_tokens") * pl.col("decode_tokens")
        cost = _deviation(rows, pl.col("factor") * pairs)
    return EstimatedTokens(
        len(rows),
        tokens,
        WITHIN * _deviation(rows, pl.col("decode_tokens")) / tokens,
        WITHIN * cost / total if total else None,
        costs.unit,
    )


def _deviation(rows: pl.DataFrame, amount: pl.Expr) -> float:
    alone = rows.select(((pl.col("decode_spread") * amount) ** 2).sum()).item() or 0.0
    shared = rows.group_by("model").agg(sd=(pl.col("decode_bias") * amount).sum())["sd"]
    return float(np.sqrt(float(alone) + float((shared**2).sum())))
