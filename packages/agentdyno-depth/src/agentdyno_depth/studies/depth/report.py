"""How hard it thought: one reading of a ledger by setting, by turn, by outcome and at calls."""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.measures.depth import BINS
from agentdyno.records.settings import SettingName
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.tables import Tables
from agentdyno_depth.studies.depth.accuracy import Bin, Correlation, correlate, quantile_bins
from agentdyno_depth.studies.depth.by_setting import (
    SettingDepth,
    TurnPoint,
    depth_by_setting,
    depth_by_turn,
    share_mean,
    summarize_setting,
)
from agentdyno_depth.studies.depth.frames import (
    DepthFrames,
    DepthReading,
    depth_readings,
    load_depth,
)

HEATS = 2
"""Heat maps, of the settings with the most trajectories."""
LINES = 4
"""Settings that are followed from turn to turn."""
MOST_TOKENS = 120
"""Tokens of a heat map."""


class TurnHeat(Struct, frozen=True):
    """One turn, layer by layer."""

    setting: SettingName
    trajectory_id: str
    turn: int
    tokens: list[str]
    """Texts of its first tokens."""
    distances: list[list[float]]
    """For each token, each layer's distance from the last one's prediction."""


class Depth(Struct, frozen=True):
    """Results of one reading."""

    reading: DepthReading
    """The model that read, and its thresholds: the paper's where a ledger has several."""
    readings: list[tuple[DepthReading, Estimate]]
    """Every reading with its mean ratio, this one first."""
    foreign: list[str]
    """Models that wrote the texts and are not the one that read."""
    written_by: list[str]
    """All models that wrote, where the traces say so."""
    unread: int
    """Trajectories of the ledger that it has no rows of."""
    everything: SettingDepth
    """Depth of all trajectories together."""
    rows: list[SettingDepth]
    """By setting, most trajectories first."""
    pooled: Correlation | None
    """How the ratio goes with being solved; None with fewer trajectories than bins."""
    correlations: list[tuple[SettingName, Correlation]]
    """The same by setting, where there are several."""
    bins: list[Bin]
    """Solved by ratio, in quantile bins."""
    turns: list[TurnPoint]
    """By turn, all trajectories."""
    turns_of: list[tuple[SettingName, list[TurnPoint]]]
    """The same of the largest settings, where there are several."""
    heats: list[TurnHeat]
    """One turn of each of the largest settings."""


def study_depth(context: ReportContext) -> Depth | None:
    """None where no depth was measured."""
    tables = context.tables
    readings = depth_readings(tables)
    if not readings:
        return None
    frames = load_depth(tables, readings[0])
    if frames.trajectories["dtr"].drop_nulls().is_empty():
        return None
    everything = summarize_setting(None, frames.trajectories)
    further = [(r, share_mean(load_depth(tables, r).trajectories, "dtr")) for r in readings[1:]]
    graded = _filter_known(frames)
    several = frames.settings if len(frames.settings) > 1 else []
    return Depth(
        reading=readings[0],
        readings=[(readings[0], everything.dtr), *further],
        foreign=frames.foreign,
        written_by=frames.written_by,
        unread=frames.unread,
        everything=everything,
        rows=depth_by_setting(frames),
        pooled=_correlation(graded),
        correlations=[
            (name, result)
            for index, name in enumerate(several)
            if (result := _correlation(graded.filter(setting=index))) is not None
        ],
        bins=quantile_bins(
            graded["dtr"].to_list(), graded["correct"].to_list(), graded["task"].to_list()
        ),
        turns=depth_by_turn(frames),
        turns_of=[(s, depth_by_turn(frames, index)) for index, s in enumerate(several[:LINES])],
        heats=_heats(tables, frames),
    )


def _filter_known(frames: DepthFrames) -> pl.DataFrame:
    rows = frames.trajectories
    return rows.filter(pl.col("correct").is_not_null() & pl.col("dtr").is_not_null())


def _correlation(graded: pl.DataFrame) -> Correlation | None:
    if len(graded) < BINS:
        return None
    scores, right = graded["dtr"].to_list(), graded["correct"].to_list()
    return correlate(scores, right, tasks=graded["task"].to_list())


def _heats(tables: Tables, frames: DepthFrames) -> list[TurnHeat]:
    """Only turns that this model read."""
    distances = tables.read("layer_distances").filter(depth_model=frames.reading.model)
    keyed = distances.join(
        frames.trajectories.select("trajectory_id", "setting"), on="trajectory_id"
    )
    parts = keyed.sort("setting", maintain_order=True).partition_by("setting", maintain_order=True)
    return [_build_heat(part, frames) for part in parts[:HEATS]]


def _build_heat(part: pl.DataFrame, frames: DepthFrames) -> TurnHeat:
    # Two processes may have kept a turn each; the first counts.
    first = part.row(0, named=True)
    rows = part.filter(trajectory_id=first["trajectory_id"], turn=first["turn"])
    tokens = rows.sort("token", "layer").group_by("token", maintain_order=True)
    first_tokens = tokens.agg(pl.col("text").first(), pl.col("distance")).head(MOST_TOKENS)
    return TurnHeat(
        setting=frames.settings[first["setting"]],
        trajectory_id=first["trajectory_id"],
        turn=first["turn"],
        tokens=first_tokens["text"].to_list(),
        distances=first_tokens["distance"].to_list(),
    )
