"""Which occurrence of a response counts, when it stands in several places.

Takes the turns of a whole ledger with their identities, in any order; returns the occurrences that
are left out, each with the one that counts instead. The choice rests on what was read and never on
which file came first, so the same files give the same totals in whatever order they come.

The most complete occurrence counts: one whose generated tokens the provider counted, then the one
with the most of them, with the most calls and results, then the one in the longest trajectory (a
session saved again as it grew is counted where it had grown most). What then still ties holds the
same figures, and names decide.
"""

import polars as pl

KEYS = ("trajectory_id", "turn")

TURN_FACTS = (
    "trajectory_id", "turn", "identity", "stands_for", "decode_source", "decode_tokens", "calls",
    "answered", "context_tokens", "cached_tokens", "cache_write_tokens", "usd", "line",
    "started_at", "ended_at",
)  # fmt: skip
"""Columns of `turns` that the choice rests on."""

TRAJECTORY_FACTS = (
    "trajectory_id", "source", "turns", "session_id", "agent_id", "parent_id", "parent_call_id",
    "begins_midway", "reported_calls",
)  # fmt: skip
"""Columns of `trajectories` that the choice rests on."""


def left_out(turns: pl.DataFrame, trajectories: pl.DataFrame) -> pl.DataFrame:
    """The occurrences that do not count, as rows of `repeats`."""
    same = pl.coalesce(_whole_for_bare(turns), pl.col("identity"))
    known = turns.filter(pl.col("identity").is_not_null()).with_columns(same=same)
    again = known.filter(pl.col("same").is_duplicated())
    sizes = trajectories.select("trajectory_id", "source", size="turns", session="session_id")
    ranked = again.join(sizes, on="trajectory_id", how="left").sort(
        _BEST_FIRST, descending=_DESCENDING, nulls_last=True
    )
    first = ranked.unique("same", keep="first", maintain_order=True)
    counted = first.select("same", counted_id="trajectory_id", counted_turn="turn")
    rows = ranked.join(first.select(KEYS), on=KEYS, how="anti").join(counted, on="same")
    return rows.select(_REPEATS).sort(KEYS)


def _whole_for_bare(turns: pl.DataFrame) -> pl.Expr:
    """The identity of the whole response that a bare total stands for, where there is one."""
    whole = turns.filter(pl.col("stands_for") != pl.col("identity"))
    names = whole.group_by("stands_for").agg(pl.col("identity").min())
    if not len(names):
        return pl.lit(None, dtype=pl.String)
    bare = pl.when(pl.col("stands_for") == pl.col("identity")).then(pl.col("identity"))
    return bare.replace_strict(names["stands_for"], names["identity"], default=None)


_RANKING: list[tuple[pl.Expr, bool]] = [
    ((pl.col("stands_for") == pl.col("identity")).fill_null(value=False), False),
    ((pl.col("decode_source") == "reported").fill_null(value=False), True),
    (pl.col("decode_tokens"), True),
    (pl.col("calls"), True),
    (pl.col("answered"), True),
    (pl.col("size"), True),
    (pl.col("context_tokens"), True),
    (pl.col("cached_tokens"), True),
    (pl.col("cache_write_tokens"), True),
    (pl.col("usd"), True),
    (pl.col("ended_at"), True),
    (pl.col("session"), False),
    (pl.col("turn"), False),
    (pl.col("line"), False),
    (pl.col("source"), False),
    (pl.col("trajectory_id"), False),
]
_BEST_FIRST = [key for key, _ in _RANKING]
_DESCENDING = [descending for _, descending in _RANKING]
_REPEATS = (
    "trajectory_id", "turn", "identity", "counted_id", "counted_turn", "source", "line", "calls",
    "decode_tokens", "context_tokens",
)  # fmt: skip
