"""GPU-seconds of every turn of a ledger: its own trajectories, replayed on a server.

Takes the turns of a ledger and `Servings`; returns the turns with their seconds by cause, and what
the replay of each model was (`ServedModel`). Every model has a server of its own. PTE counts in
prefilled tokens of one model and is not added up over models; these are, on one hardware.
"""

from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.architectures import AUTO, frontier_moe
from agentdyno.cost.block_memory import NOBODY
from agentdyno.cost.columns import Flags, Floats, Ints
from agentdyno.cost.hardware import REFERENCE_HARDWARE
from agentdyno.cost.physical import Serving, TurnSeconds
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.served import (
    LoadSource,
    TurnColumns,
    sample_turns,
    serve,
    serve_alone,
    serve_full,
)
from agentdyno.cost.servings import Servings
from agentdyno.records import InputError
from agentdyno.studies.cost.shared_prefixes import find_shared_prefixes
from agentdyno.studies.tables import Tables

PROXY_TURNS = 2_000
"""Turns that are replayed on each architecture that may stand in for an unknown one."""
CAUSES = ("prefill", "step", "cache", "waiting")
"""What the seconds go to; each is a column `gpu_seconds_CAUSE`."""
COLUMNS = ("gpu_seconds", *(f"gpu_seconds_{cause}" for cause in CAUSES))
NEEDED = (
    "trajectory_id", "turn", "model", "context_tokens", "decode_tokens", "gamma", "pte_evicted",
    "pte_reported", "pte_kept", "started_at", "ended_at", "latency_seconds",
)  # fmt: skip
"""Columns of `turns` that GPU-seconds are worked out from."""


class ServedModel(Struct, frozen=True):
    """One model's server."""

    model: str | None
    """The model, as the trace names it."""
    serving: Serving
    """Its shape, its steps and its cards."""
    turns: int
    load: LoadSource | None
    """What decided how many ran at once; None where the model does not fit."""
    concurrency: int | None
    """How many were stated to run at once; None: as recorded."""
    gpu_seconds: float
    """What its turns took, all cards together."""
    busy_seconds: float
    """Seconds in which its machine worked."""
    idle_seconds: float
    """Seconds between its first and its last turn in which it did not."""
    mean_at_once: float | None
    """Requests in progress on average while it worked; None where that is not known."""
    preemptions: int
    """How often a request lost its place because the memory was full."""
    lost_tokens: int = 0
    """Cached tokens that were pushed out of its memory before their next use."""


class TimedTurns(Struct, frozen=True):
    """The turns of a ledger on servers."""

    turns: pl.DataFrame
    """`trajectory_id`, `turn` and the columns of `COLUMNS`; null where unknown."""
    models: list[ServedModel]
    """The servers, the model with the most turns first."""
    columns: TurnColumns
    by_model: list[tuple[str | None, Flags]]
    """Every model, and which turns are its own."""

    def by_trajectory(self) -> pl.DataFrame:
        """Sums over a trajectory's turns; null where any turn's is."""
        timed_columns = [
            pl.when(pl.col(name).null_count() == 0).then(pl.col(name).sum()).alias(name)
            for name in COLUMNS
        ]
        return self.turns.group_by("trajectory_id", maintain_order=True).agg(timed_columns)


_KNOWN: WeakKeyDictionary[Any, dict[Any, TimedTurns]] = WeakKeyDictionary()


def time_turns(
    tables: Tables, concurrency: int | None = None, cache: CacheAssumption | None = None
) -> TimedTurns:
    """Replay a ledger's turns; several studies of one report ask, and it is done once."""
    memory, key = _KNOWN.setdefault(tables, {}), _key(tables, concurrency, cache)
    if key not in memory and (all_tables := getattr(tables, "whole", None)) is not None:
        memory[key] = _cut(time_turns(all_tables, concurrency, cache), tables)
    elif key not in memory:
        assumed = cache or seconds_cache(tables.options)
        servings = servings_of(tables.options, concurrency)
        memory[key] = replay_turns(read_turns(tables, assumed), servings, assumed)
    return memory[key]


def seconds_cache(options: dict[str, Any]) -> CacheAssumption:
    """What GPU-seconds take the cache to be: what a server of one's own would still have, unless
    another assumption was chosen. Hits as a provider reported them are for its bill."""
    if "chosen_cache" in options:
        return cast("CacheAssumption", options["chosen_cache"])
    recorded = options.get("cache", "evicted")
    is_general = recorded in ("observed", "evicted")
    return "served" if is_general else cast("CacheAssumption", recorded)


def _cut(timed: TimedTurns, tables: Tables) -> TimedTurns:
    """The turns of a stretch of a ledger, timed with all that share its servers."""
    ids = tables.scan("trajectories").select("trajectory_id").collect()
    selected = timed.turns.join(ids, on="trajectory_id", how="semi", maintain_order="left")
    return structs.replace(timed, turns=selected)


