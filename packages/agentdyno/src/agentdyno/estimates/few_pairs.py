"""Differences and ratios of costs over few skewed pairs: intervals that reach far enough.

With ten tasks the costliest kind is often not among them, and a bootstrap-t over those that are
there reaches too short: where costs of both sides are positive, one of them skewed to the right,
and tasks fewer than `ENOUGH`,

- the standard error counts `1 + 3 (1/n - 1/200)` times, for the interval and for p,
- a difference reaches at least as far as that of two log-normal means by its generalised pivot:
  covariances drawn from the inverse Wishart distribution of the logs' own, means around theirs,
  and the difference of `exp(mean + variance / 2)`. Each tail may miss `1 - confidence`. Not where
  logs are skewed to the left (they are not normal then), and never more than four times as far.

Shares solved hold zeros and stay as they were. Coverage by simulation: `bench/coverage.py`. Source
of the pivot: Krishnamoorthy and Mathew (2003), see `few_skewed`; for pairs, Bebu and Mathew,
Comparing the means and variances of a bivariate log-normal distribution (2008).
"""

import math
from functools import cache

import numpy as np
from msgspec import structs

from agentdyno.estimates.few_skewed import (
    DRAWS,
    ENOUGH,
    FARTHEST,
    FEWEST,
    LEAST_SKEW,
    LOGS_AT_LEAST,
    Vector,
    skewness,
)
from agentdyno.estimates.resampling import SEED
from agentdyno.estimates.studentised import Reach

OUTWARDS = 3.0
LARGEST_EXPONENT = 300.0


def error_factor(a: Vector, b: Vector) -> float:
    """How many times the standard error of a pair's effect counts; 1 for many or even tasks."""
    n = len(a)
    if not FEWEST <= n < ENOUGH or min(a.min(), b.min()) <= 0:
        return 1.0
    is_skewed = max(skewness(a), skewness(b)) >= LEAST_SKEW
    return 1 + OUTWARDS * (1 / n - 1 / ENOUGH) if is_skewed else 1.0


def widen_difference(narrow: Reach, a: Vector, b: Vector, confidence: float) -> Reach:
    """The reach of mean b - mean a, at least as far as that of two log-normal means."""
    logs = np.log([a, b])
    if min(map(skewness, logs)) < LOGS_AT_LEAST:
        return narrow
    drawn, mean = _draw_differences(logs), float((b - a).mean())
    low, high = np.quantile(drawn, [1 - confidence, confidence])
    below = max(narrow.below, min(mean - float(low), FARTHEST * narrow.below))
    above = max(narrow.above, min(float(high) - mean, FARTHEST * narrow.above))
    holds_zero = mean - below <= 0 <= mean + above
    beyond = float(min((drawn <= 0).mean(), (drawn >= 0).mean()))
    p = max(narrow.p, beyond) if holds_zero else narrow.p
    return structs.replace(narrow, below=below, above=above, p=p)


def _draw_differences(logs: Vector) -> Vector:
    """What difference of means the logs may have come from, `DRAWS` times."""
    n = logs.shape[1]
    (aa, ab), (_, bb) = np.cov(logs)
    across = ab / math.sqrt(aa) if aa > 0 else 0.0
    root = np.array([[math.sqrt(aa), 0.0], [across, math.sqrt(max(bb - across**2, 0.0))]])
    halves, normal = _pivots(n)
    scaled = root @ halves
    means = logs.mean(axis=1) - (scaled @ normal)[:, :, 0]
    exponents = np.minimum(means + (scaled**2).sum(axis=2) / 2, LARGEST_EXPONENT)
    first, second = np.exp(exponents).T
    difference: Vector = second - first
    return difference


@cache
def _pivots(n: int) -> tuple[Vector, Vector]:
    """Roots of (n - 1) inverse Wishart matrices of n - 1 degrees, by Bartlett's decomposition, and
    normal draws over sqrt(n)."""
    chance = np.random.default_rng([SEED, n, 2])
    lower = np.zeros((DRAWS, 2, 2))
    lower[:, 0, 0] = np.sqrt(chance.chisquare(n - 1, DRAWS))
    lower[:, 1, 1] = np.sqrt(chance.chisquare(n - 2, DRAWS))
    lower[:, 1, 0] = chance.standard_normal(DRAWS)
    inverse = np.linalg.inv(lower).transpose(0, 2, 1)
    halves: Vector = np.asarray(math.sqrt(n - 1) * inverse, dtype=np.float64)
    return halves, chance.standard_normal((DRAWS, 2, 1)) / math.sqrt(n)
