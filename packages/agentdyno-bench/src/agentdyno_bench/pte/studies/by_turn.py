"""Cost and generated tokens by turn, and the first-step effect.

Models tend to think longest before their first call: tokens fall from turn to turn while cost
rises with the context (PTE paper, section 6.1, Figures 5 and 8). The share of trajectories whose
first turn is the longest says whether that holds. Later turns exist only in long trajectories, so
points along a curve are not the same attempts.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.readings import means_along, missing, share_of

MOST_TURNS = 25
FEWEST_SHARE = 0.05
"""A curve ends where fewer than this share of its trajectories are left…"""
FEWEST = 3
"""…or fewer than this many."""


class TurnPoint(Struct, frozen=True):
    """All trajectories at one turn."""

    turn: int
    """Its place, from 0."""
    trajectories: int
    """How many got that far."""
    cost: Estimate
    decode_tokens: Estimate
    """Mean number of tokens it generated."""


class TurnSeries(Struct, frozen=True):
    """Cost and generated tokens by turn, and the first-step effect."""

    setting: SettingName | None
    """Which setting; None for all together."""
    trajectories: int
    """Attempts with at least two turns."""
    points: list[TurnPoint]
    """By turn, as far as enough trajectories got."""
    first_longest: Estimate
    """Share of trajectories whose first turn generated the most tokens."""


def turn_series(frames: Frames) -> list[TurnSeries]:
    """All settings together, then each."""
    if frames.turns.is_empty():
        return []
    everything = [_series(None, frames.turns)]
    parts = frames.by_setting(frames.turns)
    if len(parts) < 2:
        return everything
    return everything + [_series(frames.settings[p], rows) for p, rows in parts.items()]


def _series(setting: SettingName | None, turns: pl.DataFrame) -> TurnSeries:
    long = _long_trajectories(turns)
    return TurnSeries(setting, len(long), _points(turns), share_of(long, "longest"))


def _points(turns: pl.DataFrame) -> list[TurnPoint]:
    started = turns["trajectory_id"].n_unique()
    enough = min(started, max(FEWEST, FEWEST_SHARE * started))
    early = turns.filter(pl.col("turn") < MOST_TURNS)
    many = dict(early.group_by("turn").len().iter_rows())
    lasting = [turn for turn in range(MOST_TURNS) if many.get(turn, 0) >= enough]
    # A curve ends where it first becomes too thin.
    displayed = [turn for position, turn in enumerate(lasting) if position == turn]
    rows = early.filter(pl.col("turn").is_in(displayed))
    cost, tokens = (means_along(rows, "turn", c) for c in ("cost", "decode_tokens"))
    nothing = missing("no observations")
    return [TurnPoint(t, many[t], cost.get(t, nothing), tokens.get(t, nothing)) for t in displayed]


def _long_trajectories(turns: pl.DataFrame) -> pl.DataFrame:
    """One row for each trajectory of two turns or more."""
    decode = pl.col("decode_tokens")
    rows = turns.sort("trajectory_id", "turn").group_by("trajectory_id", maintain_order=True)
    task, longest = pl.col("task").first(), decode.first() > decode.slice(1).max()
    return rows.agg(task=task, turns=pl.len(), longest=longest).filter(pl.col("turns") > 1)
