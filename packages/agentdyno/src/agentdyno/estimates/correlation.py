"""Pearson, Spearman and partial correlation: two columns in, r with interval and p out.

A pair with an unknown (None) on either side is left out, and `n` counts what is left. Intervals
are Fisher's z; for Spearman with the variance (1 + rho²/2) / (n - 3) of Bonett and Wright (2000),
for a partial correlation with one degree of freedom less per control.

Worked: Anscombe's first set -> r = 0.816; the four points x = 2, 4, 15, 20, y = 1, 2, 3, 4
given z = 0, 0, 1, 1 -> r = 0.970, partial 0.919.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agentdyno.estimates.estimate import Estimate, undefined_estimate
from agentdyno.estimates.quantiles import mean_ranks, normal_quantile, student_p

Column = Sequence[float | None]
Vector = npt.NDArray[np.float64]

PEARSON = "Pearson correlation, Fisher z interval"
SPEARMAN = "Spearman rank correlation, Bonett-Wright interval"
PARTIAL = "partial Pearson correlation, Fisher z interval"

SPREAD_FLOOR = 1e-12
"""Relative spread under which a column counts as constant: rounding noise has no correlation."""


def pearson(x: Column, y: Column) -> Estimate:
    """Linear correlation of two columns."""
    first, second = complete_rows(x, y)
    return _correlate(first, second, 0, PEARSON)


def spearman(x: Column, y: Column) -> Estimate:
    """Correlation of the ranks of two columns; ties share their mean rank."""
    first, second = complete_rows(x, y)
    if len(first) < 3:
        return _too_few(len(first), 3, SPEARMAN)
    ranks = mean_ranks(first), mean_ranks(second)
    return _correlate(*ranks, 0, SPEARMAN, ranked=True)


def partial(x: Column, y: Column, controls: Sequence[Column]) -> Estimate:
    """Linear correlation of what is left of two columns once the controls have explained theirs."""
    first, second, *controlling = complete_rows(x, y, *controls)
    if len(first) < 3 + len(controlling):
        return _too_few(len(first), 3 + len(controlling), PARTIAL)
    design = np.column_stack([np.ones(len(first)), *controlling])
    residuals = _residual(first, design), _residual(second, design)
    if any(
        _is_constant(part, column) for part, column in zip(residuals, (first, second), strict=True)
    ):
        reason = "the controls explain one of the two columns wholly"
        return undefined_estimate(reason, n=len(first), method=PARTIAL)
    return _correlate(*residuals, len(controlling), PARTIAL)


def p_of_correlation(r: float, n: int, controls: int = 0) -> float | None:
    """Two-sided p of a correlation known only by its r and n; None with nothing left over to test.

    Worked: r = 0.375 from 11 observations -> 0.256, from 100 -> 0.0001.
    """
    freedom = n - 2 - controls
    if freedom < 1:
        return None
    if abs(r) >= 1.0:
        return 0.0
    return student_p(r * math.sqrt(freedom / (1 - r * r)), freedom)


def complete_rows(*columns: Column) -> list[Vector]:
    """The columns as vectors, without the rows where any of them is unknown."""
    if len({len(column) for column in columns}) > 1:
        lengths = [len(column) for column in columns]
        raise ValueError(f"expected columns of one length, got {lengths}")
    # None becomes nan here, and a nan that was given must not pass for it.
    vectors = [np.asarray(column, dtype=np.float64) for column in columns]
    unknown = [np.isnan(vector) for vector in vectors]
    complete = ~np.logical_or.reduce(unknown)
    for row in np.flatnonzero(~complete).tolist():
        if all(column[row] is not None for column in columns):
            raise ValueError(_NOT_FINITE)
    complete_columns = [vector[complete] for vector in vectors]
    if any(np.isinf(vector).any() for vector in complete_columns):
        raise ValueError(_NOT_FINITE)
    return complete_columns


_NOT_FINITE = "expected finite numbers, or None for unknown; got nan or infinity"


def _correlate(
    x: Vector, y: Vector, controls: int, method: str, *, ranked: bool = False
) -> Estimate:
    n = len(x)
    if n < 3 + controls:
        return _too_few(n, 3 + controls, method)
    if _is_constant(x, x) or _is_constant(y, y):
        return undefined_estimate("a column is constant", n=n, method=method)
    dx, dy = x - x.mean(), y - y.mean()
    r = float(np.clip(dx @ dy / math.sqrt(float(dx @ dx) * float(dy @ dy)), -1.0, 1.0))
    low, high = _fisher_interval(r, n - controls, ranked=ranked)
    return Estimate(
        value=r,
        low=low,
        high=high,
        n=n,
        p=p_of_correlation(r, n, controls),
        method=method,
        reason=None if low is not None else "an interval needs at least 4 observations",
    )


def _fisher_interval(r: float, n: int, *, ranked: bool) -> tuple[float, float] | tuple[None, None]:
    if n < 4:
        return None, None
    if abs(r) == 1.0:
        return r, r
    variance = (1 + r * r / 2 if ranked else 1.0) / (n - 3)
    reach = normal_quantile(0.975) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)


def _residual(column: Vector, design: Vector) -> Vector:
    explained: Vector = design @ np.linalg.lstsq(design, column, rcond=None)[0]
    return column - explained


def _is_constant(column: Vector, scale: Vector) -> bool:
    """No spread beyond rounding, measured against the size of the column it came from."""
    return bool(np.ptp(column) <= SPREAD_FLOOR * max(float(np.abs(scale).max()), 1e-300))


def _too_few(n: int, needed: int, method: str) -> Estimate:
    reason = f"a correlation needs at least {needed} complete observations, got {n}"
    return undefined_estimate(reason, n=n, method=method)
