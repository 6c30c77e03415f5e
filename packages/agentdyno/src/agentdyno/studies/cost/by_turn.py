"""Cost and generated tokens by turn, and the first-step effect.

Models tend to think longest before their first call: tokens fall from turn to turn while cost
rises with the context (PTE paper, section 6.1, Figures 5 and 8). Three numbers say whether that
holds: first-turn tokens over the mean of the later turns, the share of trajectories whose first
turn is the longest (beside chance: the mean of 1 / turns), and last-turn cost over first-turn cost.
Later turns exist only in long trajectories, so points along a curve are not the same attempts.

Worked: tokens 300, 100, 100 -> first over later 3; the first turn is the longest.
"""

import polars as pl

from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import TurnPoint, TurnSeries
from agentdyno.studies.readings import means_along, missing, share_of, within_ratio

MOST_TURNS = 25
FEWEST_SHARE = 0.05
"""A curve ends where fewer than this share of its trajectories are left…"""
FEWEST = 3
"""…or fewer than this many."""


def turn_series(frames: Frames) -> list[TurnSeries]:
    """All settings together, then each."""
    if frames.turns.is_empty():
        return []
    unit = frames.costs.unit
    everything = [_series(None, frames.turns, unit)]
    parts = frames.by_setting(frames.turns)
    if len(parts) < 2:
        return everything
    return everything + [_series(frames.settings[p], rows, unit) for p, rows in parts.items()]


def _series(setting: SettingName | None, turns: pl.DataFrame, unit: CostUnit) -> TurnSeries:
    long = _long_trajectories(turns)
    return TurnSeries(
        setting=setting,
        trajectories=len(long),
        points=_points(turns),
        first_over_later=within_ratio(long, "later", "first"),
        first_longest=share_of(long, "longest"),
        first_longest_by_chance=_mean(long["chance"]),
        last_over_first_cost=within_ratio(long, "first_cost", "last_cost"),
        unit=unit,
    )


def _points(turns: pl.DataFrame) -> list[TurnPoint]:
    started = turns["trajectory_id"].n_unique()
    enough = min(started, max(FEWEST, FEWEST_SHARE * started))
    early = turns.filter(pl.col("turn") < MOST_TURNS)
    many = dict(early.group_by("turn").len().iter_rows())
    lasting = [turn for turn in range(MOST_TURNS) if many.get(turn, 0) >= enough]
    # A curve ends where it first becomes too thin.
    displayed = [turn for place, turn in enumerate(lasting) if place == turn]
    rows = early.filter(pl.col("turn").is_in(displayed))
    cost, tokens = (means_along(rows, "turn", c) for c in ("cost", "decode_tokens"))
    nothing = missing("no observations")
    return [TurnPoint(t, many[t], cost.get(t, nothing), tokens.get(t, nothing)) for t in displayed]


def _long_trajectories(turns: pl.DataFrame) -> pl.DataFrame:
    """One row for each trajectory of two turns or more."""
    decode, cost = pl.col("decode_tokens"), pl.col("cost")
    return (
        turns.sort("trajectory_id", "turn")
        .group_by("trajectory_id", maintain_order=True)
        .agg(
            task=pl.col("task").first(),
            turns=pl.len(),
            first=decode.first(),
            later=decode.slice(1).mean(),
            longest=decode.first() > decode.slice(1).max(),
            first_cost=cost.first(),
            last_cost=cost.last(),
        )
        .filter(pl.col("turns") > 1)
        .with_columns(chance=1 / pl.col("turns"))
    )


def _mean(series: pl.Series) -> float | None:
    return float(series.to_numpy().mean()) if len(series) else None
