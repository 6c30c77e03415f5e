"""The unit in which costs of several trajectories are added and compared.

Money is the unit where any trajectory has a price, unless another one is chosen. Otherwise PTE are
where all trajectories ran on one architecture: one PTE is one prefilled token of a trajectory's own
model, so over several architectures PTE do not add up, and GPU-seconds are the unit:

    cost of a trajectory or a turn  = its money, or its GPU-seconds
    cost of a part or a call        = its money, by the price of the tokens that it stood among; for
                                      GPU-seconds, and where the price of its tokens is not known,
                                      its PTE * what its trajectory cost / PTE of it

so that parts sum to their trajectory and keep their shares in it. What a change would save is no
share: it is computed again, turn by turn. A trajectory of which some turns have a price costs what
these cost. One that has none of the unit has no cost: it is left out of every sum, and counted
among the unmeasured.

Worked: 1,000 PTE of a large model take 8 s, 2,000 of a small one 1 s. A tool with 500 PTE in the
first and one with 1,500 in the second: 4 s and 0.75 s of 9 s, 44 % and 8 %; by PTE it would have
been 17 % and 50 %.
"""

from typing import Any, TypeVar

import polars as pl
from msgspec import Struct

from agentdyno.measures import pte
from agentdyno.records import InputError
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.seconds import time_turns
from agentdyno.studies.tables import Tables
from agentdyno.studies.volumes import sum_known

ID, KNOWN_MONEY = "trajectory_id", "known_usd"
Rows = TypeVar("Rows", pl.DataFrame, pl.LazyFrame)


class Costs(Struct, frozen=True):
    """How the costs of a ledger are counted."""

    unit: CostUnit
    factors: pl.DataFrame | None = None
    """`trajectory_id` and the `factor` from its PTE to the unit, null where unknown; None for PTE,
    which need none. For money they serve rows that have PTE alone; `turn_factor` is null where
    only some turns have a price, so that the others do not share theirs."""

    def on(self, rows: Rows, pte: str = "pte", cost: str = "cost", are_turns: bool = False) -> Rows:
        """The rows with a column `cost`: their PTE in the unit, null where that is unknown."""
        if self.factors is None:
            return _with_alias(rows, pte, cost)
        by_share = pl.col(pte) * pl.col("turn_factor" if are_turns else "factor")
        needed = [ID, pte]
        if pte == "pte" and self.unit in rows.collect_schema().names():
            # Parts of a bill that only the trace states, or of an older ledger, have a share of it.
            by_share = pl.coalesce(self.unit, by_share)
            needed.append(self.unit)
        if isinstance(rows, pl.LazyFrame):
            return self._join(rows).with_columns(by_share.alias(cost)).drop(FACTORS)
        # The other columns of a large table need not be laid out anew.
        costs = self._join(rows.select(needed)).select(by_share.alias(cost))
        return rows.with_columns(costs) if cost in rows.columns else rows.hstack(costs)

    def weighed(self, rows: Rows) -> Rows:
        """The rows with the `factor` of their trajectories."""
        if self.factors is None:
            return rows.with_columns(factor=pl.lit(1.0))
        return self._join(rows)

    def _join(self, rows: Rows) -> Rows:
        assert self.factors is not None
        if isinstance(rows, pl.LazyFrame):
            return rows.join(self.factors.lazy(), on=ID, how="left")
        return rows.join(self.factors, on=ID, how="left", maintain_order="left")


def _with_alias(rows: Rows, column: str, name: str) -> Rows:
    if isinstance(rows, pl.LazyFrame):
        return rows.with_columns(pl.col(column).alias(name))
    if column == name:
        return rows
    if name in rows.columns:
        return rows.with_columns(rows[column].alias(name))
    # Not with_columns, which lays a frame of several files out anew: sums would differ in the last
    # digit from those of the table itself.
    return rows.hstack([rows[column].alias(name)])


FACTORS = ("factor", "turn_factor")
PTE_ALONE = Costs("pte")
"""The costs of a ledger of one architecture."""


def costs_of(tables: Tables, only: pl.Series | None = None) -> Costs:
    """How the costs of a ledger are counted, or of `only` some trajectories by their ids; seconds
    are worked out only where they are needed."""
    expected = True if only is None else pl.col(ID).is_in(only.implode())
    needed = ID, "architecture", "pte", "usd"
    rows = tables.scan("trajectories").filter(expected).select(needed).collect()
    rows = add_known_money(tables, rows)
    if choose_unit(rows, tables.options) != "gpu_seconds":
        return costs_among(rows, tables.options)
    timed = time_turns(tables).by_trajectory()
    costs = rows.join(timed.select(ID, "gpu_seconds"), on=ID, how="left")
    return costs_among(costs, tables.options)


def costs_among(trajectories: pl.DataFrame, options: dict[str, Any]) -> Costs:
    """The same, of trajectories whose `gpu_seconds` are there where they are the unit."""
    unit = choose_unit(trajectories, options)
    if unit == "pte":
        return PTE_ALONE
    column = KNOWN_MONEY if unit == "usd" else unit
    return Costs(unit, trajectories.select(ID, factor=_divide(column), turn_factor=_divide(unit)))


def _divide(cost: str) -> pl.Expr:
    """What a PTE costs; what costs no PTE at all has no parts that cost any."""
    total, pte = pl.col(cost), pl.col("pte")
    return pl.when(pte > 0).then(total / pte).when(pte == 0).then(total * 0.0)


def add_known_money(tables: Tables, trajectories: pl.DataFrame) -> pl.DataFrame:
    """With `known_usd`: the money of a trajectory, or of those of its turns that have a price."""
    partly = trajectories.filter(pl.col("usd").is_null())[ID]
    if partly.is_empty():
        return trajectories.with_columns(pl.col("usd").alias(KNOWN_MONEY))
    turns = tables.scan("turns").filter(pl.col(ID).is_in(partly.implode())).group_by(ID)
    sums = turns.agg(sum_known("usd").alias("of_turns")).collect()
    joined = trajectories.join(sums, on=ID, how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("usd", "of_turns").alias(KNOWN_MONEY)).drop("of_turns")


def choose_unit(trajectories: pl.DataFrame, options: dict[str, Any]) -> CostUnit:
    """The unit that was chosen; otherwise money where any trajectory has a price, PTE over one
    architecture and GPU-seconds over several."""
    several = architectures_of(trajectories) > 1
    stored_unit: CostUnit | None = options.get("unit")
    if stored_unit == "pte" and several:
        raise InputError(
            "--unit pte: expected models of one architecture, found several, whose PTE do not add "
            "up. Use --unit usd or gpu-seconds."
        )
    if stored_unit is not None:
        return stored_unit
    if trajectories[KNOWN_MONEY].count():
        return "usd"
    return "gpu_seconds" if several else "pte"


def name_pte(options: dict[str, Any], cache: str | None = None) -> str:
    """What PTE are called that were made with these options, or with another `cache`."""
    return pte.name(options.get("gamma", "paper"), cache or options.get("cache", "evicted"))


def architectures_of(trajectories: pl.DataFrame) -> int:
    """On how many architectures they ran; one that is unknown is one of its own."""
    return trajectories["architecture"].n_unique()
