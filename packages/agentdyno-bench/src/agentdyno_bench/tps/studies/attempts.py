"""Attempts at our own tasks as one frame: what was planned beside what it cost.

Takes a ledger; returns a row per attempt with its setting, its measures and its cost. Computes
nothing but the sum of model and tool time.
"""

import polars as pl

from agentdyno.studies.tables import Tables

SETTING = ("benchmark", "model", "variant")
COSTS = {
    "input_tokens": "prefill_tokens",
    "output_tokens": "decode_tokens",
    "usd": "usd",
    "pte": "pte",
    "score": "score",
}


def attempts(ledger: Tables) -> pl.DataFrame:
    """Every marked attempt, in the order of settings and tasks; empty when there is none."""
    about = ledger.read("trajectories").select(
        "trajectory_id",
        *SETTING,
        "level",
        "attempt",
        pl.coalesce("task_id", "trajectory_id").alias("task"),
        **{name: pl.col(column) for name, column in COSTS.items()},
    )
    seconds = pl.col("model_seconds") + pl.col("tool_seconds")
    planned = ledger.read("planning").with_columns(
        harmful=pl.col("harms") > 0, unclear_share=pl.col("unclear") / pl.col("subtasks")
    )
    rows = planned.join(about, on="trajectory_id").with_columns(seconds=seconds)
    return rows.sort(*SETTING, "task", "attempt", nulls_last=True)
