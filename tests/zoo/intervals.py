"""Means, ratios and correlations with their intervals, worked out from one value for each task (in
the order of the tasks' names) by the procedures that `agentdyno.estimates` documents, over the same
draws, by none of its code.
"""

from collections.abc import Sequence
from math import atanh, exp, hypot, log, sqrt, tanh
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
from scipy import stats

Numbers = Sequence[float]
Triple = tuple[float | None, float | None, float | None]
"""A value and the ends of its interval."""
UNKNOWN: Triple = (None, None, None)
SEED, RESAMPLES, PIVOTS = 20_260_407, 1999, 4000
FEW = range(5, 200)
"""Tasks with which an interval reaches further where they are skewed."""
Vector = Any


def mean(values: Numbers) -> Triple:
    """Of amounts that are not negative: equal-tailed bootstrap-t."""
    if not values:
        return UNKNOWN
    tasks, middle, n = np.array(values, float), fmean(values), len(values)
    error = float(_error(tasks))
    if n < 2 or error <= 1e-12 * abs(middle):
        return middle, None, None
    drawn = _draw(tasks, SEED)
    t = _studentise(drawn.mean(axis=1) - middle, _error(drawn), error)
    if t is None:
        below = above = error * _student(n - 1)
    else:
        below = error * float(np.quantile(t, 0.975, method="higher"))
        above = -error * float(np.quantile(t, 0.025, method="lower"))
    if n in FEW and min(values) > 0 and _skew(tasks) >= 0.3:
        out = 5 * (1 / n - 1 / 200)
        furthest = min(_log_normal_end(tasks) - middle, 4 * above)
        below, above = below * (1 + out / 3), max(above * (1 + out), furthest)
    return middle, max(0.0, middle - below), middle + above


def share_of_tasks(values: Numbers) -> Triple:
    """A mean of shares, whose interval ends at 1."""
    middle, low, high = mean(values)
    return middle, low, None if high is None else min(1.0, high)


def _log_normal_end(tasks: Vector) -> float:
    """Upper end of a log-normal's mean by its generalised pivot."""
    n, logs = len(tasks), np.log(tasks)
    if _skew(logs) < -0.8:
        return float(tasks.mean())
    chance = np.random.default_rng([SEED, n])
    over = chance.chisquare(n - 1, PIVOTS) / (n - 1)
    normal, variance = chance.standard_normal(PIVOTS), logs.var(ddof=1)
    drawn = logs.mean() - normal * np.sqrt(variance / n / over) + variance / over / 2
    return exp(min(float(np.quantile(drawn, 0.95)), 700.0))


def ratio(above: Numbers, below: Numbers) -> Triple:
    """Of two means over different tasks: symmetric bootstrap-t of its logarithm."""
    if not above or not below or fmean(above) <= 0 or fmean(below) <= 0:
        return UNKNOWN
    sides = [np.array(values, float) for values in (below, above)]
    means, errors = [s.mean() for s in sides], [_error(s) / s.mean() for s in sides]
    error, centre = hypot(*errors), log(means[1] / means[0])
    if error <= 1e-12 or min(map(len, sides)) < 2:
        return exp(centre), None, None
    x, y = _with_means(*(_draw(side, SEED + place) for place, side in enumerate(sides)))
    moved = np.log(y.mean(axis=1) / x.mean(axis=1)) - centre
    spread = np.hypot(*(_error(each) / each.mean(axis=1) for each in (x, y)))
    freedom = error**4 / sum(e**4 / (len(s) - 1) for e, s in zip(errors, sides, strict=True))
    return _around(centre, error, moved, spread, freedom)


def paired_ratio(above: Numbers, below: Numbers) -> Triple:
    """Of two means over the same tasks: symmetric bootstrap-t of its logarithm."""
    if not above or not fmean(above) or not fmean(below):
        return UNKNOWN
    tasks = np.array([above, below], float)
    a, b = tasks / tasks.mean(axis=1, keepdims=True)
    centre, error, n = log(fmean(above) / fmean(below)), float(_error(a - b)), len(a)
    if n < 2 or error <= 1e-12:
        return exp(centre), None, None
    x, y = _with_means(_draw(a, SEED), _draw(b, SEED))
    moved = np.log(x.mean(axis=1) / y.mean(axis=1))
    relative = x / x.mean(axis=1, keepdims=True) - y / y.mean(axis=1, keepdims=True)
    error *= _widening(tasks)
    return _around(centre, error, moved, _error(relative), n - 1)


