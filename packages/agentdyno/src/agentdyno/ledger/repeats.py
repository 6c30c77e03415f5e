"""Which occurrence of a response counts, when it stands in several places.

Takes the turns of a whole ledger with their identities, in any order; returns the occurrences that
are left out, each with the one that counts instead. The choice rests on what was read and never on
which file came first, so the same files give the same totals in whatever order they come.

The most complete occurrence counts: one that knows the response by its own id, then one that holds
the answer's text, then one that holds the prompt's, then one whose generated tokens the provider
counted, then the one with the most of them, with the most calls and results, then the one in the
longest trajectory (a session saved again as it grew is counted where it had grown most). What then
still ties holds the same figures, and names decide.

A response may come by several ways: a session file, telemetry, a proxy, a gateway. Telemetry may
have the id of the request alone, which another way has beside that of the response. What the
occurrence that counts does not say, the others fill in (`fill_in`).
"""

import polars as pl

from agentdyno.records.ledger import FILLED

KEYS = ("trajectory_id", "turn")

TURN_FACTS = (
    "trajectory_id", "turn", "identity", "request_id", "stands_for", "decode_source",
    "decode_tokens", "calls", "answered", "context_tokens", "cached_tokens", "cache_write_tokens",
    "usd", "line", "started_at", "ended_at", "unseen_tokens", "unseen_decode_tokens",
    "latency_seconds", "first_token_seconds", "reported_usd", "service_tier",
)  # fmt: skip
"""Columns of `turns` that the choice rests on, and those that are filled in."""
HIDDEN_SHARE = 0.1
"""A prompt is taken to be there when no more of it than this is hidden."""

TRAJECTORY_FACTS = (
    "trajectory_id", "source", "turns", "session_id", "agent_id", "parent_id", "parent_call_id",
    "begins_midway", "reported_calls",
)  # fmt: skip
"""Columns of `trajectories` that the choice rests on."""


def find_repeats(turns: pl.DataFrame, trajectories: pl.DataFrame) -> pl.DataFrame:
    """The occurrences that do not count, as rows of `repeats`."""
    same = pl.coalesce(_whole_for_bare(turns), _response_of_request(turns), pl.col("identity"))
    identified = turns.filter(pl.col("identity").is_not_null()).with_columns(same=same)
    again = identified.filter(pl.col("same").is_duplicated())
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
    full = turns.filter(pl.col("stands_for") != pl.col("identity"))
    names = full.group_by("stands_for").agg(pl.col("identity").min())
    if not len(names):
        return pl.lit(None, dtype=pl.String)
    bare = pl.when(pl.col("stands_for") == pl.col("identity")).then(pl.col("identity"))
    return bare.replace_strict(names["stands_for"], names["identity"], default=None)


def _response_of_request(turns: pl.DataFrame) -> pl.Expr:
    """The identity of the response to the request by which alone a turn is known."""
    both = turns.filter(pl.col("request_id") != pl.col("identity"))
    names = both.group_by("request_id").agg(pl.col("identity").min())
    if not len(names):
        return pl.lit(None, dtype=pl.String)
    return pl.col("identity").replace_strict(names["request_id"], names["identity"], default=None)


def has_two_names(turns: pl.DataFrame) -> bool:
    """True when a response goes by its own id in one row and by its request's in another."""
    other_ids = pl.col("request_id").filter(pl.col("request_id") != pl.col("identity"))
    return bool(turns.select(pl.col("identity").is_in(other_ids.implode()).any()).item())


def fill_in(turns: pl.DataFrame, repeats: pl.DataFrame) -> pl.DataFrame:
    """Facts about counted turns from their uncounted occurrences: a row for each such turn, null
    where there is nothing to fill in. Generated tokens come with their count's source.
    """
    uncounted = repeats.select(*KEYS, "counted_id", "counted_turn").join(turns, on=KEYS)
    counts = pl.col("decode_tokens").filter(pl.col("decode_source") == "reported").max()
    first_values = (
        uncounted.sort(KEYS)
        .group_by("counted_id", "counted_turn")
        .agg(
            *(pl.col(name).drop_nulls().first().alias(f"{name}_new") for name in FILLED),
            decode_tokens_new=counts,
        )
    )
    keys = {"counted_id": "trajectory_id", "counted_turn": "turn"}
    joined = first_values.rename(keys).join(turns.select(*KEYS, *FILLED, "decode_source"), on=KEYS)
    cells = [pl.when(pl.col(name).is_null()).then(f"{name}_new").alias(name) for name in FILLED]
    is_counted = pl.col("decode_source") == "reported"
    rows = joined.select(
        *KEYS, *cells, decode_tokens=pl.when(~is_counted).then("decode_tokens_new")
    )
    return rows.filter(pl.any_horizontal(pl.exclude(KEYS).is_not_null())).sort(KEYS)


_HIDDEN_ANSWER = pl.col("unseen_decode_tokens") >= pl.col("decode_tokens")
_HIDDEN_PROMPT = pl.col("unseen_tokens") > HIDDEN_SHARE * pl.col("context_tokens")
_RANKING: list[tuple[pl.Expr, bool]] = [
    ((pl.col("stands_for") == pl.col("identity")).fill_null(value=False), False),
    ((pl.col("request_id") == pl.col("identity")).fill_null(value=False), False),
    ((_HIDDEN_ANSWER & (pl.col("calls") == 0)).fill_null(value=False), False),
    (_HIDDEN_PROMPT.fill_null(value=False), False),
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
