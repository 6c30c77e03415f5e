"""What share of an attempt's calls failed, was malformed, helped: metrics of a comparison beside
accuracy and amounts.

Takes a ledger, returns for each trajectory how many calls count and out of how many, so that the
calls of sub-agents are added to those of the attempt. The core has the first two; other packages
add theirs by the entry point group `agentdyno.call_shares`.
"""

from functools import cache

import polars as pl
from msgspec import Struct

from agentdyno.plugins import load_place, load_plugins
from agentdyno.studies.sheet import was_looked_at
from agentdyno.studies.tables import Tables

GROUP = "agentdyno.call_shares"


class CallShare(Struct, frozen=True):
    """A share of calls that can be compared and gated."""

    name: str
    """As a gate writes it: `failed_calls`."""
    count: str
    """`module:function` that takes the tables and returns `trajectory_id`, `part` and `whole`."""
    table: str | None
    """The table that must have been derived; None for one that every ledger has."""
    missing: str
    """Why a ledger has no such share, in words."""


_HERE = "agentdyno.studies.comparison.call_shares"
OURS = (
    CallShare("failed_calls", f"{_HERE}:count_failed", None, "no calls"),
    CallShare(
        "malformed_calls", f"{_HERE}:count_malformed", "paper_patterns", "patterns not derived"
    ),
)


@cache
def call_shares() -> dict[str, CallShare]:
    """Every share by name, the core's first."""
    return {share.name: share for share in OURS} | load_plugins(GROUP, CallShare)[0]


def is_share(metric: str) -> bool:
    """True of accuracy and of shares of calls: they are compared by their difference."""
    return metric == "accuracy" or metric in call_shares()


def count_calls(tables: Tables) -> dict[str, pl.DataFrame]:
    """By share, of the ledger's trajectories: how many calls count, and out of how many."""
    return {
        name: load_place(share.count)(tables)
        for name, share in call_shares().items()
        if share.table is None or tables.has(share.table)
    }


def count_failed(tables: Tables) -> pl.DataFrame:
    """Calls that ended with an error."""
    failed = pl.col("error").is_not_null().sum()
    return _by_trajectory(tables).agg(part=failed, whole=pl.len()).collect()


def count_malformed(tables: Tables) -> pl.DataFrame:
    """Calls in which the paper's format collapse was found; of attempts, whose traces were read."""
    attempts = tables.read("trajectories").filter(was_looked_at(tables)).select("trajectory_id")
    collapses = (pl.col("pattern") == "format_collapse") & pl.col("call").is_not_null()
    malformed = tables.read("paper_patterns").filter(collapses)
    many = malformed.unique(["trajectory_id", "turn", "call"]).group_by("trajectory_id").len("part")
    whole = _by_trajectory(tables).agg(whole=pl.len()).collect()
    counted = attempts.join(whole, on="trajectory_id").join(many, on="trajectory_id", how="left")
    return counted.with_columns(pl.col("part").fill_null(0))


def _by_trajectory(tables: Tables) -> pl.lazyframe.group_by.LazyGroupBy:
    return tables.scan("calls").group_by("trajectory_id")