def _key(tables: Tables, concurrency: int | None, cache: CacheAssumption | None) -> object:
    return concurrency, cache, str(sorted(tables.options.items(), key=lambda item: item[0]))


def read_turns(tables: Tables, cache: CacheAssumption) -> pl.DataFrame:
    """`NEEDED` of all turns, in the order in which they are replayed; with `shared` prefixes where
    the cache is kept, for good or as long as a server has room."""
    turns = tables.scan("turns").select(NEEDED).sort("trajectory_id", "turn").collect()
    if cache not in ("kept", "served"):
        return turns
    prefixes = find_shared_prefixes(tables)
    return turns.join(prefixes, on="trajectory_id", how="left", maintain_order="left")


def find_served_hits(tables: Tables, options: dict[str, Any]) -> pl.DataFrame:
    """Per turn: `served_tokens` of its prompt that a server of one's own would still have; null
    where that cannot be worked out. `options` name the server."""
    turns = read_turns(tables, "served")
    timed = replay_turns(turns, servings_of(options), "served")
    hits = timed.columns.context - timed.columns.prefill
    return turns.select("trajectory_id", "turn").with_columns(
        pl.Series("served_tokens", hits, nan_to_null=True)
    )


def servings_of(options: dict[str, Any], concurrency: int | None = None) -> Servings | None:
    """The servings that a ledger's own options stand for; None where its hardware or architecture
    is no longer known here, or is a file that was not opened."""
    if any(
        name in options.get("closed", ()) for name in ("hardware", "arch") if name not in options
    ):
        return None
    hardware = str(options.get("hardware", REFERENCE_HARDWARE))
    at_once = concurrency or options.get("concurrency")
    arch, gpus = str(options.get("arch", AUTO)), options.get("gpus")
    try:
        servings = Servings(hardware, arch, at_once, gpus, options.get("speculative"))
        servings.of(None)
    except InputError:
        return None
    return servings


def replay_turns(
    turns: pl.DataFrame, servings: Servings | None, cache: CacheAssumption
) -> TimedTurns:
    """Every model's turns on its server; null where the cache assumption cannot be applied, the
    model does not fit or nothing is known of its hardware."""
    times = {name: np.full(len(turns), np.nan) for name in COLUMNS}
    models: list[ServedModel] = []
    columns, by_model = turn_columns(turns, cache), turns_by_model(turns)
    cached = np.full(len(turns), np.nan)
    turn_keys = turns.select("trajectory_id", "turn")
    del turns  # The other columns would take as much again while they are replayed.
    if servings is not None and len(turn_keys):
        for model, of in by_model:
            served, spent, hits = _serve_model(model, servings.of(model), columns.only(of))
            models.append(served)
            cached[of] = np.nan if hits is None else hits
            for name, values in zip(COLUMNS, _causes(spent), strict=True):
                times[name][of] = values
    timed = turn_keys.with_columns(pl.Series(n, v, nan_to_null=True) for n, v in times.items())
    models.sort(key=lambda served: (-served.turns, served.model or ""))
    if columns.kept is not None:
        # What the servers found is from here on how the cache was.
        prefill = columns.context - cached
        columns = structs.replace(columns, prefill=prefill, kept=None)
    return TimedTurns(timed, models, columns, by_model)


def turn_columns(turns: pl.DataFrame, cache: CacheAssumption) -> TurnColumns:
    """The turns as arrays, in their order."""
    context, decode = floats(turns["context_tokens"]), floats(turns["decode_tokens"])
    codes = turns["trajectory_id"].rle_id() if len(turns) else turns["turn"]
    times = turns.select(
        started=pl.coalesce("started_at", pl.col("ended_at") - pl.col("latency_seconds")),
        ended=pl.coalesce("ended_at", pl.col("started_at") + pl.col("latency_seconds")),
    )
    reused = None
    if cache == "served":
        reused = np.nan_to_num(context - _prefill(turns, context, decode, "kept"))
    return TurnColumns(
        trajectory=codes.cast(pl.Int64).to_numpy(),
        prefill=_prefill(turns, context, decode, "evicted" if reused is not None else cache),
        context=context,
        decode=decode,
        started=floats(times["started"]),
        ended=floats(times["ended"]),
        shared=np.nan_to_num(floats(turns["shared"]))
        if "shared" in turns.columns
        else np.zeros(len(turns)),
        kept=reused,
        origin=None if reused is None else _origins(turns, codes),
    )


def _origins(turns: pl.DataFrame, codes: pl.Series) -> Ints:
    """Per turn: the number of the trajectory that its beginning is taken from."""
    if "origin" not in turns.columns:
        return np.full(len(turns), NOBODY)
    numbers = dict(zip(turns["trajectory_id"], codes, strict=True))
    return np.array([numbers.get(name, NOBODY) for name in turns["origin"]], dtype=np.int64)


def turns_by_model(turns: pl.DataFrame) -> list[tuple[str | None, Flags]]:
    """Every model, and which turns are its own."""
    models = turns["model"]
    return [(model, models.eq_missing(model).to_numpy()) for model in models.unique().to_list()]


