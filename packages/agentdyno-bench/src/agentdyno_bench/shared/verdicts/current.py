"""The verdicts that count: of one judge on one thing, the latest."""

import polars as pl

from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.records.verdicts import VerdictKind

TABLE = "verdicts"
KEY = ["trajectory_id", "turn", "call", "kind", "judge", "model"]


def utility_verdicts(ledger: Tables) -> pl.DataFrame:
    """The utility verdicts in force."""
    return verdicts_of(ledger, "utility")


def verdicts_of(ledger: Tables, kind: VerdictKind) -> pl.DataFrame:
    """The verdicts of a kind that are in force."""
    return current_verdicts(ledger).filter(pl.col("kind") == kind)


def current_verdicts(ledger: Tables) -> pl.DataFrame:
    """Verdicts of every kind."""
    return ledger.read(TABLE).unique(KEY, keep="last", maintain_order=True)
