"""The cost tables of a ledger under another choice of cache, hardware, architecture and prices.

Takes the tables as they are written and the engines to look with; returns the same rows with other
costs, exactly as measuring with that choice would have written them. Tokens are facts and stay;
what they cost is a view. No trace is read: the tables hold every part's size and the turns it stood
in, so the arithmetic of `pte`, `attribution` and `metering` runs again over them.

Worked: a turn of 1,000 tokens in context, 900 of them cached, and 100 decoded at gamma 0.002 costs
1,200 if evicted and 300 as reported; at gamma 0.004 it costs 1,400 and 500.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from msgspec.structs import replace

from agentdyno.cost.attribution import attribute
from agentdyno.cost.columns import Columns, Floats
from agentdyno.cost.counted import (
    COSTS,
    FrameLayout,
    Frames,
    unseen_rows,
    with_shares,
    without_turns,
)
from agentdyno.cost.filled_facts import fill_facts, find_filled_facts
from agentdyno.cost.gamma import gammas_by_turn
from agentdyno.cost.metering import Billed, Engine, find_billing_times, list_bill
from agentdyno.cost.money_shares import Bill, attribute_money
from agentdyno.cost.pte import (
    CACHE_ASSUMPTIONS,
    CacheAssumption,
    TurnCosts,
    cost_turns,
)
from agentdyno.cost.tables import BILLED
from agentdyno.records.ledger import COUNTED, KIN

ID = "trajectory_id"
KEYS = [ID, "turn"]

EngineOf = Callable[[str | None], Engine]


def revalue(
    frames: Frames,
    as_read: Frames,
    repeats: pl.DataFrame,
    engine: EngineOf,
    cache: CacheAssumption,
    hits: pl.DataFrame | None = None,
) -> Frames:
    """The counted tables under another view.

    `hits` are the `served_tokens` of turns, for the cache of that name; `held` are the rows, as
    they were read, of trajectories that repeat turns which count elsewhere; `repeats` names those
    turns.
    """
    mixed = pl.col(ID).is_in(as_read["trajectories"][ID].implode())
    unshared = _revalue({t: f.filter(~mixed) for t, f in frames.items()}, engine, cache, hits)
    if as_read["trajectories"].is_empty():
        return _in_order(frames, unshared)
    filled = fill_facts(as_read, *find_filled_facts(as_read, frames))
    some = without_turns(_revalue(filled, engine, cache, hits), repeats, cache)
    kin = frames["trajectories"].select(ID, *KIN)
    some["trajectories"] = (
        some["trajectories"].drop(KIN).join(kin, on=ID, how="left").select(COLUMNS["trajectories"])
    )
    return _in_order(
        frames, {t: pl.concat([unshared[t], some[t].select(COLUMNS[t])]) for t in unshared}
    )


COLUMNS = {table: [column.name for column in columns] for table, columns in COUNTED.items()}
_PLACES = {
    "trajectories": [ID],
    "turns": KEYS,
    "calls": [*KEYS, "call"],
    "parts": [ID, "part"],
}


def _in_order(written: Frames, revalued: Frames) -> Frames:
    """Rows in the order in which the ledger has them."""
    return {
        table: written[table]
        .select(keys)
        .join(revalued[table], on=keys, how="left", maintain_order="left")
        .select(COLUMNS[table])
        for table, keys in _PLACES.items()
    }


def _revalue(
    frames: Frames, engine: EngineOf, cache: CacheAssumption, hits: pl.DataFrame | None
) -> Frames:
    """Whole trajectories under another view."""
    turns = frames["turns"].sort(KEYS)
    parts = frames["parts"].sort(ID, "part")
    seen, unseen = parts.filter(pl.col("kind") != "unseen"), parts.filter(kind="unseen")
    layout = FrameLayout(turns, seen)
    models = turns["model"].to_list()
    engines = {model: engine(model) for model in set(models)}
    gammas = gammas_by_turn(
        models, {model: model_engine.gamma for model, model_engine in engines.items()}
    )
    gamma = gammas.effective(layout.split.context)
    costs = {a: cost_turns(layout.columns, layout.split, gammas, a) for a in CACHE_ASSUMPTIONS}
    seen_by_server = _with_hits(layout.columns, turns, hits)
    costs[cache] = cost_turns(seen_by_server, layout.split, gammas, cache)
    shares = attribute(seen_by_server, layout.split, gammas, cache)
    bill = list_bill(models, engines, _sum_billed(turns), layout.split.context, layout.split.decode)
    money = attribute_money(layout.columns, layout.split, bill)
    turns = _with_costs(turns, costs, cache, gamma, bill)
    seen = with_shares(seen, shares, money)
    return {
        "trajectories": _trajectories(frames["trajectories"], turns, costs[cache], engine),
        "turns": turns,
        "calls": _calls(frames["calls"], seen),
        "parts": pl.concat([seen, unseen_rows(unseen, turns, shares, money)]),
    }


def _with_hits(columns: Columns, turns: pl.DataFrame, hits: pl.DataFrame | None) -> Columns:
    """The hits of a server of one's own in the place of the provider's."""
    if hits is None:
        return columns
    with_hits = turns.select(KEYS).join(hits, on=KEYS, how="left", maintain_order="left")
    served = with_hits["served_tokens"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    return replace(columns, cached=served)


def _sum_billed(turns: pl.DataFrame) -> Billed:
    def tokens(name: str) -> Floats:
        return turns[name].cast(pl.Float64).fill_null(0.0).to_numpy()

    def times(name: str) -> Floats:
        return turns[name].cast(pl.Float64).fill_null(np.nan).to_numpy()

    return Billed(
        cached=tokens("cached_tokens"),
        written=tokens("cache_write_tokens"),
        hour=tokens("cache_write_hour_tokens"),
        tiers=turns["service_tier"].to_list(),
        searches=tokens("web_searches"),
        times=find_billing_times(times("started_at"), times("ended_at")),
    )


def _with_costs(
    turns: pl.DataFrame,
    costs: dict[CacheAssumption, TurnCosts],
    cache: CacheAssumption,
    gamma: Floats,
    bill: Bill,
) -> pl.DataFrame:
    columns = {"pte": costs[cache].pte, "pte_growth": costs[cache].pte_growth, "gamma": gamma}
    for assumption in CACHE_ASSUMPTIONS:
        columns[f"pte_{assumption}"] = costs[assumption].pte
        columns[f"pte_growth_{assumption}"] = costs[assumption].pte_growth
    columns |= {name: getattr(bill, name) for name in BILLED}
    by_list = _series("usd", bill.total)
    usd = pl.coalesce(by_list, "reported_usd")
    source = (
        pl.when(by_list.is_not_null())
        .then(pl.lit("list"))
        .when(pl.col("reported_usd").is_not_null())
        .then(pl.lit("reported"))
    )
    return turns.with_columns(
        _series("prefill_tokens", np.round(costs[cache].prefill)).cast(pl.Int64),
        *[_series(name, values) for name, values in columns.items()],
        usd=usd,
        usd_source=source,
    )


_SUMMED = (
    "prefill_tokens", "usd", "pte", "pte_growth", "pte_evicted", "pte_reported", "pte_kept",
    "pte_growth_evicted", "pte_growth_reported", "pte_growth_kept",
)  # fmt: skip


def _trajectories(
    trajectories: pl.DataFrame, turns: pl.DataFrame, costs: TurnCosts, engine: EngineOf
) -> pl.DataFrame:
    """Sums over turns; the prefilled tokens are rounded once, after the sum."""
    exact = turns.with_columns(_series("prefill_tokens", costs.prefill))
    sums = exact.group_by(ID).agg(
        pl.when(pl.col(n).null_count() == 0).then(pl.col(n).sum()).alias(n) for n in _SUMMED
    )
    without_sums = trajectories.drop(_SUMMED)
    joined = without_sums.join(sums, on=ID, how="left", maintain_order="left")
    engines = [engine(model) for model in trajectories["model"]]
    return joined.with_columns(
        pl.col("prefill_tokens").round().cast(pl.Int64),
        pl.Series("gamma", [e.gamma.value for e in engines], dtype=pl.Float64),
        pl.Series("gamma_source", [e.gamma.source for e in engines], dtype=pl.String),
        pl.Series("architecture", [e.architecture for e in engines], dtype=pl.String),
    ).select(trajectories.columns)


def _calls(calls: pl.DataFrame, parts: pl.DataFrame) -> pl.DataFrame:
    """A call pays for its request, its result and what the client adds, each where it first
    stood."""
    keys = [*KEYS, "call"]
    of_calls = parts.filter(pl.col("call").is_not_null())
    first = of_calls.unique([*keys, "kind"], keep="first", maintain_order=True)
    paid = first.group_by(keys).agg(
        pl.when(pl.col(n).null_count() == 0).then(pl.col(n).sum()).alias(n) for n in COSTS
    )
    joined = calls.drop(COSTS).join(
        paid.with_columns(found=True), on=keys, how="left", maintain_order="left"
    )
    nothing = pl.when(pl.col("found").is_null()).then(0.0)
    return joined.with_columns(pl.coalesce(name, nothing).alias(name) for name in COSTS).select(
        calls.columns
    )


def _series(name: str, values: Any) -> pl.Series:
    return pl.Series(name, values, nan_to_null=True)
