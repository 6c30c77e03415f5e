"""A ledger summed up a volume at a time, in the unit of the whole ledger.

Takes tables and a study of one volume, returns its sums over all. In money and in PTE a volume has
the costs that it has alone, and its sums are kept; GPU-seconds are of servers that all volumes
share, so they are worked out for the whole ledger and handed to each stretch of it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.tables import Sums, Tables, Volumes, fold


class InUnit:
    """A stretch of a ledger whose costs are counted as those of the whole."""

    def __init__(self, stretch: Tables, unit: CostUnit, all_tables: Tables | None) -> None:
        self.whole = all_tables
        """The ledger whose servers it shares; None where no costs depend on them."""
        self._stretch = stretch
        self.options: dict[str, Any] = (all_tables or stretch).options | {"unit": unit}
        self.name, self.has, self.missing = stretch.name, stretch.has, stretch.missing
        self.read, self.scan = stretch.read, stretch.scan


def sum_volumes(
    tables: Tables,
    unit: CostUnit,
    name: str,
    work: Callable[[Tables], Sums],
    rests_on: Callable[[int], object] = lambda _: None,
    derived: Sequence[str] = (),
) -> Sums:
    """What `work` makes of every volume, one below the other."""
    is_kept = unit != "gpu_seconds"

    def work_in_unit(stretch: Tables) -> Sums:
        if not isinstance(tables, Volumes):
            return work(stretch)
        return work(InUnit(stretch, unit, None if is_kept else tables))

    kept_as = f"{name} in {unit}" if is_kept else None
    return fold(tables, kept_as, work_in_unit, rests_on, derived)


def tally(name: str, values: pl.Expr) -> dict[str, pl.Expr]:
    """Columns that add up to a sum of what is known, over any number of volumes."""
    return {**tally_known(name, values), f"{name}_rows": values.len()}


def tally_known(name: str, values: pl.Expr) -> dict[str, pl.Expr]:
    """The same where nobody asks whether there were values that are not known."""
    return {name: values.sum(), f"{name}_known": values.count()}


def add_tallies(name: str) -> pl.Expr:
    """Adds tallies up; null where there are values and none is known."""
    return (
        pl.when(pl.col(f"{name}_rows").sum() == 0).then(0.0).otherwise(add_known(name)).alias(name)
    )


def add_known(name: str) -> pl.Expr:
    """Adds tallies up; null where nothing is known."""
    return pl.when(pl.col(f"{name}_known").sum() > 0).then(pl.col(name).sum()).alias(name)


def sum_known(name: str) -> pl.Expr:
    """The sum of what is known of a column; null where nothing is, which polars would call 0."""
    return pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()).alias(name)
