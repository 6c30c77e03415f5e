"""A ledger as flat arrays, ready to be recomputed. Indices of turns are global, as in `columns`.

Takes a ledger, returns `Recorded`. A missing number is NaN inside the arithmetic only.
"""

from typing import Any

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.block_memory import NOBODY
from agentdyno.cost.columns import NEVER, Floats, Ints
from agentdyno.cost.metering import find_billing_times
from agentdyno.measures.pte import reading
from agentdyno.records import InputError
from agentdyno.studies.cost.seconds import seconds_cache
from agentdyno.studies.cost.shared_prefixes import find_shared_prefixes
from agentdyno.studies.tables import Tables
from agentdyno.studies.whatif.beginnings import TIMES, find_shared_beginnings

TRAJECTORIES = (
    "trajectory_id", "model", "benchmark", "variant", "task_id", "attempt", "parent_id",
    "token_source", "architecture", "pte", "pte_growth", "usd",
)  # fmt: skip
"""Columns of `trajectories` that a recomputation is compared with and told by."""
TURNS = (
    "trajectory_id", "turn", "model", "context_tokens", "decode_tokens", "cached_tokens",
    "cache_write_tokens", "cache_write_hour_tokens", "service_tier", "web_searches", "usd_source",
    "pte_kept", "gamma", "calls", "started_at", "ended_at", "latency_seconds", "thinking",
    "client_version", "context_event", "cache_miss_reason",
)  # fmt: skip
"""Columns of `turns` that a recomputation needs."""
PARTS = (
    "trajectory_id", "part", "kind", "name", "turn", "call", "tokens", "made", "enters", "leaves",
)  # fmt: skip
"""…and of `parts`."""
NAMES = ("kind", "name", "model", "tool", "service_tier", "client_version", "context_event",
         "cache_miss_reason")  # fmt: skip
"""Of these, columns with few different texts."""
CALLS = ("trajectory_id", "turn", "call", "tool")
"""…and of `calls`."""


class Recorded(Struct, frozen=True, eq=False, weakref=True):
    """What the ledger says, turn by turn and part by part."""

    trajectories: pl.DataFrame
    """`TRAJECTORIES`, in the order of the arrays. `usd` is null where any turn's money is what the
    trace says: a change has no price there."""
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
    new: Floats
    """Per turn: tokens that are new since the turn before (the `kept` prefill)."""
    calls: Ints
    """Per turn: tool calls."""
    started: Floats
    """Per turn: when it was sent; NaN when unknown."""
    ended: Floats
    """Per turn: when its answer was complete; NaN when unknown."""
    origin: Ints | None
    """Per turn: the trajectory whose beginning it shares, or NOBODY; None where a server's memory
    does not decide what is found in it."""
    shared: Floats
    """Per turn: tokens at the beginning of its prompt that other trajectories have too, where the
    cache is taken to be kept; 0 elsewhere."""
    part_trajectory: Ints
    """Per part: its trajectory."""
    kind: list[str]
    """Per part: its kind."""
    name: list[str | None]
    """Per part: the tool of a schema, a request or a result."""
    tokens: Floats
    """Per part: its size."""
    made: Ints
    """Per part: the turn that decoded it, or NEVER."""
    enters: Ints
    """Per part: the first turn that has it in context, or NEVER."""
    leaves: Ints
    """Per part: the turn from which it is gone (its trajectory's end when it stays)."""
    call_turn: Ints
    """Per call: its turn."""
    call_tool: list[str]
    """Per call: its tool."""
    beginnings: Floats
    """Per turn: tokens that another sub-agent was writing to the cache when this first turn of one
    was sent; 0 for other turns (`beginnings`)."""
    is_part: bool
    """Whether this is a stretch of a ledger, which need not have every tool."""
    quoted: Floats | None = None
    """Per part: tokens of a result up to the last place that is quoted later, 0 of other parts;
    None where nobody looked (the table `quotes`)."""
    last_quoted: Ints | None = None
    """Per part: the last turn that quotes it, or NEVER."""

    @property
    def turns(self) -> int:
        """How many turns there are in all."""
        return len(self.context)


