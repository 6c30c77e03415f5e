"""Results of the checks that need no right answer: shares, counts and costs by check."""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.proportions import wilson
from agentdyno.records.failures import CHECKS, DOUBTFUL
from agentdyno.records.precision import is_measured


class CheckFound(Struct, frozen=True):
    """Result of one check over a ledger."""

    check: str
    share: Estimate
    """Share of the trajectories looked at that are doubtful."""
    doubtful: int
    passed_over: int
    """Trajectories with nothing to look at."""
    calls: int
    """Single calls that are doubted."""
    calls_cost: float | None
    """What these calls cost together; None without any, or when none has a cost."""


def checks_found(rows: pl.DataFrame, unproven: bool = False) -> list[CheckFound]:
    """Each check over the rows in force; empty when none was made. What a check said that is mostly
    wrong on real traces is only told where it is asked for."""
    results = []
    for check in CHECKS:
        part = rows.filter(pl.col("rule") == check)
        if part.is_empty():
            continue
        if not unproven and not is_measured(check):
            part = part.filter(pl.col("call").is_null()).with_columns(label=pl.lit(None, pl.String))
        trajectory_rows = part.filter(pl.col("call").is_null())
        looked = trajectory_rows.filter(pl.col("label").is_not_null())
        doubtful = int((looked["label"] == DOUBTFUL).sum())
        costs = part.filter(pl.col("call").is_not_null())["cost"]
        results.append(
            CheckFound(
                check=check,
                share=wilson(doubtful, len(looked)),
                doubtful=doubtful,
                passed_over=len(trajectory_rows) - len(looked),
                calls=len(costs),
                calls_cost=float(costs.sum()) if costs.count() else None,
            )
        )
    return results
