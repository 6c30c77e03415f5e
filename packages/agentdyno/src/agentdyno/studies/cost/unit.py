"""The unit in which costs of several trajectories are added and compared.

One PTE is one prefilled token of a trajectory's own model: PTE add up where all trajectories ran on
one architecture, and then they are the unit. Over several, GPU-seconds are:

    cost of a trajectory or a turn  = its GPU-seconds
    cost of a part or a call        = its PTE * GPU-seconds of its trajectory / PTE of it

so that parts sum to their trajectory and keep their shares in it. What a change would save is no
share: it is computed again, turn by turn. A trajectory without GPU-seconds has no cost: it is left
out of every sum, and counted among the unmeasured.

Worked: 1,000 PTE of a large model take 8 s, 2,000 of a small one 1 s. A tool with 500 PTE in the
first and one with 1,500 in the second: 4 s and 0.75 s of 9 s, 44 % and 8 %; by PTE it would have
been 17 % and 50 %.
"""

from typing import TypeVar

import polars as pl
from msgspec import Struct

from agentdyno.cost.pte import CacheAssumption
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.seconds import by_trajectory, servings_of, with_gpu_seconds
from agentdyno.studies.tables import Tables

ID = "trajectory_id"
NEEDED = (
    ID, "model", "context_tokens", "decode_tokens", "gamma", "pte_evicted", "pte_reported",
    "pte_kept",
)  # fmt: skip
"""Columns of `turns` that GPU-seconds are worked out from."""
Rows = TypeVar("Rows", pl.DataFrame, pl.LazyFrame)


class Costs(Struct, frozen=True):
    """How the costs of a ledger are counted."""

    unit: CostUnit
    """PTE where all trajectories ran on one architecture, else GPU-seconds."""
    factors: pl.DataFrame | None = None
    """`trajectory_id` and the `factor` from its PTE to the unit, null where unknown; None for PTE,
    which need none."""

    def on(self, rows: Rows, pte: str = "pte", cost: str = "cost") -> Rows:
        """The rows with a column `cost`: their PTE in the unit, null where that is unknown."""
        if self.factors is None:
            return _with_alias(rows, pte, cost)
        if isinstance(rows, pl.DataFrame) and pte == "pte" and "gpu_seconds" in rows.columns:
            return rows.with_columns(pl.col("gpu_seconds").alias(cost))
        return self._joined(rows).with_columns((pl.col(pte) * _FACTOR).alias(cost)).drop("factor")

    def weighed(self, rows: Rows) -> Rows:
        """The rows with the `factor` of their trajectories."""
        if self.factors is None:
            return rows.with_columns(factor=pl.lit(1.0))
        return self._joined(rows)

    def _joined(self, rows: Rows) -> Rows:
        assert self.factors is not None
        if isinstance(rows, pl.LazyFrame):
            return rows.join(self.factors.lazy(), on=ID, how="left")
        return rows.join(self.factors, on=ID, how="left", maintain_order="left")


def _with_alias(rows: Rows, column: str, name: str) -> Rows:
    if isinstance(rows, pl.LazyFrame):
        return rows.with_columns(pl.col(column).alias(name))
    if column == name:
        return rows
    # Not with_columns, which lays a frame of several files out anew: sums would differ in the last
    # digit from those of the table itself.
    return rows.hstack([rows[column].alias(name)])


_FACTOR = pl.col("factor")
PTE_ALONE = Costs("pte")
"""The costs of a ledger of one architecture."""


def costs_of(tables: Tables, only: pl.Series | None = None) -> Costs:
    """How the costs of a ledger are counted, or of `only` some trajectories by their ids; seconds
    are worked out only where they are needed."""
    wanted = True if only is None else pl.col(ID).is_in(only.implode())
    rows = tables.scan("trajectories").filter(wanted).select(ID, "architecture", "pte").collect()
    if architectures_of(rows) < 2:
        return PTE_ALONE
    cache: CacheAssumption = tables.options.get("cache", "evicted")
    turns = tables.scan("turns").select(NEEDED).collect()
    timed = by_trajectory(with_gpu_seconds(turns, servings_of(tables.options), cache))
    return costs_among(rows.join(timed.select(ID, "gpu_seconds"), on=ID, how="left"))


def costs_among(trajectories: pl.DataFrame) -> Costs:
    """The same, of trajectories whose `gpu_seconds` are there."""
    if architectures_of(trajectories) < 2:
        return PTE_ALONE
    seconds, pte = pl.col("gpu_seconds"), pl.col("pte")
    # What costs no PTE at all has no parts that cost any.
    factor = pl.when(pte > 0).then(seconds / pte).when(pte == 0).then(seconds * 0.0)
    return Costs("gpu_seconds", trajectories.select(ID, factor=factor))


def architectures_of(trajectories: pl.DataFrame) -> int:
    """On how many architectures they ran; one that is unknown is one of its own."""
    return trajectories["architecture"].n_unique()
