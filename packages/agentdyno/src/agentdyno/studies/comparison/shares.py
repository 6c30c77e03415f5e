"""Difference of two shares of solved tasks, honest also when hardly any task changed.

Paired: the adjusted Wald interval of Bonett and Price (2012), which adds one task that got better
and one that got worse: with few changes the plain one is too narrow, and with none it has no width
at all. Where a task has k attempts a change can be as small as 1/k, so the two added tasks change
by that. Student's t over tasks. Not paired: Newcombe's interval, or resampled tasks where tasks
have several attempts.

Worked: 20 tasks, 4 solved by the first alone: -20 points; centre -4/22, error
sqrt((6/22 - 0.0331) / 22) = 0.104, interval [-39.9, +3.5]; the plain one would be [-39.7, -0.3].
"""

import math

import numpy as np

from agentdyno.estimates.estimate import Estimate, undefined_estimate
from agentdyno.estimates.means import ByTask
from agentdyno.estimates.paired import average_shared_tasks
from agentdyno.estimates.proportions import proportion_difference
from agentdyno.estimates.quantiles import student_p, student_quantile
from agentdyno.estimates.unpaired import unpaired_difference

PAIRED = "difference of shares paired by task, Bonett-Price interval with Student's t"


def paired_share_difference(first: ByTask, second: ByTask, confidence: float) -> Estimate:
    """Share of second minus share of first over shared tasks."""
    a, b = average_shared_tasks(first, second)
    n = len(a)
    if n == 0:
        reason = "no task is graded on both sides"
        return undefined_estimate(reason, n=0, method=PAIRED, confidence=confidence)
    step = 1 / _attempts(first, second)
    change = np.concatenate([b - a, [step, -step]])
    centre = float(change.mean())
    error = math.sqrt(float(change.var()) / len(change))
    reach = student_quantile((1 + confidence) / 2, n + 1) * error
    return Estimate(
        value=float((b - a).mean()),
        low=max(-1.0, centre - reach),
        high=min(1.0, centre + reach),
        confidence=confidence,
        n=n,
        p=student_p(centre / error, n + 1),
        method=PAIRED,
    )


def unpaired_share_difference(first: ByTask, second: ByTask, confidence: float) -> Estimate:
    """Share of second minus share of first, tasks not paired."""
    single = all(len(trials) == 1 for side in (first, second) for trials in side.values())
    if first and second and not single:
        clustered = unpaired_difference(first, second, confidence)
        if clustered.low is not None:
            return clustered
    # Without spread the tasks still bound the shares: each counts once.
    return proportion_difference(*_describe_solved(first), *_describe_solved(second), confidence)


def _attempts(first: ByTask, second: ByTask) -> float:
    """Attempts of a shared task on the side with fewer."""
    return float(np.mean([min(len(first[t]), len(second[t])) for t in first if second.get(t)]))


def _describe_solved(side: ByTask) -> tuple[int, int]:
    return round(sum(float(np.mean(trials)) for trials in side.values())), len(side)
