"""The typical task: trials of two sides by task in, geometric mean of the paired ratios out.

A ratio of means is what a bill changes by, and one expensive task can decide it. Here every task
counts alike: the mean over tasks of `log b - log a`, each the mean of its trials' logs, with
Student's t over tasks. Only a positive amount has a logarithm, so a task with a zero on either side
is left out; `n` counts the others. How often both decide, and how often they raise a false alarm:
`bench/gate_power.py`.

Worked: 1, 2, 4 against 2, 4, 16: ratios 2, 2, 4, geometric mean 16^(1/3) = 2.520; logs 0.693,
0.693, 1.386, error 0.231, t(2) = 4.303, interval [0.933, 6.81].
"""

import math
from collections.abc import Sequence

import numpy as np

from agentdyno.estimates.estimate import Estimate, check_confidence, exponential, undefined_estimate
from agentdyno.estimates.means import ByTask, linear_error
from agentdyno.estimates.quantiles import student_p, student_quantile

TYPICAL = "geometric mean of ratios paired by task, Student's t over tasks"


def typical_ratio(first: ByTask, second: ByTask, confidence: float = 0.95) -> Estimate:
    """Geometric mean of second over first, over shared tasks whose amounts are all positive."""
    check_confidence(confidence)
    logs = [
        _mean_log(second[task]) - _mean_log(first[task])
        for task in sorted(first)
        if _is_positive(first[task]) and _is_positive(second.get(task, ()))
    ]
    n = len(logs)
    if n == 0:
        reason = "no task has an amount above zero on both sides"
        return undefined_estimate(reason, n=0, method=TYPICAL, confidence=confidence)
    change = np.asarray(logs, dtype=np.float64)
    centre = float(change.mean())
    error = linear_error(change - centre, float(n), scale=1.0)
    if error is None:
        few = "an interval needs at least two tasks that both sides attempted"
        reason = few if n < 2 else "every task changed alike, so there is no spread for an interval"
        return Estimate(
            exponential(centre), n=n, method=TYPICAL, confidence=confidence, reason=reason
        )
    reach = error * student_quantile((1 + confidence) / 2, n - 1)
    return Estimate(
        value=exponential(centre),
        low=exponential(centre - reach),
        high=exponential(centre + reach),
        confidence=confidence,
        n=n,
        p=student_p(centre / error, n - 1),
        method=TYPICAL,
    )


def _is_positive(trials: Sequence[float]) -> bool:
    return len(trials) > 0 and min(trials) > 0


def _mean_log(trials: Sequence[float]) -> float:
    return sum(math.log(value) for value in trials) / len(trials)
