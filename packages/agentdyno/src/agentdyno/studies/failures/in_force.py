"""The rows of the table `failures` that count: of one rater on one place, the latest."""

import polars as pl

from agentdyno.studies.tables import Tables

TABLE = "failures"
PLACE = ["trajectory_id", "turn", "call"]


def failures_in_force(ledger: Tables) -> pl.DataFrame:
    """The table, with the latest row of each rater for each place."""
    return latest(ledger.read(TABLE))


def latest(rows: pl.DataFrame) -> pl.DataFrame:
    """Of several rows of one rater on one place, the last."""
    return rows.unique([*PLACE, "rule"], keep="last", maintain_order=True)
