"""The verdicts that count: of one judge on one thing, the latest."""

import polars as pl

from agentdyno.records.verdicts import VerdictKind
from agentdyno.studies.tables import Tables

TABLE = "verdicts"
KEY = ["trajectory_id", "turn", "call", "kind", "judge", "model"]


def utility_verdicts(ledger: Tables) -> pl.DataFrame:
    """The utility verdicts in force."""
    return verdicts_of(ledger, "utility")


def verdicts_of(ledger: Tables, kind: VerdictKind) -> pl.DataFrame:
    """The verdicts of a kind that are in force."""
    return all_in_force(ledger).filter(pl.col("kind") == kind)


def all_in_force(ledger: Tables) -> pl.DataFrame:
    """Verdicts of every kind."""
    return ledger.read(TABLE).unique(KEY, keep="last", maintain_order=True)
