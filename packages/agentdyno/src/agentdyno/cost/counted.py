"""Tables of trajectories of which only some turns count, because the others count elsewhere.

Takes the rows of such trajectories as they were measured and the turns to leave out; returns the
rows that remain, with costs that add up again: a trajectory's sums are over the turns that count,
and every part, call and unseen share is its share of those turns alone. A text of an earlier turn
still costs something here, since it stands in the context of the turns that count. Turns are
numbered from 0 again, as `intake.cutting` numbers them in the trajectory itself.

Worked: three turns of 10, 20 and 30 PTE, the first two in another file as well: 30 remain. A prompt
of 5 tokens that paid 5 in each of them without decoding pays 5.
"""

from typing import Any

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.attribution import Shares, attribute
from agentdyno.cost.columns import NEVER, Columns, Floats, Ints
from agentdyno.cost.metering import SOURCES
from agentdyno.cost.money_shares import Bill, MoneyShares, attribute_money
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.split import Split

Frames = dict[str, pl.DataFrame]
KEYS = ["trajectory_id", "turn"]
COSTS = ("pte", "pte_growth", "usd")
"""Costs that are shared among parts and calls."""
SUMMED = (
    "prefill_tokens", "decode_tokens", "cached_tokens", "latency_seconds",
    "pte", "pte_growth", "pte_evicted", "pte_reported", "pte_kept", "pte_growth_evicted",
    "pte_growth_reported", "pte_growth_kept", "usd", "reported_usd",
)  # fmt: skip
"""Columns of `trajectories` that are sums over turns; unknown when any turn's is."""


def without_turns(frames: Frames, left_out: pl.DataFrame, cache: CacheAssumption) -> Frames:
    """The counted rows of these trajectories. Those without any turn are dropped."""
    gone = left_out.select(KEYS)
    turns = frames["turns"].sort(KEYS)
    remaining = turns.join(gone, on=KEYS, how="anti").sort(KEYS)
    parts, calls = _share(frames, turns, gone, cache)
    own_calls = calls.join(gone, on=KEYS, how="anti")
    places = remaining.select(KEYS).with_columns(
        now=pl.int_range(pl.len()).over("trajectory_id").cast(pl.Int64)
    )
    return {
        "trajectories": _sum(frames["trajectories"], remaining, own_calls),
        "turns": _renumber(remaining, places),
        "calls": _renumber(own_calls, places),
        "parts": _replace(parts, places),
    }


# Places -------------------------------------------------------------------------------------------


def _renumber(rows: pl.DataFrame, places: pl.DataFrame) -> pl.DataFrame:
    joined = rows.join(places, on=KEYS, maintain_order="left")
    return joined.with_columns(turn="now").select(rows.columns)


def _replace(parts: pl.DataFrame, places: pl.DataFrame) -> pl.DataFrame:
    """Parts with the new places of their turns; what a left-out turn wrote was given here."""
    is_affected = pl.col("trajectory_id").is_in(places["trajectory_id"].unique().implode())
    rows = parts.filter(is_affected).with_columns(was_call=pl.col("call").is_not_null())
    for name in ("enters", "leaves", "made", "turn"):
        rows = _place(rows, places, name, exactly=name == "made")
    exact = places.rename({"turn": "old_turn", "now": "call_turn"})
    rows = rows.join(exact, on=["trajectory_id", "old_turn"], how="left", maintain_order="left")
    of_call = pl.col("was_call") & pl.col("call_turn").is_not_null()
    gone = (pl.col("leaves") <= pl.col("enters")).fill_null(value=False)
    rows = rows.with_columns(
        enters=pl.when(~gone).then("enters"),
        leaves=pl.when(~gone).then("leaves"),
        call=pl.when(of_call).then("call"),
    )
    appears = pl.coalesce("made", "enters")
    turn = pl.when(of_call).then("call_turn").otherwise(appears)
    return rows.with_columns(turn=turn).select(parts.columns)


def _place(
    rows: pl.DataFrame, places: pl.DataFrame, name: str, exactly: bool = False
) -> pl.DataFrame:
    """A column of turns in new places: that turn's, or the next one's that is left."""
    old = f"old_{name}"
    right = places.rename({"turn": old, "now": f"new_{name}"}).sort(old)
    indexed = rows.rename({name: old}).with_row_index("order")
    with_turn = indexed.filter(pl.col(old).is_not_null()).sort(old)
    if exactly:
        matched = with_turn.join(right, on=["trajectory_id", old], how="left")
    else:
        matched = with_turn.join_asof(
            right, on=old, by="trajectory_id", strategy="forward", check_sortedness=False
        )
    new = matched.select("order", f"new_{name}")
    joined = indexed.join(new, on="order", how="left", maintain_order="left").drop("order")
    return joined.rename({f"new_{name}": name})


