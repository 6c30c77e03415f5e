"""Estimates over frames: rows in, `Estimate` out. Attempts at one task are one unit.

Shares of single attempts get Wilson's interval; with several attempts at a task the interval
clusters by task. Ratios of means are clustered by task on either side.
"""

import numpy as np
import polars as pl
from msgspec import structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import ByTask, TaskSums, clustered_mean, clustered_means
from agentdyno.estimates.paired import paired_ratio
from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.resampling import RESAMPLES
from agentdyno.estimates.unpaired import unpaired_ratio

DRAWS = 20_000_000
"""Draws a bootstrap may take: with many tasks fewer resamples say as much."""
FEWEST_RESAMPLES = 399


def missing(reason: str, n: int = 0) -> Estimate:
    """No number, and why."""
    return Estimate(None, None, None, n, reason=reason)


def by_task(rows: pl.DataFrame, column: str) -> ByTask:
    """The known values of a column by task."""
    measured = rows.filter(pl.col(column).is_not_null())
    grouped = measured.group_by("task", maintain_order=True).agg(pl.col(column).cast(pl.Float64))
    return dict(zip(grouped["task"].to_list(), grouped[column].to_list(), strict=True))


def sums_by_task(rows: pl.DataFrame, column: str) -> TaskSums:
    """Sums of the known values of a column by task."""
    measured = rows.lazy().filter(pl.col(column).is_not_null())
    values = pl.col(column).cast(pl.Float64)
    grouped = (
        measured.group_by("task").agg(sums=values.sum(), counts=pl.len()).sort("task").collect()
    )
    sums, counts = grouped["sums"].to_numpy(), grouped["counts"].cast(pl.Float64).to_numpy()
    return TaskSums(grouped["task"].to_list(), sums, counts)


def mean_of(rows: pl.DataFrame, column: str) -> Estimate:
    """Mean over all rows of an amount that cannot be negative, tasks resampled."""
    trials = sums_by_task(rows, column)
    return _not_negative(clustered_mean(trials, resamples=_resamples(len(trials.tasks))))


def means_along(rows: pl.DataFrame, path: str, column: str) -> dict[int, Estimate]:
    """The same at each place along something, such as the turns; one draw of tasks for all."""
    values = pl.col(column).cast(pl.Float64)
    measured = rows.lazy().filter(pl.col(column).is_not_null())
    cells = measured.group_by(path, "task").agg(sums=values.sum(), counts=pl.len()).collect()
    tasks = cells.select(pl.col("task").unique().sort()).with_row_index("row")
    names = tasks["task"].to_list()
    columns = {}
    for (at,), task_means in cells.join(tasks, on="task").partition_by(path, as_dict=True).items():
        sums, counts = np.zeros(len(names)), np.zeros(len(names))
        sums[task_means["row"].to_numpy()] = task_means["sums"].to_numpy()
        counts[task_means["row"].to_numpy()] = task_means["counts"].to_numpy()
        columns[at] = TaskSums(names, sums, counts)
    means = clustered_means(list(columns.values()), resamples=_resamples(len(names)))
    return dict(zip(columns, map(_not_negative, means), strict=True))


def _not_negative(estimate: Estimate) -> Estimate:
    return (
        estimate if estimate.low is None else structs.replace(estimate, low=max(0.0, estimate.low))
    )


def share_of(rows: pl.DataFrame, column: str) -> Estimate:
    """Share of rows where a truth holds, unknown ones left out."""
    trials = sums_by_task(rows, column)
    tasks, values = len(trials.tasks), int(trials.counts.sum())
    if not values:
        return missing("nothing to count")
    if values == tasks:
        return wilson(float(trials.sums.sum()), values)
    estimate = clustered_mean(trials, resamples=_resamples(tasks))
    if estimate.value is None or estimate.low is None or estimate.high is None:
        # Tasks that all agree leave no spread: count each task once instead.
        share = estimate.value or 0.0
        return wilson(share * tasks, tasks)
    return structs.replace(estimate, low=max(0.0, estimate.low), high=min(1.0, estimate.high))


def ratio_of(first: pl.DataFrame, second: pl.DataFrame, column: str) -> Estimate:
    """Mean of the second rows over mean of the first, tasks resampled on either side."""
    a, b = sums_by_task(first, column), sums_by_task(second, column)
    try:
        return unpaired_ratio(a, b, resamples=_resamples(len(a.tasks) + len(b.tasks)))
    except OverflowError:
        return _without_end(a, b)


def within_ratio(rows: pl.DataFrame, first: str, second: str) -> Estimate:
    """Mean of one column over mean of another, in the same rows, tasks resampled."""
    both = rows.filter(pl.col(first).is_not_null() & pl.col(second).is_not_null())
    a, b = sums_by_task(both, first), sums_by_task(both, second)
    try:
        return paired_ratio(a, b, resamples=_resamples(len(a.tasks)))
    except OverflowError:
        return _without_end(a, b)


def _without_end(first: TaskSums, second: TaskSums) -> Estimate:
    """A ratio of means whose interval reaches beyond any number, as with three tasks alike."""
    a, b = (float(side.sums.sum() / side.counts.sum()) for side in (first, second))
    return Estimate(b / a, None, None, len(first.tasks), reason="its interval has no end")


def _resamples(tasks: int) -> int:
    return max(FEWEST_RESAMPLES, min(RESAMPLES, DRAWS // max(tasks, 1)))