def read_recorded(ledger: Tables, beginnings: dict[str, float] | None = None) -> Recorded:
    """Everything that a recomputation needs. `beginnings`: shared ones by trajectory, for a stretch
    of a ledger, which does not have them all."""
    trajectories = ledger.scan("trajectories").select(TRAJECTORIES).collect().sort("trajectory_id")
    if trajectories.is_empty():
        raise InputError(f"{ledger.name}: expected trajectories, found an empty ledger.")
    numbered = trajectories.select("trajectory_id").with_row_index("place")
    seen = pl.col("kind") != "unseen"
    turns = _place(ledger.scan("turns").select(TURNS), numbered, "turn")
    if turns.is_empty():
        raise InputError(f"{ledger.name}: expected turns to compute again, found none.")
    parts = _place(ledger.scan("parts").select(PARTS).filter(seen), numbered, "part")
    calls = _place(ledger.scan("calls").select(CALLS), numbered, "turn", "call")
    counts = np.bincount(_ints(turns["place"]), minlength=len(trajectories))
    first = np.concatenate([[0], np.cumsum(counts)])
    quotes = _read_quotes(ledger, trajectories, parts)
    owner = _ints(parts.drop_in_place("place"))
    base, end = first[:-1][owner], first[1:][owner]
    context, decode = _floats(turns["context_tokens"]), _floats(turns["decode_tokens"])
    started, ended = _times(turns)
    shared = find_shared_beginnings(ledger) if beginnings is None else beginnings
    shared_tokens, origin = _share_prefixes(ledger, trajectories)
    return Recorded(
        trajectories=_by_list_price(trajectories, turns),
        options=ledger.options,
        first_turn=first,
        turn_trajectory=_ints(turns["place"]),
        models=_share(turns["model"]),
        context=context,
        decode=decode,
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
        new=_floats(turns["pte_kept"]) - reading(context, decode, _floats(turns["gamma"])),
        calls=_ints(turns["calls"]),
        started=started,
        ended=ended,
        shared=shared_tokens[_ints(turns["place"])],
        origin=None if origin is None else origin[_ints(turns["place"])],
        part_trajectory=owner,
        # Each column goes as soon as its array is there: both of all would take twice the room.
        kind=_share(parts.drop_in_place("kind")),
        name=_share(parts.drop_in_place("name")),
        tokens=_floats(parts.drop_in_place("tokens")),
        made=_global(parts.drop_in_place("made"), base, NEVER),
        enters=_global(parts.drop_in_place("enters"), base, NEVER),
        leaves=_global(parts.drop_in_place("leaves"), base, end),
        call_turn=first[:-1][_ints(calls["place"])] + _ints(calls["turn"]),
        call_tool=[tool or "" for tool in _share(calls["tool"])],
        beginnings=_at_first_turns(shared, trajectories["trajectory_id"], first),
        is_part=beginnings is not None,
        quoted=None if quotes is None else np.nan_to_num(_floats(quotes["end"])),
        last_quoted=None if quotes is None else _global(quotes["last_turn"], base, NEVER),
    )


def _read_quotes(
    ledger: Tables, trajectories: pl.DataFrame, parts: pl.DataFrame
) -> pl.DataFrame | None:
    """Per part: how far it is quoted, in tokens, and the last turn that does so."""
    if not ledger.has("quotes"):
        return None
    numbered = trajectories.select("trajectory_id").with_row_index("place")
    columns = ("trajectory_id", "turn", "call", "quoted", "last_turn")
    quotes = ledger.read("quotes").select(columns).join(numbered, on="trajectory_id")
    results = parts.select("place", "kind", "turn", "call", "tokens").with_columns(
        pl.when(pl.col("kind").cast(pl.String) == "result").then("turn").alias("turn")
    )
    keys = [pl.col("place").cast(pl.Int64), pl.col("turn").cast(pl.Int64),
            pl.col("call").cast(pl.Int64)]  # fmt: skip
    joined = results.with_columns(keys).join(
        quotes.drop("trajectory_id").with_columns(keys),
        on=["place", "turn", "call"], how="left", maintain_order="left",
    )  # fmt: skip
    return joined.select("last_turn", end=pl.col("quoted") * pl.col("tokens"))


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
    places = pl.col("^(turn|call|part|made|enters|leaves)$").cast(pl.Int32)
    joined = rows.with_columns(names, places).join(numbered.lazy(), on="trajectory_id")
    return joined.drop("trajectory_id").sort("place", *within).collect(engine="streaming")


def _by_list_price(trajectories: pl.DataFrame, turns: pl.DataFrame) -> pl.DataFrame:
    """The trajectories, without the money of those of which the traces tell some."""
    reported = _ints(turns.filter(pl.col("usd_source") == "reported")["place"])
    by_list = np.ones(len(trajectories), dtype=bool)
    by_list[reported] = False
    return trajectories.with_columns(usd=pl.when(pl.Series(by_list)).then(pl.col("usd")))


def _share_prefixes(ledger: Tables, trajectories: pl.DataFrame) -> tuple[Floats, Ints | None]:
    """Per trajectory: tokens, and whose they are where a server's memory decides."""
    cache = seconds_cache(ledger.options)
    if cache not in ("kept", "served"):
        return np.zeros(len(trajectories)), None
    prefixes = trajectories.select("trajectory_id").join(
        find_shared_prefixes(ledger), on="trajectory_id", how="left", maintain_order="left"
    )
    places = {name: index for index, name in enumerate(trajectories["trajectory_id"])}
    origin = np.array([places.get(name, NOBODY) for name in prefixes["origin"]], dtype=np.int64)
    return np.nan_to_num(_floats(prefixes["shared"])), origin if cache == "served" else None


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
