"""Intervals of a mean cost over few tasks: a bootstrap-t in, one that reaches far enough out.

With ten tasks the costliest kind is often not among them, and no resampling of those that are
there can know it: a bootstrap-t covers 91 % of log-normal costs with sigma 1, 85 % with 1.5. Where
the tasks' means are all positive and skewed to the right, and tasks are fewer than `ENOUGH`,

- both ends move out, the upper by `5 (1/n - 1/200)` of its distance, the lower by a third of that,
- the upper end reaches at least as far as Cox's for log-normal data,
  `exp(m + s²/2 + t sqrt(s²/n + s⁴ / (2 (n - 1))))` with m and s² of the logs, unless the logs are
  skewed to the left (they are not normal then), and never more than four times as far as before.

Shares solved and differences hold zeros or signs and stay as they were, as does everything over 200
tasks. Coverage by simulation: `bench/coverage.py`, in `docs/findings.md`. Source of the upper end:
Land's problem in Cox's form, Zhou and Gao, Confidence intervals for the log-normal mean (1997).
"""

import math

import numpy as np
import numpy.typing as npt
from msgspec import structs

from agentdyno.estimates.quantiles import student_quantile
from agentdyno.estimates.studentised import Reach

Vector = npt.NDArray[np.float64]

ENOUGH = 200
"""Tasks from which on nothing is added."""
FEWEST = 5
"""Tasks from which a skew can be spoken of."""
LEAST_SKEW = 0.3
LOGS_AT_LEAST = -0.8
"""Skewness of the logs under which they are not taken for normal."""
OUTWARDS = 5.0
FARTHEST = 4.0


def widened(found: Reach, task_means: Vector, mean: float, confidence: float) -> Reach:
    """The reach that few skewed tasks need; the same where they are many or not skewed."""
    n = len(task_means)
    if not FEWEST <= n < ENOUGH or task_means.min() <= 0 or _skewness(task_means) < LEAST_SKEW:
        return found
    out = OUTWARDS * (1 / n - 1 / ENOUGH)
    above = max(found.above * (1 + out), min(_cox_above(task_means, mean, confidence),
                                             FARTHEST * found.above))  # fmt: skip
    method = f"{found.method}, widened for few skewed tasks"
    return structs.replace(found, below=found.below * (1 + out / 3), above=above, method=method)


def _cox_above(task_means: Vector, mean: float, confidence: float) -> float:
    """How far above the mean Cox's upper end lies; 0 where logs are no normal data."""
    n, logs = len(task_means), np.log(task_means)
    if _skewness(logs) < LOGS_AT_LEAST:
        return 0.0
    variance = float(logs.var(ddof=1))
    t = student_quantile((1 + confidence) / 2, n - 1)
    half = t * math.sqrt(variance / n + variance**2 / (2 * (n - 1)))
    # Of the mean of tasks; tasks with more trials weigh more in the mean that is asked for.
    exponent = min(float(logs.mean()) + variance / 2 + half, 700.0)
    return math.exp(exponent) * mean / float(task_means.mean()) - mean


def _skewness(column: Vector) -> float:
    centred = column - column.mean()
    variance = float((centred * centred).mean())
    return float((centred**3).mean()) / variance**1.5 if variance > 0 else 0.0
