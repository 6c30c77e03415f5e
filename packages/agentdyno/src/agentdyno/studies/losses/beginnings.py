"""Beginnings that parallel sub-agents share: each writes to the cache what another is writing.

Takes a ledger, returns tokens by trajectory. A sub-agent that is sent while an earlier one of the
same parent and model still waits for its first answer cannot read what that one writes.
"""

from itertools import pairwise
from typing import Any

import polars as pl

from agentdyno.studies.tables import Sums, Tables, fold

ID = "trajectory_id"
_LATENCY = pl.col("latency_seconds")
TIMES = {
    "started": pl.coalesce("started_at", pl.col("ended_at") - _LATENCY),
    "ended": pl.coalesce("ended_at", pl.col("started_at") + _LATENCY),
}
"""Beginning and end of a turn, the one from the other where only the latency is known."""


def find_shared_beginnings(tables: Tables) -> dict[str, float]:
    """Tokens that the earlier one wrote, by the trajectory of the later."""
    return {name: tokens for beginnings in list_shared_beginnings(tables).values()
            for name, tokens in beginnings.items()}  # fmt: skip


def list_shared_beginnings(tables: Tables) -> dict[int, dict[str, float]]:
    """The same by the place of the volume."""
    rows = fold(tables, "first turns", _read_first_turns)["agents"].sort("started", ID)
    families: dict[tuple[str, str | None], list[dict[str, Any]]] = {}
    for row in rows.iter_rows(named=True):
        families.setdefault((row["parent_id"], row["model"]), []).append(row)
    beginnings: dict[int, dict[str, float]] = {}
    for family in families.values():
        for earlier, after in pairwise(family):
            if (
                earlier["ended"] is not None
                and after["started"] < earlier["ended"]
                and earlier["written"]
            ):
                beginnings.setdefault(after["volume"], {})[after[ID]] = float(earlier["written"])
    return beginnings


def _read_first_turns(tables: Tables) -> Sums:
    """Of every agent that another one started, where it is known when it was sent."""
    started = tables.scan("trajectories").filter(pl.col("parent_id").is_not_null())
    agents = started.select(ID, "parent_id").collect()
    turns = tables.scan("turns").filter(pl.col(ID).is_in(agents[ID].implode()))
    first = turns.sort("turn").group_by(ID).first()
    rows = first.select(ID, "model", **TIMES, written="cache_write_tokens").collect()
    return {"agents": rows.join(agents, on=ID).filter(pl.col("started").is_not_null())}
