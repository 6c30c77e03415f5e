"""The context river: every part of a context from the turn it enters to the turn it leaves.

Takes the parts of one trajectory, returns bands to be stacked in the order in which they stand in
the context. Parts too small to be seen are put together by kind, so that a session of thousands of
turns is drawn as fast as a short one. The hidden prompt is no part: turns have its size.
"""

from typing import Any

import numpy as np
import polars as pl

from agentdyno.view.words import clean_words

MOST_BANDS = 800
"""Parts that are drawn each by itself: those with the most tokens over the turns they stay."""


def lay_out_river(parts: pl.DataFrame, turns: int) -> dict[str, Any]:
    """`bands`: single parts. `rest`: per kind, how many others there are and their tokens at every
    turn. `hidden`: what was billed and is in no trace, with its cost."""
    seen = pl.col("kind") != "unseen"
    entered = parts.filter(seen & pl.col("enters").is_not_null() & (pl.col("enters") < turns))
    until = pl.coalesce("leaves", pl.lit(turns)).clip(upper_bound=turns)
    placed = entered.with_columns(until=until, first=pl.col("enters") == 0)
    weighed = placed.with_columns(
        weight=pl.col("tokens").fill_null(0.0) * (pl.col("until") - pl.col("enters"))
    ).sort("weight", descending=True, maintain_order=True)
    bands = weighed.head(MOST_BANDS).sort("enters", "part")
    hidden = parts.filter(pl.col("kind") == "unseen").select("kind", "name", "tokens", "cost")
    return {
        "bands": [_band(row) for row in bands.iter_rows(named=True)],
        "hidden": hidden.to_dicts(),
        "rest": _add_up(weighed.slice(MOST_BANDS), turns),
    }


def _band(row: dict[str, Any]) -> dict[str, Any]:
    numbers = ("part", "kind", "turn", "call", "tokens", "enters", "until", "cost")
    return {name: row[name] for name in numbers} | {"name": clean_words(row["name"], 60)}


def _add_up(parts: pl.DataFrame, turns: int) -> list[dict[str, Any]]:
    found = []
    for (kind, first), rows in parts.group_by("kind", "first", maintain_order=True):
        steps = np.zeros(turns + 1)
        tokens = rows["tokens"].fill_null(0.0).to_numpy()
        np.add.at(steps, rows["enters"].to_numpy(), tokens)
        np.add.at(steps, rows["until"].to_numpy(), -tokens)
        sizes = np.cumsum(steps)[:turns].round(1).tolist()
        found.append({"kind": kind, "first": first, "count": len(rows), "tokens": sizes})
    return found
