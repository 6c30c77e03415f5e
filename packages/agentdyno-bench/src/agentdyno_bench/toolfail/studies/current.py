"""The rows of the table `failures` that count: of one rater on one place, the latest.

Rows of raters that were removed stay in older ledgers and count for nothing; `count_removed` says
how many there are.
"""

import polars as pl

from agentdyno.studies.tables import Tables
from agentdyno_bench.toolfail.records import REMOVED

TABLE = "failures"
PLACE = ["trajectory_id", "turn", "call"]


def current_failures(ledger: Tables) -> pl.DataFrame:
    """The table, with the latest row of each rater for each place."""
    return latest(ledger.read(TABLE).filter(~pl.col("rule").is_in(REMOVED)))


def count_removed(ledger: Tables) -> dict[str, int]:
    """By rater that is gone: the trajectories that it has rows of."""
    rows = ledger.read(TABLE).filter(pl.col("rule").is_in(REMOVED))
    counts = rows.group_by("rule").agg(pl.col("trajectory_id").n_unique()).sort("rule")
    return dict(counts.iter_rows())


def latest(rows: pl.DataFrame) -> pl.DataFrame:
    """Of several rows of one rater on one place, the last."""
    return rows.unique([*PLACE, "rule"], keep="last", maintain_order=True)
