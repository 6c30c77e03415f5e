"""The ledger's table `failures`: rows in, with the cost that the ledger has for each place.

Rows are added by volume, so that they go with a log that changed. What the table already says is
not said again; where a rater now says otherwise, the later row counts.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger
from agentdyno.records.failures import FAILURES
from agentdyno.records.schema import schema_of
from agentdyno.records.stages import Versions
from agentdyno_bench.toolfail.studies.current import PLACE, TABLE, latest

COLUMNS = [column.name for column in FAILURES]


def add_failures(
    folder: Path,
    rows: Iterable[dict[str, Any]],
    volumes: Iterable[str] | None = None,
    versions: Versions | None = None,
) -> int:
    """Adds what the table does not say yet; how many rows these were.

    A row has every column but `pte`. Trajectories that the ledger does not hold are left out; who
    knows the volumes of the others may say so, and no other is looked at. `versions` are of the
    rules that made the rows, where these can be made again.
    """
    ledger, produced, added = Ledger(folder), _frame(rows), 0
    for volume in ledger.manifest.volumes if volumes is None else volumes:
        costed = _with_cost(produced, ledger, volume)
        if costed.is_empty():
            continue
        existing = _read_stated(ledger, volume)
        new = costed.join(existing, on=COLUMNS, how="anti", nulls_equal=True, maintain_order="left")
        if len(new):
            add_derived(folder, TABLE, new, volume, versions=versions)
        added += len(new)
    return added


def volume_ids(ledger: Ledger, volume: str) -> pl.Series:
    """The trajectories of one volume."""
    return _part(ledger, volume, "trajectories", ["trajectory_id"])["trajectory_id"]


def _frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    schema = schema_of(c for c in FAILURES if c.name != "pte")
    return pl.DataFrame(list(rows), schema=schema)


def _with_cost(rows: pl.DataFrame, ledger: Ledger, volume: str) -> pl.DataFrame:
    """The volume's rows: a call's own cost beside a call, the trajectory's beside a trajectory."""
    costs = _part(ledger, volume, "trajectories", ["trajectory_id", "pte"])
    calls = _part(ledger, volume, "calls", [*PLACE, "pte"])
    joined = rows.join(costs, on="trajectory_id", maintain_order="left")
    joined = joined.join(calls, on=PLACE, how="left", suffix="_call", maintain_order="left")
    of_call = pl.col("call").is_not_null()
    cost = pl.when(of_call).then(pl.col("pte_call")).otherwise(pl.col("pte"))
    return joined.with_columns(cost.alias("pte")).select(COLUMNS)


def _part(ledger: Ledger, volume: str, table: str, columns: list[str]) -> pl.DataFrame:
    return ledger.scan_volume(table, volume).select(columns).collect()


def _read_stated(ledger: Ledger, volume: str) -> pl.DataFrame:
    """Rows of the table for a volume, latest versions only."""
    return latest(ledger.scan_derived(TABLE, volume).collect())
