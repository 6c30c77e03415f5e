"""Estimates over frames: rows in, `Estimate` out. Attempts at one task are one unit.

Shares of single attempts get Wilson's interval; with several attempts at a task the interval
clusters by task. Ratios of means are clustered by task on either side.
"""

from statistics import fmean

import polars as pl
from msgspec import structs

from agentdyno.estimates.means import ByTask, clustered_mean
from agentdyno.estimates.paired import paired_ratio
from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.resampling import RESAMPLES
from agentdyno.estimates.unpaired import unpaired_ratio
from agentdyno.estimates.values import Estimate

DRAWS = 20_000_000
"""Draws a bootstrap may take: with many tasks fewer resamples say as much."""
FEWEST_RESAMPLES = 399


def missing(reason: str, n: int = 0) -> Estimate:
    """No number, and why."""
    return Estimate(None, None, None, n, reason=reason)


def by_task(rows: pl.DataFrame, column: str) -> ByTask:
    """The known values of a column by task."""
    known = rows.filter(pl.col(column).is_not_null())
    grouped = known.group_by("task", maintain_order=True).agg(pl.col(column).cast(pl.Float64))
    return dict(zip(grouped["task"].to_list(), grouped[column].to_list(), strict=True))


def mean_of(rows: pl.DataFrame, column: str) -> Estimate:
    """Mean over all rows of an amount that cannot be negative, tasks resampled."""
    trials = by_task(rows, column)
    found = clustered_mean(trials, resamples=_resamples(len(trials)))
    return found if found.low is None else structs.replace(found, low=max(0.0, found.low))


def share_of(rows: pl.DataFrame, column: str) -> Estimate:
    """Share of rows where a truth holds, unknown ones left out."""
    trials = by_task(rows, column)
    values = [value for task in trials.values() for value in task]
    if not values:
        return missing("nothing to count")
    if len(values) == len(trials):
        return wilson(sum(values), len(values))
    found = clustered_mean(trials, resamples=_resamples(len(trials)))
    if found.value is None or found.low is None or found.high is None:
        # Tasks that all agree leave no spread: count each task once instead.
        share = found.value or 0.0
        return wilson(share * len(trials), len(trials))
    return structs.replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def ratio_of(first: pl.DataFrame, second: pl.DataFrame, column: str) -> Estimate:
    """Mean of the second rows over mean of the first, tasks resampled on either side."""
    a, b = by_task(first, column), by_task(second, column)
    try:
        return unpaired_ratio(a, b, resamples=_resamples(len(a) + len(b)))
    except OverflowError:
        return _without_end(a, b)


def within_ratio(rows: pl.DataFrame, first: str, second: str) -> Estimate:
    """Mean of one column over mean of another, in the same rows, tasks resampled."""
    both = rows.filter(pl.col(first).is_not_null() & pl.col(second).is_not_null())
    a, b = by_task(both, first), by_task(both, second)
    try:
        return paired_ratio(a, b, resamples=_resamples(len(a)))
    except OverflowError:
        return _without_end(a, b)


def _without_end(first: ByTask, second: ByTask) -> Estimate:
    """A ratio of means whose interval reaches beyond any number, as with three tasks alike."""
    a, b = (fmean(v for task in side.values() for v in task) for side in (first, second))
    return Estimate(b / a, None, None, len(first), reason="its interval has no end")


def _resamples(tasks: int) -> int:
    return max(FEWEST_RESAMPLES, min(RESAMPLES, DRAWS // max(tasks, 1)))