def _serve_model(
    model: str | None, serving: Serving, turns: TurnColumns
) -> tuple[ServedModel, TurnSeconds, Floats | None]:
    many = len(turns.trajectory)
    if serving.too_small:
        nothing = np.full(many, np.nan)
        lost = ServedModel(model, serving, many, None, None, 0.0, 0.0, 0.0, None, 0)
        return lost, TurnSeconds(nothing, nothing, nothing, nothing), None
    replay = serve(serving, turns)
    spent = replay.seconds
    served = ServedModel(
        model=model,
        serving=serving,
        turns=many,
        load=replay.load,
        concurrency=replay.concurrency,
        gpu_seconds=float(np.nansum(spent.total)),
        busy_seconds=replay.busy_seconds,
        idle_seconds=replay.idle_seconds,
        mean_at_once=replay.mean_at_once,
        preemptions=replay.preemptions,
        lost_tokens=replay.lost_tokens,
    )
    return served, spent, replay.cached


def load_range(timed: TimedTurns, servings: Servings | None) -> tuple[float | None, float | None]:
    """GPU-seconds of all turns on servers that are always full, and one request at a time."""
    full = alone = 0.0
    if servings is None:
        return None, None
    for model, of in timed.by_model:
        serving = servings.of(model)
        if not serving.too_small:
            full += serve_full(serving, timed.columns.only(of))
            alone += serve_alone(serving, timed.columns.only(of))
    return (full, alone) if alone else (None, None)


def proxy_range(
    timed: TimedTurns, options: dict[str, Any], by_proxy: list[str | None]
) -> tuple[float | None, float | None]:
    """The least and the most GPU-seconds of all turns, when the models whose architecture is
    unknown are each of the open models that stand in for them: as replayed, times what another
    shape takes over what the stand-in takes in the replay of a sample."""
    stand_in, columns = frontier_moe().stand_in, timed.columns
    unknown = np.zeros(len(columns.context), dtype=bool)
    for model, of in timed.by_model:
        unknown |= of & (model is None or model in by_proxy)
    seconds = floats(timed.turns["gpu_seconds"])
    replayed, proxied = float(np.nansum(seconds[~unknown])), float(np.nansum(seconds[unknown]))
    hidden = columns.only(unknown & columns.is_known)
    sample = hidden.only(sample_turns(hidden.trajectory, PROXY_TURNS))
    sampled = _sum_replayed(servings_of(options), sample)
    totals = [
        replayed + proxied * _sum_replayed(servings_of(options | {"arch": name}), sample) / sampled
        for name in (stand_in.members if stand_in and sampled else ())
    ]
    return (min(totals), max(totals)) if totals else (None, None)


def _sum_replayed(servings: Servings | None, turns: TurnColumns) -> float:
    if servings is None or not len(turns.trajectory):
        return 0.0
    return float(np.nansum(serve(servings.of(None), turns).seconds.total))


def in_seconds(tables: Tables, name: str, concurrency: int | None = None) -> pl.DataFrame:
    """The table `trajectories` or `turns` with the columns of `SECONDS` behind its own."""
    timed, servings = time_turns(tables, concurrency), servings_of(tables.options, concurrency)
    rows, added, keys = tables.read(name), timed.turns, ["trajectory_id", "turn"]
    if name == "trajectories":
        keys, added = keys[:1], timed.by_trajectory()
    found = rows.join(added, on=keys, how="left", maintain_order="left")
    price = None if servings is None else servings.usd_per_second
    by_model = {served.model: served for served in timed.models}
    served = [by_model.get(model) for model in rows["model"]]
    at_once = [replay.concurrency if replay else None for replay in served]
    how = [replay.serving.source if replay else None for replay in served]
    return found.with_columns(
        gpu_usd=pl.col("gpu_seconds") * pl.lit(price, pl.Float64),
        gpu_concurrency=pl.Series(at_once, dtype=pl.Int64),
        gpu_seconds_source=pl.Series(how, dtype=pl.String),
    )


def _causes(spent: TurnSeconds) -> tuple[Floats, ...]:
    return (spent.total, *(getattr(spent, cause) for cause in CAUSES))


def _prefill(turns: pl.DataFrame, context: Floats, decode: Floats, cache: str) -> Floats:
    """Tokens computed anew: what PTE has left when its decoding term is taken away."""
    if cache == "evicted":
        return context
    pte = floats(turns["pte_reported" if cache == "observed" else f"pte_{cache}"])
    if cache == "observed":
        pte = np.where(np.isnan(pte), floats(turns["pte_evicted"]), pte)
    computed = pte - floats(turns["gamma"]) * context * decode
    computed_tokens: Floats = np.clip(computed, 0.0, context)
    return computed_tokens


def floats(series: pl.Series) -> Floats:
    """A column as an array, NaN where it is null."""
    return series.cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)
