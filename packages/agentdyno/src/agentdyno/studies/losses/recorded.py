"""A ledger as flat arrays. Indices of turns are global, as in `columns`.

Takes a ledger, returns `Recorded`. A missing number is NaN inside the arithmetic only.
"""

from typing import Any

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.columns import NEVER, Flags, Floats, Ints
from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.metering import find_billing_times
from agentdyno.records import InputError
from agentdyno.studies.losses.beginnings import TIMES, find_shared_beginnings
from agentdyno.studies.tables import Tables

TRAJECTORIES = ("trajectory_id", "parent_id")
TURNS = (
    "trajectory_id", "turn", "model", "context_tokens", "decode_tokens", "cached_tokens",
    "cache_write_tokens", "cache_write_hour_tokens", "service_tier", "web_searches", "usd_source",
    "started_at", "ended_at", "latency_seconds", "thinking", "client_version", "context_event",
    "cache_miss_reason",
)  # fmt: skip
PARTS = ("trajectory_id", "part", "kind", "tokens", "enters", "leaves")
NAMES = ("kind", "model", "service_tier", "client_version", "context_event", "cache_miss_reason")
"""Of these, columns with few different texts."""


class Recorded(Struct, frozen=True, eq=False, weakref=True):
    """What the ledger says, turn by turn and part by part."""

    trajectories: pl.DataFrame
    """`TRAJECTORIES`, in the order of the arrays."""
    options: dict[str, Any]
    """What the ledger was measured with."""
    first_turn: Ints
    """Per trajectory and one beyond: the global index of its first turn."""
    turn_trajectory: Ints
    """Per turn: its trajectory."""
    models: list[str | None]
    """Per turn: the model that answered."""
    context: Floats
    """Per turn: tokens in context before decoding starts."""
    decode: Floats
    """Per turn: tokens generated."""
    cached: Floats
    """Per turn: tokens read from the provider's cache; NaN when not reported."""
    written: Floats
    """Per turn: tokens that the provider charged for caching; NaN when not reported."""
    hour: Floats
    """Per turn: those of them that are kept for an hour; 0 when not reported."""
    tiers: list[str | None]
    """Per turn: the service tier."""
    thinking: list[bool | None]
    """Per turn: whether the request asked for thinking; None when unsaid."""
    client_version: list[str | None]
    """Per turn: the version of the agent's program."""
    context_event: list[str | None]
    """Per turn: what is logged to have happened to the context since the turn before."""
    cache_miss_reason: list[str | None]
    """Per turn: why the cache was missed, in the provider's word."""
    searches: Floats
    """Per turn: web searches that are charged for."""
    billed_at: Floats
    """Per turn: the time whose prices hold; NaN when unknown."""
    stated: Flags
    """Per turn: whether its money is what the trace says, for which no list holds."""
    started: Floats
    """Per turn: when it was sent; NaN when unknown."""
    ended: Floats
    """Per turn: when its answer was complete; NaN when unknown."""
    part_trajectory: Ints
    """Per part: its trajectory."""
    kind: list[str]
    """Per part: its kind."""
    tokens: Floats
    """Per part: its size."""
    enters: Ints
    """Per part: the first turn that has it in context, or NEVER."""
    leaves: Ints
    """Per part: the turn from which it is gone (its trajectory's end when it stays)."""
    beginnings: Floats
    """Per turn: tokens that another sub-agent was writing to the cache when this first turn of one
    was sent; 0 for other turns (`beginnings`)."""

    @property
    def turns(self) -> int:
        """How many turns there are in all."""
        return len(self.context)


def meter_options(r: Recorded) -> MeterOptions:
    """What the ledger was measured with."""
    stored = {f: r.options[f] for f in MeterOptions.__struct_fields__ if f in r.options}
    return MeterOptions(**stored)


