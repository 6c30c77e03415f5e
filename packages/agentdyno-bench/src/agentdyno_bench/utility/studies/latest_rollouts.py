"""The rollout estimates that count: of one call, the latest."""

import polars as pl

from agentdyno.studies.tables import Tables

TABLE = "rollouts"


def latest_rollouts(ledger: Tables) -> pl.DataFrame:
    """The estimates in force: of one call, the latest."""
    place = ["trajectory_id", "turn", "call"]
    return ledger.read(TABLE).unique(place, keep="last", maintain_order=True)
