"""The rollout estimates that count: of one call, the latest."""

import polars as pl

from agentdyno.studies.tables import Tables

TABLE = "rollouts"


def latest_rollouts(ledger: Tables) -> pl.DataFrame:
    """The estimates in force: of one call, the latest."""
    key = ["trajectory_id", "turn", "call"]
    return ledger.read(TABLE).unique(key, keep="last", maintain_order=True)
