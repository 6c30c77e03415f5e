"""Sessions whose token counts are a gateway's own, and not the provider's.

Some proxies translate between APIs and make up how much of a prompt was read from a cache. What
they write gives them away; two of these three, in five turns or more of a session and model, do:

    ids       responses are named by UUIDs; a provider's ids have a prefix of its own
    ratio     what is written is a constant share of what is read (8 % in those seen)
    steps     what is neither grows by the same 8 or 9 tokens a turn, whatever the turn brought

What such a count says of the cache is no loss of the provider's, and no setting of the user's
changes it. Worked: reads of 1,000, 2,000, 4,000 with writes of 80, 160, 320 have one ratio, .08;
uncached tokens of 3, 11, 20, 28, 37 grow by 8, 9, 8, 9.
"""

import polars as pl

from agentdyno.studies.tables import Tables

ID = "trajectory_id"
GATEWAY = "the gateway's own accounting"
"""The cause of what its counts say was lost."""
FEWEST_TURNS = 5
SAME_RATIO = 0.02
"""Half the spread of a ratio over its median, up to which it is one number."""
LARGEST_STEP = 64
MOST_TURNS = 0.8
"""The share of turns that have to look so."""
_UUID = r"^(?:[a-z]+[-_])?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
_COLUMNS = (ID, "turn", "model", "response_id", "context_tokens", "cached_tokens",
            "cache_write_tokens")  # fmt: skip


def find_gateways(tables: Tables) -> pl.DataFrame:
    """The trajectories and models whose counts a gateway made: one row each."""
    turns = tables.scan("turns").select(_COLUMNS).sort(ID, "turn")
    by = ID, "model"
    read, written = pl.col("cached_tokens"), pl.col("cache_write_tokens")
    ratio = (written / read).filter((read > 0) & (written > 0))
    step = (pl.col("context_tokens") - read - written.fill_null(0)).diff()
    found = turns.group_by(by).agg(
        counted=read.is_not_null().sum(),
        ids=pl.col("response_id").str.contains(_UUID).mean(),
        ratios=ratio.len(),
        middle=ratio.median(),
        spread=ratio.quantile(0.9) - ratio.quantile(0.1),
        usual=_share_of_usual(step),
    )
    is_constant = (pl.col("ratios") >= FEWEST_TURNS) & (
        pl.col("spread") <= 2 * SAME_RATIO * pl.col("middle")
    )
    signs = [pl.col("ids") >= MOST_TURNS, is_constant, pl.col("usual") >= MOST_TURNS]
    many = pl.sum_horizontal(sign.fill_null(value=False).cast(pl.Int32) for sign in signs)
    return found.filter(pl.col("counted") >= FEWEST_TURNS, many >= 2).select(by).sort(by).collect()


def is_of(gateways: pl.DataFrame) -> pl.Expr:
    """Whether a row, with its trajectory and model, is among them."""
    pairs = gateways.select(pl.struct(ID, "model")).to_series()
    return pl.struct(ID, "model").is_in(pairs.implode())


def _share_of_usual(step: pl.Expr) -> pl.Expr:
    """The share of steps that are the usual one or its larger neighbour, of steps that grow."""
    low = step.filter(step.is_between(1, LARGEST_STEP)).quantile(0.1, "lower")
    return step.is_between(low, low + 1).mean()
