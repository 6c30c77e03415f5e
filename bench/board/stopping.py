"""What stopping dear runs would have saved, per success lost: flat caps against expected costs.

    python bench/board/stopping.py LEDGER...

A run that reaches its cap is stopped there: it has cost the cap, and a success it would have had is
lost. A flat cap is the same for all runs of a model: a multiple of its median. An expected cost is
known before the run: the model's typical cost, times how dear the task was for the *other* models;
the cap is a multiple of that. Multiples are chosen so that both save the same share of the money;
what they lose is compared over tasks. Only stated costs above $0 of graded runs are used.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agentdyno.estimates.means import TaskSums
from agentdyno.estimates.paired import paired_difference
from agentdyno.ledger.reader import Ledger

SAVED = (0.05, 0.1, 0.2, 0.3)
FEWEST_TASKS, FEWEST_MODELS = 50, 5
Vector = NDArray[np.float64]


def read_runs(paths: list[Path]) -> pl.DataFrame:
    """Graded runs of stated cost, with what each would have been expected to cost."""
    frames = [
        Ledger(path)
        .scan("trajectories")
        .select("benchmark", "model", "harness", "task_id", "correct", cost="reported_usd")
        .collect()
        for path in paths
    ]
    rows = pl.concat(frames).filter(pl.col("correct").is_not_null() & (pl.col("cost") > 0))
    rows = rows.with_columns(
        who=pl.concat_str("model", pl.col("harness").fill_null("")), y=pl.col("cost").log()
    )
    own = pl.col("y") - pl.col("y").median().over("benchmark", "who")
    task = ["benchmark", "task_id"]
    rows = rows.with_columns(own=own, typical=pl.col("cost").median().over("benchmark", "who"))
    others = pl.len().over(task) - 1
    dear = (pl.col("own").sum().over(task) - pl.col("own")) / others
    rows = rows.with_columns(expected=pl.col("typical") * dear.exp())
    return rows.filter(
        (pl.col("who").n_unique().over("benchmark") >= FEWEST_MODELS)
        & (pl.col("task_id").n_unique().over("benchmark") >= FEWEST_TASKS)
        & pl.col("expected").is_finite()
    )


def find_caps(cost: Vector, basis: Vector, share: float) -> Vector:
    """The caps, as one multiple of the basis, that save this share of the money."""
    low, high = 0.0, float((cost / basis).max())
    for _ in range(60):
        middle = (low + high) / 2
        saved = 1 - np.minimum(cost, middle * basis).sum() / cost.sum()
        low, high = (middle, high) if saved > share else (low, middle)
    return high * basis


def main() -> None:
    rows = read_runs([Path(each) for each in sys.argv[1:]])
    print(
        "| benchmark | runs | saved | successes lost, flat cap | expected cost | difference "
        "| saved for each lost, flat cap | expected cost |\n"
        "|---|" + 7 * "---:|"
    )
    for (name,), part in rows.group_by("benchmark", maintain_order=True):
        cost, won = part["cost"].to_numpy(), part["correct"].to_numpy().astype(float)
        for share in SAVED:
            lost = {
                basis: won * (cost > find_caps(cost, part[basis].to_numpy(), share))
                for basis in ("typical", "expected")
            }
            flat, expected = (sum_tasks(part, values) for values in lost.values())
            found = paired_difference(flat, expected)
            ends = (
                "no interval" if found.low is None or found.high is None
                else f"{100 * found.low:+.2f} to {100 * found.high:+.2f}"
            )  # fmt: skip
            shares = [f"{100 * values.sum() / won.sum():.1f} %" for values in lost.values()]
            money = share * cost.sum()
            each = [
                f"${money / values.sum():.2f}" if values.any() else "none lost"
                for values in lost.values()
            ]
            difference = f"{100 * (found.value or 0):+.2f} points of all runs ({ends})"
            print(
                f"| {name} | {len(part):,} | {100 * share:.0f} % | {' | '.join(shares)} | "
                f"{difference} | {' | '.join(each)} |"
            )


def sum_tasks(rows: pl.DataFrame, values: Vector) -> TaskSums:
    """The values by task."""
    by = rows.select("task_id", value=values).group_by("task_id").agg(
        pl.col("value").sum(), n=pl.len()
    ).sort("task_id")  # fmt: skip
    return TaskSums(
        by["task_id"].to_list(), by["value"].to_numpy(), by["n"].to_numpy().astype(float)
    )


if __name__ == "__main__":
    main()