def _sum(trajectories: pl.DataFrame, turns: pl.DataFrame, calls: pl.DataFrame) -> pl.DataFrame:
    sums = [name for name in SUMMED if name in turns.columns and name in trajectories.columns]
    worst = pl.col("token_source").replace_strict(list(SOURCES), range(len(SOURCES)))
    by_turn = turns.group_by("trajectory_id").agg(
        pl.len().alias("turns"),
        worst.max().replace_strict(range(len(SOURCES)), list(SOURCES)).alias("token_source"),
        *[_sum_or_null(name) for name in sums],
        started_at=pl.coalesce("started_at", "ended_at").min(),
        ended_at=pl.col("ended_at").max(),
    )
    by_call = calls.group_by("trajectory_id").agg(
        pl.len().alias("calls"), _sum_or_null("wait_seconds")
    )
    totals = by_turn.join(by_call, on="trajectory_id", how="left").with_columns(
        pl.col("calls").fill_null(0)
    )
    remaining = trajectories.drop([c for c in totals.columns if c != "trajectory_id"])
    joined = remaining.join(totals, on="trajectory_id", how="inner")
    return joined.select(trajectories.columns).cast(trajectories.schema)


def _sum_or_null(name: str) -> pl.Expr:
    column = pl.col(name)
    return pl.when(column.is_null().any()).then(None).otherwise(column.sum()).alias(name)


# Shares -------------------------------------------------------------------------------------------


