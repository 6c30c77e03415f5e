"""Unsolved against solved: what failing costs, by setting.

ratio = mean cost of unsolved attempts / mean cost of solved ones, tasks resampled on either side
(PTE paper, section 7 and Figure 11). All settings together: each cost over its setting's mean, so
that a dear setting with many failures does not pass for dear failures.

Worked: solved 100 and 120, unsolved 220 -> 2.0.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.readings import mean_of, ratio_of


class OutcomeGap(Struct, frozen=True):
    """Unsolved against solved attempts."""

    setting: SettingName | None
    """Which setting; None for all, each cost then over its setting's mean."""
    level: str | None
    """The difficulty, where the comparison is within one."""
    solved: int
    unsolved: int
    cost_solved: Estimate
    """Mean cost of a solved attempt."""
    cost_unsolved: Estimate
    """Mean cost of an unsolved attempt."""
    ratio: Estimate
    """Unsolved over solved."""


def outcome_gaps(frames: Frames) -> list[OutcomeGap]:
    """All settings together, then each with a graded attempt; empty when nothing is graded."""
    graded = frames.trajectories.filter(pl.col("correct").is_not_null())
    if graded.is_empty():
        return []
    parts = frames.by_setting(graded)
    single = [gap(frames.settings[p], None, rows) for p, rows in parts.items()]
    if len(single) == 1:
        return single
    return [gap(None, None, relative(graded)), *single]


def gap(setting: SettingName | None, level: str | None, rows: pl.DataFrame) -> OutcomeGap:
    """The comparison within some rows."""
    solved, unsolved = rows.filter(pl.col("correct")), rows.filter(~pl.col("correct"))
    return OutcomeGap(
        setting=setting,
        level=level,
        solved=len(solved),
        unsolved=len(unsolved),
        cost_solved=mean_of(solved, "cost"),
        cost_unsolved=mean_of(unsolved, "cost"),
        ratio=ratio_of(solved, unsolved, "cost"),
    )


def relative(rows: pl.DataFrame) -> pl.DataFrame:
    """Costs over their setting's mean; tasks of different settings kept apart."""
    mean = pl.col("cost").mean().over("setting")
    return rows.with_columns(
        cost=pl.when(mean > 0).then(pl.col("cost") / mean),
        task=pl.concat_str(pl.col("setting"), pl.col("task"), separator="\0"),
    )
