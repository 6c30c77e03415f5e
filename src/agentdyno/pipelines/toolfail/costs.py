"""What each failure mode cost: labels joined with the ledger's PTE, trajectory by trajectory.

A trajectory that the ledger could not price is counted and left out of the means. Worked: skips of
1,200 and 1,800 PTE beside one clean use of 6,000 -> a skip costs 1,500, a third of the total.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.toolfail.labels import LabelledTrajectory


class LabelCost(Struct, frozen=True):
    """The cost of all trajectories of one model with one label."""

    model: str
    """The model."""
    kind: str
    """`required` or `control`."""
    label: str
    """What became of the loop."""
    trajectories: int
    """How many."""
    unpriced: int
    """How many of them the ledger has no PTE for."""
    pte_mean: float | None
    """Mean PTE of the priced ones; None without any."""
    pte_share: float | None
    """Their share of the model's whole PTE."""


def cost_by_label(
    ledger: Path, labelled: Sequence[LabelledTrajectory], rater: str
) -> list[LabelCost]:
    """Cost per model, kind of task and label."""
    rows = pl.DataFrame(
        [_row(each, rater) for each in labelled],
        schema=["trajectory_id", "model", "kind", "label"],
        orient="row",
    )
    pte = Ledger(ledger).read("trajectories").select("trajectory_id", "pte")
    joined = rows.join(pte, on="trajectory_id", how="left")
    grouped = (
        joined.group_by("model", "kind", "label")
        .agg(
            trajectories=pl.len(),
            unpriced=pl.col("pte").null_count(),
            pte_mean=pl.col("pte").mean(),
            pte_sum=pl.col("pte").sum(),
        )
        .with_columns(pte_share=pl.col("pte_sum") / pl.col("pte_sum").sum().over("model"))
        .sort("model", "kind", "label")
    )
    return [_cost(row) for row in grouped.iter_rows(named=True)]


def _row(each: LabelledTrajectory, rater: str) -> tuple[str, str, str, str]:
    label = each.row(rater).label or "unlabelled"
    return each.trajectory_id, each.model, each.task.kind, label


def _cost(row: dict[str, object]) -> LabelCost:
    priced = row["pte_mean"] is not None
    kept = {name: row[name] for name in LabelCost.__struct_fields__}
    return LabelCost(**{**kept, "pte_share": row["pte_share"] if priced else None})  # type: ignore[arg-type]
