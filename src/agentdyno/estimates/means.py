"""Mean clustered by task: values and the task of each in, the mean with an honest interval out.

Trials of one task resemble each other, so tasks are resampled and not trials: three trials of 60
tasks are 60 units, not 180. The mean is over all trajectories (a task with more trials weighs
more), its error by linearisation: with S and N the sum and count of a task and r = S - mean * N,
`error² = C / (C - 1) * sum r² / (sum N)²`, C tasks. Interval: bootstrap-t, see `studentised`.

Worked: values 1, 3 | 5 | 7, 9 of tasks a, b, c -> mean 5; r = -6, 0, 6; error² = 1.5 * 72 / 25,
error = 2.078.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from agentdyno.estimates.resampling import RESAMPLES, SEED, resampled_sums
from agentdyno.estimates.studentised import reach
from agentdyno.estimates.values import Estimate, check_confidence, undefined

Vector = npt.NDArray[np.float64]
ByTask = Mapping[str, Sequence[float]]
"""The values of each task's trials, by task."""

METHOD = "mean clustered by task"
SPREAD_FLOOR = 1e-12
"""Relative spread under which tasks count as equal: rounding is not information."""

EQUAL = "every task has the same mean, so there is no spread to build an interval from"


def clustered_mean(
    trials: ByTask, confidence: float = 0.95, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Estimate:
    """Mean over all trials with an interval that resamples tasks; n counts tasks."""
    check_confidence(confidence)
    sums, counts = task_sums(trials)
    n = len(sums)
    if n == 0:
        return undefined("no observations", n=0, method=METHOD, confidence=confidence)
    mean = float(sums.sum() / counts.sum())
    residual = sums - mean * counts
    error = linear_error(residual, float(counts.sum()), scale=abs(mean))
    if error is None:
        reason = "one task gives no spread between tasks" if n == 1 else EQUAL
        return Estimate(value=mean, n=n, method=METHOD, confidence=confidence, reason=reason)
    moved, errors = resampled_mean(residual, counts, resamples, seed)
    # An error bar asks nothing about zero, so the distance from no effect is of no interest.
    found = reach(
        error, moved, errors, freedom=n - 1, confidence=confidence, distance=0.0, symmetric=False
    )
    return Estimate(
        value=mean,
        low=mean - found.below,
        high=mean + found.above,
        confidence=confidence,
        n=n,
        method=f"{METHOD}, {found.method}",
    )


def task_sums(trials: ByTask) -> tuple[Vector, Vector]:
    """Sum and count of each task's trials, tasks in sorted order; tasks without trials left out."""
    tasks = [task for task in sorted(trials) if len(trials[task])]
    sums = np.asarray([float(np.sum(trials[task])) for task in tasks], dtype=np.float64)
    if not np.isfinite(sums).all():
        raise ValueError("expected finite numbers; leave unknown values out")
    return sums, np.asarray([len(trials[task]) for task in tasks], dtype=np.float64)


def linear_error(residual: Vector, weight: float, *, scale: float) -> float | None:
    """Standard error from per-task residuals; None when they are rounding beside `scale`."""
    n = len(residual)
    if n < 2:
        return None
    error = float(np.sqrt(n / (n - 1) * (residual @ residual)) / weight)
    return error if error > SPREAD_FLOOR * scale else None


def resampled_mean(
    residual: Vector, counts: Vector, resamples: int, seed: int
) -> tuple[Vector, Vector]:
    """How far each resample of tasks moves the mean, and the standard error there."""
    columns = [residual, counts, residual * residual, residual * counts, counts * counts]
    r, c, rr, rc, cc = resampled_sums(np.column_stack(columns), resamples, seed).T
    moved = r / c
    n = len(residual)
    squares = np.maximum(rr - 2 * moved * rc + moved * moved * cc, 0.0)
    return moved, np.sqrt(n / max(n - 1, 1) * squares) / c