def read_recorded(ledger: Tables, beginnings: dict[str, float] | None = None) -> Recorded:
    """The turns and parts of a ledger. `beginnings`: shared ones by trajectory, for a stretch of a
    ledger, which does not have them all."""
    trajectories = ledger.scan("trajectories").select(TRAJECTORIES).collect().sort("trajectory_id")
    if trajectories.is_empty():
        raise InputError(f"{ledger.name}: expected trajectories, found an empty ledger.")
    numbered = trajectories.select("trajectory_id").with_row_index("place")
    seen = pl.col("kind") != "unseen"
    turns = _place(ledger.scan("turns").select(TURNS), numbered, "turn")
    if turns.is_empty():
        raise InputError(f"{ledger.name}: expected turns, found none.")
    parts = _place(ledger.scan("parts").select(PARTS).filter(seen), numbered, "part")
    counts = np.bincount(_ints(turns["place"]), minlength=len(trajectories))
    first = np.concatenate([[0], np.cumsum(counts)])
    owner = _ints(parts.drop_in_place("place"))
    base, end = first[:-1][owner], first[1:][owner]
    started, ended = _times(turns)
    shared = find_shared_beginnings(ledger) if beginnings is None else beginnings
    return Recorded(
        trajectories=trajectories,
        options=ledger.options,
        first_turn=first,
        turn_trajectory=_ints(turns["place"]),
        models=_share(turns["model"]),
        context=_floats(turns["context_tokens"]),
        decode=_floats(turns["decode_tokens"]),
        cached=_floats(turns["cached_tokens"]),
        written=_floats(turns["cache_write_tokens"]),
        hour=np.nan_to_num(_floats(turns["cache_write_hour_tokens"])),
        tiers=_share(turns["service_tier"]),
        thinking=turns["thinking"].to_list(),
        client_version=_share(turns["client_version"]),
        context_event=_share(turns["context_event"]),
        cache_miss_reason=_share(turns["cache_miss_reason"]),
        searches=np.nan_to_num(_floats(turns["web_searches"])),
        billed_at=find_billing_times(_floats(turns["started_at"]), _floats(turns["ended_at"])),
        stated=(turns["usd_source"] == "reported").fill_null(value=False).to_numpy(),
        started=started,
        ended=ended,
        part_trajectory=owner,
        # Each column goes as soon as its array is there: both of all would take twice the room.
        kind=_share(parts.drop_in_place("kind")),
        tokens=_floats(parts.drop_in_place("tokens")),
        enters=_global(parts.drop_in_place("enters"), base, NEVER),
        leaves=_global(parts.drop_in_place("leaves"), base, end),
        beginnings=_at_first_turns(shared, trajectories["trajectory_id"], first),
    )


def _at_first_turns(shared: dict[str, float], ids: pl.Series, first: Ints) -> Floats:
    values_at = np.zeros(first[-1])
    places = {name: index for index, name in enumerate(ids) if name in shared} if shared else {}
    for name, place in places.items():
        values_at[first[place]] = shared[name]
    return values_at


def _place(rows: pl.LazyFrame, numbered: pl.DataFrame, *within: str) -> pl.DataFrame:
    """The rows in the order of the trajectories, with the place of each; `within` orders those of
    one. There are millions of parts: ids are replaced while rows are read, and names are codes."""
    names = pl.col(f"^({'|'.join(NAMES)})$").cast(pl.Categorical)
    places = pl.col("^(turn|part|enters|leaves)$").cast(pl.Int32)
    joined = rows.with_columns(names, places).join(numbered.lazy(), on="trajectory_id")
    return joined.drop("trajectory_id").sort("place", *within).collect(engine="streaming")


def _times(turns: pl.DataFrame) -> tuple[Floats, Floats]:
    """Beginning and end of every turn, the one from the other where only the latency is known."""
    times = turns.select(**TIMES)
    return _floats(times["started"]), _floats(times["ended"])


def _share(series: pl.Series) -> list[Any]:
    """The texts of a column, equal ones as one object: millions of copies would fill the memory."""
    distinct = series.unique()
    names = dict(zip(distinct.to_physical().to_list(), distinct.to_list(), strict=True))
    return [names[code] for code in series.to_physical().to_list()]


def _floats(series: pl.Series) -> Floats:
    return series.cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)


def _ints(series: pl.Series) -> Ints:
    return series.cast(pl.Int64).to_numpy().astype(np.int64)


def _global(series: pl.Series, base: Ints, missing: Any) -> Ints:
    local = _floats(series)
    is_known = ~np.isnan(local)
    return np.where(is_known, np.where(is_known, local, 0).astype(np.int64) + base, missing)
