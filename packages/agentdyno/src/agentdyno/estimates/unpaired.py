"""Two sides on different tasks: trials of each by task in, difference and ratio of means out.

Each side is a mean clustered by task, resampled on its own; errors add in squares. Wider than
`paired` for the same tasks, because what makes a task hard does not cancel. n counts the tasks of
both sides.

Worked: means 3 (errors of tasks 1, 3, 5: sqrt(4/3) = 1.155) and 8 (6, 8, 10: the same) -> 5 with
error sqrt(8/3) = 1.633.
"""

import math

import msgspec
import numpy as np
import numpy.typing as npt

from agentdyno.estimates.estimate import Estimate, check_confidence, exponential, undefined_estimate
from agentdyno.estimates.means import Trials, linear_error, resample_mean, task_sums
from agentdyno.estimates.resampling import RESAMPLES, SEED
from agentdyno.estimates.studentised import LARGE, reach

Vector = npt.NDArray[np.float64]

DIFFERENCE = "difference of means, tasks not paired"
RATIO = "ratio of means, tasks not paired"


class _Side(msgspec.Struct, frozen=True):
    """One side's mean and how it moves under resampling."""

    mean: float
    """Mean over all trials."""

    error: float
    """Standard error of the mean; 0 when the tasks do not differ."""

    means: Vector
    """Mean in each resample."""

    errors: Vector
    """Standard error in each resample."""

    n: int


def unpaired_difference(
    first: Trials,
    second: Trials,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Mean of second minus mean of first."""
    check_confidence(confidence)
    a, b = _side(first, resamples, seed), _side(second, resamples, seed + 1)
    if a is None or b is None:
        return undefined_estimate(
            "a side has no task", n=0, method=DIFFERENCE, confidence=confidence
        )
    centre = b.mean - a.mean
    errors = np.hypot(a.errors, b.errors)
    moved = (b.means - a.means) - centre
    return _answer(centre, moved, errors, a, b, DIFFERENCE, confidence)


def unpaired_ratio(
    first: Trials,
    second: Trials,
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Mean of second over mean of first; for amounts that cannot be negative."""
    check_confidence(confidence)
    a, b = _side(first, resamples, seed), _side(second, resamples, seed + 1)
    if a is None or b is None:
        return undefined_estimate("a side has no task", n=0, method=RATIO, confidence=confidence)
    if a.mean <= 0 or b.mean <= 0:
        reason = "a ratio of means needs means above zero"
        return undefined_estimate(reason, n=a.n + b.n, method=RATIO, confidence=confidence)
    a, b = _on_log_scale(a), _on_log_scale(b)
    errors = np.hypot(a.errors, b.errors)
    moved = (b.means - a.means) - (b.mean - a.mean)
    return _answer(b.mean - a.mean, moved, errors, a, b, RATIO, confidence)


def _side(trials: Trials, resamples: int, seed: int) -> _Side | None:
    sums, counts = task_sums(trials)
    n = len(sums)
    if n == 0:
        return None
    mean = float(sums.sum() / counts.sum())
    residual = sums - mean * counts
    error = linear_error(residual, float(counts.sum()), scale=abs(mean)) or 0.0
    if n >= LARGE:
        # What resampling many tasks would give is known: a normal, and always the same error.
        moved = error * np.random.default_rng(seed).standard_normal(resamples)
        return _Side(mean, error, mean + moved, np.full(resamples, error), n)
    moved, errors = resample_mean(residual, counts, resamples, seed)
    return _Side(mean, error, mean + moved, errors, n)


def _on_log_scale(side: _Side) -> _Side:
    means = np.where(side.means > 0, side.means, np.nan)
    return _Side(
        math.log(side.mean), side.error / side.mean, np.log(means), side.errors / means, side.n
    )


def _answer(
    centre: float,
    moved: Vector,
    errors: Vector,
    a: _Side,
    b: _Side,
    method: str,
    confidence: float,
) -> Estimate:
    n = a.n + b.n
    value = math.exp(centre) if method == RATIO else centre
    error = math.hypot(a.error, b.error)
    if error == 0 or min(a.n, b.n) < 2:
        reason = "an interval needs at least two tasks a side that differ from each other"
        return Estimate(value=value, n=n, method=method, confidence=confidence, reason=reason)
    usable = np.isfinite(moved) & np.isfinite(errors)
    interval = reach(
        error,
        moved[usable],
        errors[usable],
        freedom=_welch(a, b),
        confidence=confidence,
        distance=centre,
        symmetric=True,
    )
    low, high = centre - interval.below, centre + interval.above
    if method == RATIO:
        low, high = exponential(low), exponential(high)
    return Estimate(
        value=value,
        low=low,
        high=high,
        confidence=confidence,
        n=n,
        p=interval.p,
        method=f"{method}, {interval.method}",
    )


def _welch(a: _Side, b: _Side) -> float:
    """Welch-Satterthwaite degrees of freedom, tasks as units."""
    total = a.error**2 + b.error**2
    return total**2 / (a.error**4 / (a.n - 1) + b.error**4 / (b.n - 1))
