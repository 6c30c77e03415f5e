"""What every turn paid for the cache and lost of it, summed up by day, cause and trajectory.

Takes the turns of a stretch of a ledger, returns frames that add up over stretches: `costs` by day,
`agents` by trajectory, both with what the money was charged for, `losses`, the most expensive
ones, and `alternatives`, what other settings would have saved.
"""

import numpy as np
import polars as pl

from agentdyno.cost.columns import Floats, Ints
from agentdyno.cost.engines import Engines
from agentdyno.cost.metering import Billed, list_prices
from agentdyno.records import InputError
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.local_days import local_days
from agentdyno.studies.gateways import GATEWAY, find_gateways, is_of
from agentdyno.studies.losses.alternatives import sum_alternatives
from agentdyno.studies.losses.beginnings import list_shared_beginnings
from agentdyno.studies.losses.causes import (
    CAUSES,
    FIRST,
    LIFETIME,
    MISSED,
    MODE,
    MODEL,
    NO_LOSS,
    PARALLEL,
    PAUSE,
    PROVIDER,
    Losses,
    find_losses,
)
from agentdyno.studies.losses.recorded import Recorded, meter_options, read_recorded
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.tables import Sums, Tables
from agentdyno.studies.volumes import sum_volumes, tally_known

ID = "trajectory_id"
MONEY = ("usd", "usd_read", "usd_write", "usd_input", "usd_output")
BANDS = (("under 5 minutes", 0.0), ("5 to 60 minutes", 300.0), ("over 1 hour", 3600.0))
"""Pauses before a loss, by the least seconds of each sort."""
BILL = ("read", "write", "lost", "output", "fresh", "other")
"""What money is charged for, in the order in which a bar stacks it."""
LEAST = 1e-9
"""Dollars that a part of a bill is; less is the rounding of a difference."""
MOST_LOSSES = 50
BY_CLIENT = pl.col("cause").is_not_null() & ~pl.col("cause").is_in(
    [FIRST, PAUSE, MODEL, PROVIDER, MODE, LIFETIME, PARALLEL, MISSED, GATEWAY]
)
"""Losses that another version of the client might not have."""
IS_AGAIN = pl.col("cause").is_not_null() & (pl.col("cause") != FIRST)
"""Losses but first turns."""


def has_cache(context: ReportContext) -> bool:
    """Whether any turn read from a provider's cache or wrote to it."""
    return bool(context.sums["turns"]["cached"].sum())


def study_turn_costs(context: ReportContext) -> Sums:
    """The sums of the whole ledger, asked once."""
    unit = context.frames.costs.unit
    return context.once("turn costs", lambda: _sum_volumes(context.tables, unit))


def _sum_volumes(tables: Tables, unit: CostUnit) -> Sums:
    beginnings = list_shared_beginnings(tables)
    everywhere = {k: v for tokens in beginnings.values() for k, v in tokens.items()}

    def sum_volume(stretch: Tables) -> Sums:
        try:
            return sum_turn_costs(stretch, read_recorded(stretch, everywhere))
        except InputError:  # Nothing in it counts.
            return {}

    return sum_volumes(tables, unit, "turn costs", sum_volume, beginnings.get)


def sum_turn_costs(tables: Tables, recorded: Recorded) -> Sums:
    """By day, cause and the pause before; and by trajectory."""
    rows = read_turn_costs(tables, recorded).with_columns(**_split_bill())
    bill, is_known = [pl.col(f"bill_{part}").sum() for part in BILL], pl.col("known")
    again = {
        "losses": IS_AGAIN.sum(),
        "lost": pl.col("lost").filter(IS_AGAIN).sum(),
        **tally_known("lost_usd", pl.col("lost_usd").filter(IS_AGAIN)),
        **tally_known("avoidable_usd", pl.col("avoidable_usd").filter(IS_AGAIN)),
    }
    costs = rows.group_by("day", "cause", "band", maintain_order=True).agg(
        *bill,
        turns=pl.len(),
        known=is_known.sum(),
        read=pl.col("read").filter(is_known).sum(),
        context=pl.col("context").filter(is_known).sum(),
        uncached=pl.col("uncached").filter(is_known).sum(),
        short=(pl.col("written") - pl.col("hour")).sum(),
        hour=pl.col("hour").sum(),
        lost=pl.col("lost").sum(),
        **{k: v for name in (*MONEY, "lost_usd", "avoidable_usd")
           for k, v in tally_known(name, pl.col(name)).items()},
    )  # fmt: skip
    agents = rows.group_by(ID, maintain_order=True).agg(
        *bill, **tally_known("usd", pl.col("usd")), **again
    )
    named = ID, "turn", "cause", "pause_seconds", "lost", "lost_usd"
    losses = most_expensive(rows.filter(IS_AGAIN)).select(named)
    return {
        "costs": costs,
        "agents": agents,
        "losses": losses,
        "again": rows.filter(pl.col("bill_lost") > LEAST).select(ID, "turn", "bill_lost"),
        "alternatives": sum_alternatives(recorded),
        "diagnoses": _count(rows, "provider_cause", "own_cause", losses=pl.len()),
        "versions": _count(
            rows.filter(pl.col("pause_seconds").is_not_null()),
            "client_version",
            turns=pl.len(),
            losses=BY_CLIENT.sum(),
            usd=pl.col("lost_usd").filter(BY_CLIENT).sum(),
        ),
    }


