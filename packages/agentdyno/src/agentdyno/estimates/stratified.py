"""The ratio of geometric means of two sides at equal strata.

Least squares on the logarithm of a cost with a level for each stratum and one effect of the side,
and Student's interval. Worked: strata at $2, $4 before and $1, $2 after: 0.5 of the cost.
"""

import math

import numpy as np
import polars as pl

from agentdyno.estimates.estimate import Estimate, exponential, undefined_estimate
from agentdyno.estimates.quantiles import student_quantile

METHOD = "ratio of geometric means at equal strata"
FEWEST_SPARE = 6
"""Rows beyond those that fix a level and the effect, for an interval."""


def stratified_ratio(rows: pl.DataFrame) -> Estimate:
    """Geometric mean `cost` where `after` over where not, at equal `task`; every task has both."""
    if rows.is_empty():
        return undefined_estimate("no task is on both sides", n=0, method=METHOD)
    own = pl.col("logs", "late")
    centred = rows.with_columns(logs=pl.col("cost").log(), late=pl.col("after").cast(pl.Float64))
    centred = centred.with_columns(own - own.mean().over("task"))
    y, x = centred["logs"].to_numpy(), centred["late"].to_numpy()
    weight = float(x @ x)
    effect = float(x @ y) / weight
    freedom = len(rows) - rows["task"].n_unique() - 1
    if freedom < FEWEST_SPARE:
        return Estimate(
            exponential(effect), n=len(rows), method=METHOD, reason="too few rows to say more"
        )
    spread = float(np.sum((y - effect * x) ** 2)) / freedom
    reach = student_quantile(0.975, freedom) * math.sqrt(spread / weight)
    low, high = exponential(effect - reach), exponential(effect + reach)
    return Estimate(exponential(effect), low, high, len(rows), method=METHOD)
