"""GPU-seconds of every turn of a ledger, at a stated concurrency: the cost across models.

Takes the turns of a ledger and `Servings`; returns the turns with their seconds by cause. PTE
counts in prefilled tokens of one model and is not added up over models; these are, on one hardware.
"""

from typing import Any

import numpy as np
import polars as pl

from agentdyno.cost.architectures import AUTO, frontier_moe
from agentdyno.cost.columns import Floats
from agentdyno.cost.hardware import REFERENCE_HARDWARE
from agentdyno.cost.physical import TurnSeconds, gpu_seconds
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.servings import Servings
from agentdyno.records import InputError
from agentdyno.studies.tables import Tables

CAUSES = ("prefill", "step", "cache", "waiting")
"""What the seconds go to; each is a column `gpu_seconds_CAUSE`."""


def servings_of(options: dict[str, Any], concurrency: int | None = None) -> Servings | None:
    """The servings that a ledger's own options stand for; None where its hardware or architecture
    is no longer known here."""
    hardware, arch = (
        str(options.get("hardware", REFERENCE_HARDWARE)),
        str(options.get("arch", AUTO)),
    )
    try:
        found = Servings(hardware, arch, concurrency)
        found.of(None)
    except InputError:
        return None
    return found


def with_gpu_seconds(
    turns: pl.DataFrame, servings: Servings | None, cache: CacheAssumption
) -> pl.DataFrame:
    """The turns with `gpu_seconds` and its causes; null where the assumption cannot be applied."""
    if turns.is_empty() or servings is None:
        empty = [pl.lit(None, pl.Float64).alias(name) for name in _columns()]
        return turns.with_columns(empty)
    context, decode = _floats(turns, "context_tokens"), _floats(turns, "decode_tokens")
    prefill = _prefill(turns, context, decode, cache)
    found = {name: np.full(len(turns), np.nan) for name in _columns()}
    for model in turns["model"].unique():
        of = turns["model"].eq_missing(model).to_numpy()
        spent = gpu_seconds(servings.of(model), prefill[of], context[of], decode[of])
        for name, values in zip(_columns(), _parts(spent), strict=True):
            found[name][of] = values
    return turns.with_columns(pl.Series(n, v, nan_to_null=True) for n, v in found.items())


def by_trajectory(turns: pl.DataFrame) -> pl.DataFrame:
    """Sums over a trajectory's turns; null where any turn's is."""
    whole = [
        pl.when(pl.col(name).null_count() == 0).then(pl.col(name).sum()).alias(name)
        for name in _columns()
    ]
    return turns.group_by("trajectory_id", maintain_order=True).agg(whole)


def proxy_range(
    turns: pl.DataFrame, options: dict[str, Any], cache: CacheAssumption, by_proxy: list[str | None]
) -> tuple[float | None, float | None]:
    """The least and the most GPU-seconds of all turns, when the models whose architecture is
    unknown are each of the open models that stand in for them."""
    stand_in = frontier_moe().stand_in
    unknown = turns["model"].is_in(by_proxy) | turns["model"].is_null()
    known = _sum(with_gpu_seconds(turns.filter(~unknown), servings_of(options), cache))
    others = turns.filter(unknown)
    totals = [
        known + _sum(with_gpu_seconds(others, servings_of(options | {"arch": name}), cache))
        for name in (stand_in.members if stand_in else ())
    ]
    return (min(totals), max(totals)) if totals else (None, None)


def _sum(turns: pl.DataFrame) -> float:
    return float(turns["gpu_seconds"].sum() or 0.0)


def in_seconds(tables: Tables, name: str, concurrency: int | None = None) -> pl.DataFrame:
    """The table `trajectories` or `turns` with the columns of `SECONDS` behind its own."""
    servings = servings_of(tables.options, concurrency)
    cache: CacheAssumption = tables.options.get("cache", "evicted")
    rows, turns = tables.read(name), with_gpu_seconds(tables.read("turns"), servings, cache)
    added = turns.select("trajectory_id", "turn", *_columns())
    keys = ["trajectory_id", "turn"]
    if name == "trajectories":
        keys, added = keys[:1], by_trajectory(turns)
    found = rows.join(added, on=keys, how="left", maintain_order="left")
    price = None if servings is None else servings.usd_per_second
    sources = {m: servings.of(m).source for m in rows["model"].unique()} if servings else {}
    how = [sources.get(model) for model in rows["model"]]
    return found.with_columns(
        gpu_usd=pl.col("gpu_seconds") * pl.lit(price, pl.Float64),
        gpu_concurrency=pl.lit(servings.concurrency if servings else None, pl.Int64),
        gpu_seconds_source=pl.Series(how, dtype=pl.String),
    )


def _columns() -> tuple[str, ...]:
    return ("gpu_seconds", *(f"gpu_seconds_{cause}" for cause in CAUSES))


def _parts(spent: TurnSeconds) -> tuple[Floats, ...]:
    return (spent.total, *(getattr(spent, cause) for cause in CAUSES))


def _prefill(turns: pl.DataFrame, context: Floats, decode: Floats, cache: str) -> Floats:
    """Tokens computed anew: what PTE has left when its decoding term is taken away."""
    if cache == "evicted":
        return context
    pte = _floats(turns, "pte_reported" if cache == "observed" else f"pte_{cache}")
    if cache == "observed":
        pte = np.where(np.isnan(pte), _floats(turns, "pte_evicted"), pte)
    computed = pte - _floats(turns, "gamma") * context * decode
    found: Floats = np.clip(computed, 0.0, context)
    return found


def _floats(turns: pl.DataFrame, name: str) -> Floats:
    return turns[name].cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)