def _count(rows: pl.DataFrame, *by: str, **sums: pl.Expr) -> pl.DataFrame:
    return rows.drop_nulls(by[0]).group_by(by, maintain_order=True).agg(**sums)


def most_expensive(losses: pl.DataFrame) -> pl.DataFrame:
    """The losses that cost the most."""
    order, flags = ("lost_usd", "lost", ID, "turn"), [True, True, False, False]
    return losses.sort(order, descending=flags, nulls_last=True).head(MOST_LOSSES)


def _split_bill() -> dict[str, pl.Expr]:
    """Of turns with a price: what each was charged for. Lost cache is taken out of cache writes and
    fresh input."""
    priced = pl.col("usd").is_not_null()
    lost = pl.when(IS_AGAIN).then(pl.col("lost_usd")).otherwise(0.0).fill_null(0.0)
    fresh_lost = pl.when(IS_AGAIN).then(pl.col("lost_fresh_usd")).otherwise(0.0).fill_null(0.0)
    charged = [pl.col(f"usd_{n}").fill_null(0.0) for n in ("read", "write", "input", "output")]
    read, write, fresh, output = charged
    parts = {
        "read": read,
        "write": (write - (lost - fresh_lost)).clip(lower_bound=0.0),
        "lost": lost,
        "output": output,
        "fresh": (fresh - fresh_lost).clip(lower_bound=0.0),
        "other": (pl.col("usd") - pl.sum_horizontal(charged)).clip(lower_bound=0.0),
    }
    return {f"bill_{name}": pl.when(priced).then(amount) for name, amount in parts.items()}


def read_turn_costs(tables: Tables, recorded: Recorded) -> pl.DataFrame:
    """One row for every turn: read, written by lifetime, uncached, lost, the cause and its cost."""
    losses = find_losses(recorded)
    paid, fresh, avoidable = _price_losses(recorded, losses)
    first = np.array([CAUSES.index(FIRST), NO_LOSS])
    frame = pl.DataFrame({
        ID: recorded.trajectories[ID].gather(recorded.turn_trajectory),
        "model": pl.Series(recorded.models, dtype=pl.String),
        "turn": np.arange(recorded.turns) - recorded.first_turn[:-1][recorded.turn_trajectory],
        "day": _find_days(recorded),
        "context": recorded.context,
        "read": np.nan_to_num(recorded.cached),
        "written": np.nan_to_num(recorded.written),
        "hour": recorded.hour,
        "known": ~np.isnan(recorded.cached),
        "pause_seconds": losses.pause,
        "lost": losses.lost,
        "thinking": recorded.thinking,
        "client_version": recorded.client_version,
        "cause": _name(losses.cause),
        "own_cause": _name(losses.own),
        "provider_cause": _name(losses.provider),
        "lost_usd": np.where(losses.cause == NO_LOSS, 0.0, paid),
        "lost_fresh_usd": np.where(losses.cause == NO_LOSS, 0.0, fresh),
        "avoidable_usd": np.where(np.isin(losses.cause, first), np.nan, avoidable),
    }).fill_nan(None)  # fmt: skip
    uncached = (pl.col("context") - pl.col("read") - pl.col("written")).clip(lower_bound=0)
    money = tables.scan("turns").select(ID, "turn", *MONEY).collect()
    joined = frame.join(money, on=[ID, "turn"], how="left", maintain_order="left")
    rows = joined.with_columns(uncached=uncached, band=_find_band())
    return _name_gateways(rows, find_gateways(tables))


def _name_gateways(rows: pl.DataFrame, gateways: pl.DataFrame) -> pl.DataFrame:
    """What a gateway's counts say was lost has one cause, whatever else happened meanwhile."""
    is_loss = is_of(gateways) & IS_AGAIN if len(gateways) else pl.lit(value=False)
    named = [
        pl.when(is_loss).then(pl.lit(GATEWAY)).otherwise(name).alias(name)
        for name in ("cause", "own_cause")
    ]
    return rows.with_columns(named).drop("model")


def _name(causes: Ints) -> pl.Series:
    names = [CAUSES[c] if c != NO_LOSS else None for c in causes.tolist()]
    return pl.Series(names, dtype=pl.String)


def _price_losses(r: Recorded, losses: Losses) -> tuple[Floats, Floats, Floats]:
    """Per turn: what was paid for the lost tokens, what of it for those that were sent without
    being written, and how much more it was than reading them."""
    engines = Engines(meter_options(r))
    written = np.nan_to_num(r.written)
    billed = Billed(np.nan_to_num(r.cached), written, r.hour, r.tiers, r.searches, r.billed_at)
    models = {model: engines.of(model) for model in set(r.models)}
    price = list_prices(r.models, models, billed, r.context)
    again = np.minimum(losses.lost, written)
    hour = np.divide(r.hour, written, out=np.zeros(r.turns), where=written > 0)
    fresh = (losses.lost - again) * price.fresh
    paid = again * (price.write + hour * price.hour) + fresh
    return paid, fresh, paid - losses.lost * price.read


def _find_days(r: Recorded) -> pl.Series:
    return local_days(pl.Series("day", r.billed_at, nan_to_null=True))


def _find_band() -> pl.Expr:
    band = pl.lit(None, pl.String)
    for name, least in BANDS:
        band = pl.when(pl.col("pause_seconds") >= least).then(pl.lit(name)).otherwise(band)
    return band
