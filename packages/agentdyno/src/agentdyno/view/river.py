"""The context river: every part of a context from the turn it enters to the turn it leaves.

Takes the parts of one trajectory, returns bands to be stacked in the order in which they stand in
the context. Parts too small to be seen are put together by kind, so that a session of thousands of
turns is drawn as fast as a short one. What no text shows is drawn by its origins, which together
have the size that its turns give it.
"""

from typing import Any

import numpy as np
import polars as pl

from agentdyno.records.origins import (
    CLIENT,
    FILE,
    FRAMES,
    OTHER_FILE,
    PUT_BACK,
    SERVER,
    SETUP,
    UNEXPLAINED,
)
from agentdyno.view.words import clean_words

MOST_BANDS = 800
"""Parts that are drawn each by itself: those with the most tokens over the turns they stay."""
HIDDEN = {CLIENT: "client", SERVER: "server", FILE: "file", SETUP: "setup", OTHER_FILE: "before",
          PUT_BACK: "put-back", FRAMES: "frames", UNEXPLAINED: "unseen"}  # fmt: skip
"""Origins without a text, from the foot of the context up, by the names of their colours."""


def lay_out_river(
    parts: pl.DataFrame, turns: pl.DataFrame, origins: pl.DataFrame
) -> dict[str, Any]:
    """`bands`: single parts. `rest`: per kind, how many others there are and their tokens at every
    turn. `hidden`: per origin, what was billed and no text shows, at every turn, and its cost."""
    return _lay_out(parts, len(turns)) | {"hidden": _by_origin(turns, origins)}


def _by_origin(turns: pl.DataFrame, origins: pl.DataFrame) -> list[dict[str, Any]]:
    hidden = turns["unseen_tokens"].fill_null(0.0).to_numpy()
    sizes = {origin: np.zeros(len(turns)) for origin in HIDDEN}
    for origin, turn, tokens in origins.select("origin", "turn", "tokens").iter_rows():
        if origin in sizes and turn < len(turns):
            sizes[origin][turn] += tokens or 0.0
    total = np.sum([*sizes.values()], axis=0)
    if not total.any():
        sizes[UNEXPLAINED] = total = np.ones(len(turns))
    sizes[UNEXPLAINED] = np.where(total > 0, sizes[UNEXPLAINED], 1.0)
    scale = hidden / np.where(total > 0, total, 1.0)
    usd = dict(origins.group_by("origin").agg(pl.col("usd").sum()).iter_rows())
    return [
        {"kind": HIDDEN[origin], "name": origin, "usd": usd.get(origin),
         "tokens": (size * scale).round(1).tolist()}
        for origin, size in sizes.items() if (size * scale).any()
    ]  # fmt: skip


def _lay_out(parts: pl.DataFrame, turns: int) -> dict[str, Any]:
    seen = pl.col("kind") != "unseen"
    entered = parts.filter(seen & pl.col("enters").is_not_null() & (pl.col("enters") < turns))
    until = pl.coalesce("leaves", pl.lit(turns)).clip(upper_bound=turns)
    placed = entered.with_columns(until=until, first=pl.col("enters") == 0)
    weighed = placed.with_columns(
        weight=pl.col("tokens").fill_null(0.0) * (pl.col("until") - pl.col("enters"))
    ).sort("weight", descending=True, maintain_order=True)
    bands = weighed.head(MOST_BANDS).sort("enters", "part")
    return {
        "bands": [_band(row) for row in bands.iter_rows(named=True)],
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