def paired_difference(above: Numbers, below: Numbers) -> Triple | tuple[float]:
    """Of two mean shares over the same tasks: symmetric bootstrap-t; the mean alone for few skewed
    tasks, of which none is 0."""
    change = np.array(above, float) - np.array(below, float)
    middle, error = float(change.mean()), float(_error(change))
    if _widening(np.array([above, below])) > 1:
        return (middle,)
    if len(change) < 2 or error <= 1e-12 * max(*above, *below):
        return middle, None, None
    drawn = _draw(change, SEED)
    moved = drawn.mean(axis=1) - middle
    reach = _reach(error, moved, _error(drawn), len(change) - 1)
    return middle, max(-1.0, middle - reach), min(1.0, middle + reach)


def _with_means(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Without resamples in which a side has nothing."""
    kept = (x.mean(axis=1) > 0) & (y.mean(axis=1) > 0)
    return x[kept], y[kept]


def _widening(tasks: Vector) -> float:
    n = tasks.shape[1]
    is_skewed = tasks.min() > 0 and max(_skew(side) for side in tasks) >= 0.3
    return 1 + 3 * (1 / n - 1 / 200) if n in FEW and is_skewed else 1.0


def _around(centre: float, error: float, moved: Vector, spread: Vector, freedom: float) -> Triple:
    reach = _reach(error, moved, spread, freedom)
    low, high = exp(min(centre - reach, 700.0)), exp(min(centre + reach, 700.0))
    return exp(centre), low, high


def _reach(error: float, moved: Vector, spread: Vector, freedom: float) -> float:
    t = _studentise(moved, spread, error)
    if t is None:
        return error * _student(freedom)
    return error * float(np.quantile(np.abs(t), 0.95, method="higher"))


def _draw(tasks: Vector, seed: int) -> Vector:
    """The tasks of every resample, a row each."""
    places = np.random.default_rng(seed).integers(0, len(tasks), size=(RESAMPLES, len(tasks)))
    return tasks[places]


def _error(tasks: Vector) -> Vector:
    """Standard error of a mean over tasks, or of each row's."""
    n = tasks.shape[-1]
    return tasks.std(axis=-1) / sqrt(n - 1) if n > 1 else np.zeros(tasks.shape[:-1])


def _studentise(moved: Vector, errors: Vector, error: float) -> Vector | None:
    """None where over 1 % of the resamples have no spread."""
    spread = errors > 1e-6 * error
    return moved[spread] / errors[spread] if spread.mean() >= 0.99 else None


def _skew(tasks: Vector) -> float:
    centred = tasks - tasks.mean()
    return float((centred**3).mean() / (centred**2).mean() ** 1.5) if centred.any() else 0.0


def _student(freedom: float) -> float:
    return float(stats.t.ppf(0.975, freedom))


def correlation(
    x: Numbers, y: Numbers, given: Sequence[Numbers] = (), is_ranked: bool = False
) -> Triple:
    """Pearson's, with Fisher's interval (of ranks Bonett and Wright's); of what is left of both
    columns once others have explained theirs."""
    design = np.column_stack([np.ones(len(x)), *given])
    sides = [np.array(side, float) for side in (x, y)]
    n = len(x) - len(given)
    if n < 3:
        return UNKNOWN
    left = [side - design @ np.linalg.lstsq(design, side, rcond=None)[0] for side in sides]
    if any(np.ptp(a) <= 1e-12 * abs(b).max() for a, b in zip(left, sides, strict=True)):
        return UNKNOWN
    r = float(np.corrcoef(*left)[0, 1])
    if n == 3 or abs(r) > 1 - 1e-12:
        return (r, None, None) if n == 3 else (r, r, r)
    variance = (1 + r * r / 2 if is_ranked else 1) / (n - 3)
    reach = NormalDist().inv_cdf(0.975) * sqrt(variance)
    return r, tanh(atanh(r) - reach), tanh(atanh(r) + reach)