def _share(
    frames: Frames, turns: pl.DataFrame, gone: pl.DataFrame, cache: CacheAssumption
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Parts and calls with what they pay over the turns that count."""
    parts = frames["parts"].sort("trajectory_id", "part")
    seen, unseen = parts.filter(pl.col("kind") != "unseen"), parts.filter(kind="unseen")
    layout = FrameLayout(turns, seen)
    counts = turns.join(gone.with_columns(out=True), on=KEYS, how="left", maintain_order="left")
    weight = np.where(counts["out"].fill_null(value=False).to_numpy(), 0.0, 1.0)
    shares = attribute(layout.columns, layout.split, _collect_gammas(turns), cache, weight)
    money = attribute_money(layout.columns, layout.split, recorded_bill(turns), weight)
    seen = with_shares(seen, shares, money)
    hidden = unseen_rows(unseen, turns, shares, money)
    calls = _call_shares(frames["calls"], seen)
    return pl.concat([_in_use(seen, turns, weight), hidden]), calls


def with_shares(parts: pl.DataFrame, shares: Shares, money: MoneyShares) -> pl.DataFrame:
    """Visible parts with what they cost."""
    return parts.with_columns(
        _series("pte", shares.pte),
        _series("pte_growth", shares.pte_growth),
        _series("usd", money.usd),
    )


def recorded_bill(turns: pl.DataFrame) -> Bill:
    """The charges, as the ledger's turns have them."""
    tokens = (np.nan_to_num(_floats(turns, f"{n}_tokens")) for n in ("cached", "cache_write"))
    return Bill(*tokens, *(_floats(turns, name) for name in Bill.__struct_fields__[2:]))


class RecordedGammas(Struct, frozen=True):
    """Decoding costs, as the ledger's turns have them."""

    gamma: Floats
    """Per turn, windows taken into account."""
    grown: Floats
    """Per turn: PTE of the tokens that it added to its own context."""

    def effective(self, context: Floats) -> Floats:
        """One gamma a turn."""
        return self.gamma

    def growth(self, context: Floats, decode: Floats) -> Floats:
        """The added cost of tokens decoded earlier in the same turn."""
        return self.grown


def _collect_gammas(turns: pl.DataFrame) -> RecordedGammas:
    grown = _floats(turns, "pte_growth_evicted") - _floats(turns, "pte_evicted")
    return RecordedGammas(_floats(turns, "gamma"), grown)


class FrameLayout:
    """Rows of the ledger as the arrays that shares are computed from."""

    def __init__(self, turns: pl.DataFrame, parts: pl.DataFrame) -> None:
        names = turns["trajectory_id"].unique(maintain_order=True)
        order = dict(zip(names, range(len(names)), strict=True))
        whose = turns["trajectory_id"].replace_strict(order).to_numpy().astype(np.int64)
        part_owner = parts["trajectory_id"].replace_strict(order).to_numpy().astype(np.int64)
        first_turn = np.searchsorted(whose, np.arange(len(names) + 1))
        first_part = np.searchsorted(part_owner, np.arange(len(names) + 1))
        base, ends = first_turn[:-1][part_owner], first_turn[1:][part_owner]
        enters = _global(parts, "enters", base, NEVER)
        produced = _global(parts, "made", base, NEVER)
        nothing = np.full(len(whose), np.nan)
        self.columns = Columns(
            first_turn=first_turn,
            turn_trajectory=whose,
            prefill=nothing,
            cached=_floats(turns, "cached_tokens"),
            decode=nothing,
            first_part=first_part,
            part_trajectory=part_owner,
            kind=np.zeros(len(part_owner), dtype=np.int64),
            size=_floats(parts, "tokens"),
            counted=np.ones(len(part_owner), dtype=bool),
            own_counted=np.ones(len(part_owner), dtype=bool),
            known=np.full(len(part_owner), np.nan),
            bare_decode=nothing,
            overhead=nothing,
            made=produced,
            enters=enters,
            leaves=_global(parts, "leaves", base, ends),
        )
        first, later = _floats(turns, "first_scale"), _floats(turns, "later_scale")
        self.split = Split(
            context=_floats(turns, "context_tokens"),
            decode=_floats(turns, "decode_tokens"),
            tokens=_before_scaling(parts, enters, produced, enters == base, first, later),
            first_scale=first,
            later_scale=later,
            unseen=_floats(turns, "unseen_tokens"),
            unseen_decode=_floats(turns, "unseen_decode_tokens"),
        )


def _before_scaling(
    parts: pl.DataFrame, enters: Ints, produced: Ints, is_first: Any, first: Floats, later: Floats
) -> Floats:
    """A given part's size is written down as its first turn scaled it; a made part's is not."""
    tokens = _floats(parts, "tokens")
    if not len(first):
        return tokens
    entry = np.maximum(enters, 0)
    scale = np.where(is_first, first[entry], later[entry])
    scaled = (produced == NEVER) & (enters != NEVER) & (scale > 0)
    return np.where(scaled, tokens / np.where(scale > 0, scale, 1.0), tokens)


def _in_use(parts: pl.DataFrame, turns: pl.DataFrame, weight: Floats) -> pl.DataFrame:
    """Parts that some turn that counts made or had in context."""
    counted = turns.select(KEYS).filter(pl.Series(weight > 0))
    last = counted.group_by("trajectory_id").agg(last=pl.col("turn").max())
    produced = counted.rename({"turn": "made"}).with_columns(own=True)
    rows = parts.join(last, on="trajectory_id", how="left", maintain_order="left").join(
        produced, on=["trajectory_id", "made"], how="left", maintain_order="left"
    )
    paid = (pl.col("pte") != 0) | (pl.col("usd") != 0)
    stood = (pl.col("enters") <= pl.col("last")) & paid.fill_null(value=False)
    return rows.filter(stood | pl.col("own")).select(parts.columns)


def unseen_rows(
    unseen: pl.DataFrame, turns: pl.DataFrame, shares: Shares, money: MoneyShares
) -> pl.DataFrame:
    """The rows of what the trace does not show, by trajectory."""
    totals = (
        turns.select(
            "trajectory_id",
            _series("context", shares.unseen),
            _series("decoded", shares.unseen_decode),
            _series("decoded_growth", shares.unseen_decode_growth),
            _series("context_usd", money.unseen),
            _series("decoded_usd", money.unseen_decode),
        )
        .group_by("trajectory_id")
        .agg(_sum_or_null(name) for name in _UNSEEN)
    )
    rows = unseen.join(totals, on="trajectory_id", how="left", maintain_order="left")
    decoded = (pl.col("name") == "decoded").fill_null(value=False)
    return rows.with_columns(
        pte=pl.when(decoded).then("decoded").otherwise("context"),
        pte_growth=pl.when(decoded).then("decoded_growth").otherwise("context"),
        usd=pl.when(decoded).then("decoded_usd").otherwise("context_usd"),
    ).select(unseen.columns)


_UNSEEN = ("context", "decoded", "decoded_growth", "context_usd", "decoded_usd")


def _call_shares(calls: pl.DataFrame, parts: pl.DataFrame) -> pl.DataFrame:
    """A call pays for its request, its result and what the client adds for it."""
    keys = [*KEYS, "call"]
    of_calls = parts.filter(pl.col("call").is_not_null())
    paid = of_calls.group_by(keys).agg(_sum_or_null(name) for name in COSTS)
    remaining = calls.drop(COSTS)
    return remaining.join(paid, on=keys, how="left", maintain_order="left").select(calls.columns)


def _floats(frame: pl.DataFrame, name: str) -> Floats:
    return frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _global(frame: pl.DataFrame, name: str, base: Ints, missing: Any) -> Ints:
    local = _floats(frame, name)
    shifted = np.where(np.isnan(local), missing, local + base)
    return shifted.astype(np.int64)


def _series(name: str, values: Floats) -> pl.Series:
    return pl.Series(name, values, nan_to_null=True)
