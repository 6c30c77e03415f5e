"""What the runs of a ledger cost by list price, of their own day and of today, what the cache lost
of it, and which turns need not have been.

Takes the tables of a ledger, returns a row for each run. A run without a time has no price of its
day. What the cache lost is what the tokens that were paid again cost more than reading them.
"""

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.columns import Floats
from agentdyno.cost.engines import Engines
from agentdyno.cost.metering import Billed, list_bill
from agentdyno.studies.tables import Tables
from agentdyno.studies.turn_costs import IS_AGAIN, read_turn_costs
from agentdyno.studies.whatif.engine_changes import meter_options
from agentdyno.studies.whatif.recorded import Recorded, read_recorded

ID = "trajectory_id"


class RunPrices(Struct, frozen=True):
    """The runs of a ledger, priced again."""

    rows: pl.DataFrame
    """By `trajectory_id`: `list_day`, `list_today`, `lost_usd`, `missed_turns`, `call_turns`, and
    of the turns whose cache is reported the tokens that were `read` and `sent`."""
    listed: list[str]
    """The days on which the prices that hold today were listed."""


def price_runs(tables: Tables, today: float) -> RunPrices:
    """Every run of a ledger; `today` in seconds since 1970."""
    recorded = read_recorded(tables)
    engines = Engines(meter_options(recorded))
    models = {model: engines.of(model) for model in set(recorded.models)}
    lengths = recorded.context / _counts(tables, recorded)

    def bill(times: Floats) -> Floats:
        billed = Billed(
            np.nan_to_num(recorded.cached), np.nan_to_num(recorded.written), recorded.hour,
            recorded.tiers, recorded.searches, times,
        )  # fmt: skip
        return list_bill(
            recorded.models, models, billed, recorded.context, recorded.decode, lengths
        ).total

    dated = np.where(np.isnan(recorded.billed_at), np.nan, bill(recorded.billed_at))
    now = bill(np.full(recorded.turns, today))
    rows = recorded.trajectories.select(ID).with_columns(
        list_day=_by_run(recorded, dated), list_today=_by_run(recorded, now)
    )
    listed = {engine.tariff.as_of.isoformat() for engine in models.values() if engine.tariff}
    return RunPrices(
        rows.fill_nan(None)
        .join(_lost(tables, recorded), on=ID, how="left")
        .join(_missed(tables), on=ID, how="left"),
        sorted(listed),
    )


def _by_run(recorded: Recorded, values: Floats) -> Floats:
    """Sums over turns; unknown where a turn is, or where there is none."""
    runs = len(recorded.trajectories)
    sums = np.bincount(recorded.turn_trajectory, values, runs).astype(np.float64)
    return np.where(np.diff(recorded.first_turn) > 0, sums, np.nan)


def _counts(tables: Tables, recorded: Recorded) -> Floats:
    """Of each turn how many it sums up: long contexts may cost more by the token, and of sums the
    mean of their turns decides; the shortest where nobody counted these."""
    turns = pl.col("turns").fill_null(2**40).clip(1)
    counts = tables.scan("trajectories").select(
        ID, n=pl.when(pl.col("totals_only")).then(turns).otherwise(1)
    ).collect()  # fmt: skip
    placed = recorded.trajectories.select(ID).join(counts, on=ID, how="left", maintain_order="left")
    found: Floats = placed["n"].cast(pl.Float64).fill_null(1.0).to_numpy()[recorded.turn_trajectory]
    return found


def _lost(tables: Tables, recorded: Recorded) -> pl.DataFrame:
    """Of runs whose provider reports its cache."""
    if np.isnan(recorded.cached).all():
        floats = dict.fromkeys(("lost_usd", "read", "sent"), pl.Float64)
        return pl.DataFrame(schema={ID: pl.String, **floats})
    rows = read_turn_costs(tables, recorded).filter("known")
    again = pl.col("avoidable_usd").filter(IS_AGAIN)
    return rows.group_by(ID).agg(
        lost_usd=pl.when(again.is_not_null().all()).then(again.sum()),
        read=pl.col("read").sum(),
        sent=pl.col("context").sum(),
    )


def _missed(tables: Tables) -> pl.DataFrame:
    """Of runs whose calls are known; a known graph of the task goes before what values say."""
    return (
        tables.read("scheduling")
        .filter(pl.col("call_turns") > 0)
        .sort("edge_source")
        .group_by(ID)
        .agg(pl.col("missed_turns", "call_turns").last())
    )
