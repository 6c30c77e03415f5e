"""Unsolved against solved: what failing costs, by setting.

ratio = mean PTE of unsolved attempts / mean PTE of solved ones, tasks resampled on either side
(PTE paper, section 7 and Figure 11). All settings together: each cost over its setting's mean, so
that a dear setting with many failures does not pass for dear failures.

Worked: solved 100 and 120, unsolved 220 -> 2.0.
"""

import polars as pl
from msgspec import structs

from agentdyno.estimates.multiplicity import holm
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import OutcomeGap
from agentdyno.studies.readings import mean_of, ratio_of


def outcome_gaps(frames: Frames) -> list[OutcomeGap]:
    """All settings together, then each with a graded attempt; empty when nothing is graded."""
    graded = frames.trajectories.filter(pl.col("correct").is_not_null())
    if graded.is_empty():
        return []
    parts = frames.by_setting(graded)
    single = corrected([gap(frames.settings[p], None, rows) for p, rows in parts.items()])
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
        pte_solved=mean_of(solved, "pte"),
        pte_unsolved=mean_of(unsolved, "pte"),
        ratio=ratio_of(solved, unsolved, "pte"),
        p_holm=None,
    )


def relative(rows: pl.DataFrame) -> pl.DataFrame:
    """Costs over their setting's mean; tasks of different settings kept apart."""
    mean = pl.col("pte").mean().over("setting")
    return rows.with_columns(
        pte=pl.when(mean > 0).then(pl.col("pte") / mean),
        task=pl.concat_str(pl.col("setting"), pl.col("task"), separator="\0"),
    )


def corrected(gaps: list[OutcomeGap]) -> list[OutcomeGap]:
    """With p values that may be read together."""
    p_values = holm([g.ratio.p for g in gaps])
    return [structs.replace(g, p_holm=p) for g, p in zip(gaps, p_values, strict=True)]
