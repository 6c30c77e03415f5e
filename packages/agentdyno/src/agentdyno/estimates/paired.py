"""Two sides on the same tasks: trials of each by task in, difference and ratio of means out.

Tasks that both sides attempted are paired, each by the mean of its trials, so a hard task is hard
on both sides and cancels; tasks of only one side are left out and `n` counts the pairs. Intervals
and p by symmetric bootstrap-t over tasks (see `studentised`): the difference on its own scale,
the ratio on the log scale, with the error of log(mean b / mean a) by linearisation, the spread of
`b_i / mean b - a_i / mean a`. Wider where tasks are few and skewed, see `few_pairs`.

Worked: Student's sleep data (Biometrika 1908), ten patients, second drug minus first: mean 1.58,
t = 4.06.
"""

import math

import numpy as np
import numpy.typing as npt
from msgspec import structs

from agentdyno.estimates.estimate import Estimate, check_confidence, exponential, undefined_estimate
from agentdyno.estimates.few_pairs import error_factor, widen_difference
from agentdyno.estimates.means import TaskSums, Trials, linear_error
from agentdyno.estimates.resampling import RESAMPLES, SEED, resample_sums
from agentdyno.estimates.studentised import Reach, large_reach, reach

Vector = npt.NDArray[np.float64]

DIFFERENCE = "difference of means paired by task"
RATIO = "ratio of means paired by task"
FEW = "an interval needs at least two tasks that both sides attempted"


def paired_difference(
    first: Trials,
    second: Trials,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Mean of second minus first over shared tasks."""
    check_confidence(confidence)
    a, b = average_shared_tasks(first, second)
    if len(a) == 0:
        return _refuse_unshared(DIFFERENCE, confidence)
    change = b - a
    mean = float(change.mean())
    residual = change - mean
    scale = float(max(np.abs(a).max(), np.abs(b).max()))
    error = linear_error(residual, float(len(residual)), scale=scale)
    if error is None:
        return _no_spread(mean, len(a), DIFFERENCE, confidence)
    interval = large_reach(error, residual, confidence=confidence, distance=mean, symmetric=True)
    if interval is None:
        sums = resample_sums(np.column_stack([residual, residual * residual]), resamples, seed)
        moved = sums[:, 0] / len(a)
        errors = _error_of_mean(sums[:, 1] / len(a) - moved * moved, len(a))
        factor = error_factor(a, b)
        interval = _reach_of(mean, error, moved, errors, len(a), confidence, factor)
        interval = widen_difference(interval, a, b, confidence) if factor > 1 else interval
    return _answer(mean, interval, len(a), DIFFERENCE, confidence, log_scale=False)


def paired_ratio(
    first: Trials,
    second: Trials,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Mean of second over mean of first, over shared tasks; for amounts that cannot be negative."""
    check_confidence(confidence)
    a, b = average_shared_tasks(first, second)
    if len(a) == 0:
        return _refuse_unshared(RATIO, confidence)
    if min(a.min(), b.min()) < 0 or a.mean() == 0 or b.mean() == 0:
        reason = "a ratio of means needs amounts that are not negative and not all zero"
        return undefined_estimate(reason, n=len(a), method=RATIO, confidence=confidence)
    log_ratio = math.log(float(b.mean() / a.mean()))
    a, b = a / a.mean(), b / b.mean()
    error = linear_error(b - a, float(len(a)), scale=1.0)
    if error is None:
        return _no_spread(math.exp(log_ratio), len(a), RATIO, confidence)
    interval = large_reach(error, b - a, confidence=confidence, distance=log_ratio, symmetric=True)
    if interval is None:
        moved, errors = _resample_log_ratio(a, b, resamples, seed)
        factor = error_factor(a, b)
        interval = _reach_of(log_ratio, error, moved, errors, len(a), confidence, factor)
    return _answer(log_ratio, interval, len(a), RATIO, confidence, log_scale=True)


def average_shared_tasks(first: Trials, second: Trials) -> tuple[Vector, Vector]:
    """Mean of each shared task's trials on both sides, tasks in sorted order."""
    if isinstance(first, TaskSums) and isinstance(second, TaskSums):
        return _sum_shared(first.present(), second.present())
    if isinstance(first, TaskSums) or isinstance(second, TaskSums):
        raise TypeError("expected both sides as sums by task, or neither")
    shared = [task for task in sorted(first) if len(first[task]) and len(second.get(task, ()))]
    means = [(float(np.mean(first[task])), float(np.mean(second[task]))) for task in shared]
    table = np.asarray(means, dtype=np.float64).reshape(len(shared), 2)
    if not np.isfinite(table).all():
        raise ValueError("expected finite numbers; leave unknown values out")
    return table[:, 0], table[:, 1]


def _sum_shared(first: TaskSums, second: TaskSums) -> tuple[Vector, Vector]:
    a, b = first.sums / first.counts, second.sums / second.counts
    if first.tasks != second.tasks:
        names = np.asarray(first.tasks, dtype=object), np.asarray(second.tasks, dtype=object)
        _, in_first, in_second = np.intersect1d(*names, assume_unique=True, return_indices=True)
        a, b = a[in_first], b[in_second]
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("expected finite numbers; leave unknown values out")
    return a, b


def _resample_log_ratio(a: Vector, b: Vector, resamples: int, seed: int) -> tuple[Vector, Vector]:
    """Moves of the log ratio, and its error in each resample; resamples with a zero mean go."""
    columns = np.column_stack([a, b, a * a, b * b, a * b])
    sums = resample_sums(columns, resamples, seed) / len(a)
    sums = sums[(sums[:, 0] > 0) & (sums[:, 1] > 0)]
    x, y, xx, yy, xy = sums.T
    variance = yy / y**2 - 2 * xy / (x * y) + xx / x**2
    return np.log(y / x), _error_of_mean(variance, len(a))


def _error_of_mean(variance: Vector, n: int) -> Vector:
    error: Vector = np.sqrt(np.maximum(variance, 0.0) / (n - 1))
    return error


def _reach_of(
    centre: float,
    error: float,
    moved: Vector,
    errors: Vector,
    n: int,
    confidence: float,
    factor: float,
) -> Reach:
    interval = reach(
        factor * error,
        moved,
        errors,
        freedom=n - 1,
        confidence=confidence,
        distance=centre,
        symmetric=True,
    )
    if factor == 1:
        return interval
    return structs.replace(interval, method=f"{interval.method}, widened for few skewed tasks")


def _answer(
    centre: float, interval: Reach, n: int, method: str, confidence: float, *, log_scale: bool
) -> Estimate:
    ends = centre, centre - interval.below, centre + interval.above
    estimate, low, high = (exponential(end) for end in ends) if log_scale else ends
    return Estimate(
        value=estimate,
        low=low,
        high=high,
        confidence=confidence,
        n=n,
        p=interval.p,
        method=f"{method}, {interval.method}",
    )


def _refuse_unshared(method: str, confidence: float) -> Estimate:
    return undefined_estimate(
        "the two sides share no task", n=0, method=method, confidence=confidence
    )


def _no_spread(value: float, n: int, method: str, confidence: float) -> Estimate:
    reason = FEW if n < 2 else "every task changed alike, so there is no spread for an interval"
    return Estimate(value=value, n=n, method=method, confidence=confidence, reason=reason)
