"""The ledger's table `failures`: rows in, with the cost that the ledger has for each place.

Rows are added by volume, so that they go with a log that changed. What the table already says is
not said again; where a rater now says otherwise, the later row counts.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import POLARS_TYPES, Ledger, volume_files
from agentdyno.records.failures import FAILURES

TABLE = "failures"
PLACE = ["trajectory_id", "turn", "call"]
COLUMNS = [column.name for column in FAILURES]


def failures_in_force(ledger: Ledger) -> pl.DataFrame:
    """The table, with the latest row of each rater for each place."""
    return ledger.read(TABLE).unique([*PLACE, "rule"], keep="last", maintain_order=True)


def add_failures(folder: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Adds what the table does not say yet; how many rows these were.

    A row has every column but `pte`. Trajectories that the ledger does not hold are left out.
    """
    ledger = Ledger(folder)
    new = _with_cost(_frame(rows), ledger).join(
        failures_in_force(ledger), on=COLUMNS, how="anti", nulls_equal=True, maintain_order="left"
    )
    added = 0
    for volume in ledger.manifest.volumes if len(new) else ():
        theirs = new.filter(pl.col("trajectory_id").is_in(volume_ids(ledger, volume).implode()))
        if len(theirs):
            add_derived(folder, TABLE, theirs, volume)
        added += len(theirs)
    return added


def volume_ids(ledger: Ledger, volume: str) -> pl.Series:
    """The trajectories of one volume."""
    files = volume_files(ledger.folder, "trajectories", volume, ledger.manifest)
    return pl.read_parquet(files, columns=["trajectory_id"])["trajectory_id"]


def _frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    schema = {c.name: POLARS_TYPES[c.type] for c in FAILURES if c.name != "pte"}
    return pl.DataFrame(list(rows), schema=schema)


def _with_cost(rows: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """A call's own cost beside a call, the trajectory's beside a trajectory."""
    whole = ledger.read("trajectories").select("trajectory_id", whole="pte")
    calls = ledger.read("calls").select(*PLACE, own="pte")
    joined = rows.join(whole, on="trajectory_id", how="left", maintain_order="left")
    joined = joined.join(calls, on=PLACE, how="left", maintain_order="left")
    of_call = pl.col("call").is_not_null()
    cost = pl.when(of_call).then(pl.col("own")).otherwise(pl.col("whole"))
    return joined.with_columns(cost.alias("pte")).select(COLUMNS)
