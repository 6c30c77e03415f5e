"""Repeated attempts at the same tasks: how often all succeed, what a solved task costs, and how far
costs of one task lie apart.

Takes a report's context, returns `Reliability`; None where no task has two graded attempts.

    pass^k            = mean over tasks of C(c, k) / C(n, k): n attempts at the task, c solved
    cost per solved   = cost of all graded attempts / solved attempts, tasks resampled
    dispersion        = a task's most expensive attempt over its cheapest; the median over tasks

pass^k is tau-bench's (Yao et al. 2024, section 5.2). Worked: 4 attempts, 3 solved: pass^1 = 3/4,
pass^2 = C(3,2)/C(4,2) = 1/2, pass^3 = 1/4, pass^4 = 0.
"""

from math import comb
from statistics import median

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import TaskSums, clustered_mean
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.readings import missing, within_ratio
from agentdyno.studies.report_context import ReportContext

POWERS = (1, 2, 4, 8)
"""The k that are listed, as far as there are attempts."""


class RepeatedSetting(Struct, frozen=True, kw_only=True):
    """One setting over tasks with several graded attempts."""

    setting: SettingName
    tasks: int
    """Tasks with at least two graded attempts."""
    attempts: int
    pass_all: dict[int, Estimate]
    """k -> pass^k, over the tasks with at least k attempts."""
    cost_per_solved: Estimate
    """What a solved attempt costs, failed ones included."""
    dispersion: float | None
    """The most expensive attempt at a task over the cheapest; the median over tasks."""
    widest: float | None
    """The same for the task where it is largest."""


class Reliability(Struct, frozen=True):
    """Repeated attempts of a ledger."""

    settings: list[RepeatedSetting]
    """Those with repeated attempts, in the order of the ledger."""
    unit: CostUnit = "pte"


def study_reliability(context: ReportContext) -> Reliability | None:
    """None where no task has two graded attempts of one setting."""
    frames = context.frames
    graded = frames.trajectories.filter(
        pl.col("correct").is_not_null() & pl.col("task_id").is_not_null()
    )
    repeated = graded.filter(pl.len().over("setting", "task") > 1)
    parts = frames.by_setting(repeated)
    found = [_describe(frames.settings[place], rows) for place, rows in parts.items()]
    return Reliability(found, context.unit) if found else None


def pass_power(attempts: int, solved: int, k: int) -> float:
    """The share of draws of k attempts that are all solved."""
    return comb(solved, k) / comb(attempts, k)


def _describe(setting: SettingName, rows: pl.DataFrame) -> RepeatedSetting:
    tasks = rows.group_by("task").agg(n=pl.len(), solved=pl.col("correct").sum()).sort("task")
    ratios = _ratios(rows)
    most = int(tasks["n"].max())  # type: ignore[arg-type]
    return RepeatedSetting(
        setting=setting,
        tasks=len(tasks),
        attempts=len(rows),
        pass_all={k: _estimate(tasks, k) for k in POWERS if k <= most},
        cost_per_solved=_cost_per_solved(rows),
        dispersion=median(ratios) if ratios else None,
        widest=max(ratios, default=None),
    )


def _estimate(tasks: pl.DataFrame, k: int) -> Estimate:
    enough = tasks.filter(pl.col("n") >= k)
    shares = [pass_power(n, solved, k) for _, n, solved in enough.iter_rows()]
    trials = TaskSums(enough["task"].to_list(), np.array(shares), np.ones(len(shares)))
    found = clustered_mean(trials)
    if found.low is None or found.high is None:
        return found
    return Estimate(found.value, max(found.low, 0.0), min(found.high, 1.0), found.n)


def _cost_per_solved(rows: pl.DataFrame) -> Estimate:
    if rows["cost"].null_count():
        return missing("some attempts have no known cost")
    if not rows["correct"].any():
        return missing("none was solved")
    return within_ratio(rows.with_columns(pl.col("correct").cast(pl.Float64)), "correct", "cost")


def _ratios(rows: pl.DataFrame) -> list[float]:
    """Per task: its most expensive attempt over its cheapest, where both are known."""
    ends = rows.group_by("task").agg(low=pl.col("cost").min(), high=pl.col("cost").max())
    return [high / low for _, low, high in ends.iter_rows() if low and high is not None]
