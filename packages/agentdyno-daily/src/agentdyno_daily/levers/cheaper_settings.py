"""Another variant of the same model and benchmark that is as accurate and certainly cheaper.

PTE counts prefilled tokens of one model, so models are not exchanged for each other here; what is
saved is counted in the unit of the ledger.
"""

from collections.abc import Iterator

import polars as pl

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.paired import average_shared_tasks, paired_ratio
from agentdyno.estimates.unpaired import unpaired_ratio
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.results import Standing
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.readings import by_task
from agentdyno.studies.report_context import ReportContext

FEWEST_SHARED_TASKS = 5


def cheaper_setting(context: ReportContext) -> Iterator[Lever]:
    """The change of variant that would save the most, among those that surely save."""
    if not context.frames.trajectories["correct"].count():
        return  # Sessions are no attempts at tasks; to rank them takes thousands of resamples.
    rows = context.ranked
    moves = [
        _move(context, row, rival, ratio)
        for row in rows
        for rival in rows
        if _could_replace(rival, row)
        and (ratio := _cost_ratio(context.frames, row.setting, rival.setting)).high is not None
        and ratio.high < 1
    ]
    if moves:
        yield max(moves, key=lambda lever: lever.share)


def _could_replace(rival: Standing, row: Standing) -> bool:
    one, other = rival.setting, row.setting
    if one == other or one.benchmark is None:
        return False
    same = (one.model, one.benchmark) == (other.model, other.benchmark)
    known = rival.accuracy.value is not None and row.accuracy.value is not None
    return same and known and (rival.accuracy.value or 0.0) >= (row.accuracy.value or 0.0)


def _move(context: ReportContext, row: Standing, rival: Standing, ratio: Estimate) -> Lever:
    spent = float(_rows(context.frames, row.setting)["cost"].sum())
    amount = spent * (1 - (ratio.value or 0.0))
    n = min(row.graded, rival.graded)
    return Lever(
        name="setting",
        what=f"use {rival.setting.variant or 'no variant'} instead of "
        f"{row.setting.variant or 'no variant'}",
        where=[name for name in (row.setting.model, row.setting.benchmark) if name],
        amount=amount,
        share=amount / (context.summary.cost or 1.0),
        unit=context.unit,
        certainty="proved",
        assumption=f"tasks are like these {n} graded attempts, where accuracy could still differ",
    )


def _rows(frames: Frames, setting: SettingName) -> pl.DataFrame:
    rows = frames.trajectories.select("setting", "task", "cost")
    return rows.filter(pl.col("setting") == frames.settings.index(setting))


def _cost_ratio(frames: Frames, here: SettingName, there: SettingName) -> Estimate:
    """Paired where the two attempted the same tasks."""
    a, b = (by_task(_rows(frames, s), "cost") for s in (here, there))
    shared = len(average_shared_tasks(a, b)[0])
    compare = paired_ratio if shared >= FEWEST_SHARED_TASKS else unpaired_ratio
    return compare(a, b)


FINDERS = (LeverFinder("setting", cheaper_setting),)
