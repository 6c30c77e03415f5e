"""Places on the leaderboard, and pass^k.

A setting's place is by its score, goals met less what harm takes off (completion in ledgers without
one): it stands behind those of its task set whose interval lies above
its own, and before those whose interval lies below, as in the leaderboard of tool failures.

Worked: score .8 (.7 to .9), .75 (.6 to .85) and .3 (.2 to .4) -> places 1–2, 1–2 and 3.
"""

from collections.abc import Sequence

import polars as pl

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.proportions import wilson
from agentdyno.studies.comparison.measures import pass_power
from agentdyno.studies.readings import by_task
from agentdyno_bench.tps.studies.settings import completion_of


def rank(score: Estimate, of_task_set: Sequence[Estimate]) -> tuple[int, int]:
    """Best and worst place that an interval allows among those of a task set, from 1."""
    low, high = _interval(score)
    others = [_interval(other) for other in of_task_set if other is not score]
    above = sum(other_low > high for other_low, _ in others)
    below = sum(other_high < low for _, other_high in others)
    return above + 1, len(of_task_set) - below


def _interval(estimate: Estimate) -> tuple[float, float]:
    """Where a share lies. Where all tasks are alike, resampling has no interval and Wilson's stands
    in; one without either may lie anywhere."""
    low, high = estimate.low, estimate.high
    if low is None and estimate.value in (0.0, 1.0) and estimate.n:
        stand_in = wilson(round(estimate.value * estimate.n), estimate.n)
        low, high = stand_in.low, stand_in.high
    return (0.0 if low is None else low, 1.0 if high is None else high)


def estimate_score(part: pl.DataFrame) -> Estimate:
    """Mean score; completion where an attempt has none, as in ledgers from before."""
    return completion_of(part, "completion" if part["score"].null_count() else "score")


def estimate_pass_power(part: pl.DataFrame) -> tuple[int, Estimate] | None:
    """`k`, attempts at the task that has the fewest, and the share of tasks of which k attempts are
    all solved; None where a task has one attempt."""
    solved = by_task(part, "correct")
    k = min(map(len, solved.values()), default=0)
    if k < 2:
        return None
    powers = {task: [pass_power(len(v), round(sum(v)), k)] for task, v in solved.items()}
    return k, clustered_mean(powers)
