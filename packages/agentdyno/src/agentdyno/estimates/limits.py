"""Is a limit broken? An estimate with its interval and a limit in, a verdict in three values out.

A limit is `broken` only when the whole interval lies beyond it, `kept` when the whole interval
lies within, and `inconclusive` otherwise: a gate that fails on noise is switched off within a week.
The interval is two-sided, so with 95 % and no real difference a limit at zero is called broken in
about 2.5 % of comparisons.

More tasks narrow an interval with the square root of their number, and move the estimate. With an
error s and a distance d from the limit after n tasks, the estimate after N lies normally around the
present one with an error of `s sqrt(1 - n/N)`, wherever the true value lies, and the interval then
reaches `z s sqrt(n/N)`, z being its own quantile (1.96 at 95 %). The number stated is the smallest
that leaves the limit outside of that interval with a chance of 85 %, on either side: the assurance
of O'Hagan, Stevens and Campbell (Assurance in clinical trial design, 2005) without a prior, and 5
points for what few skewed tasks do not show of s. With normal estimates it decides 78 % where the
true value lies 0.4 s from the limit and 90 % at 0.6 s; a power of 80 % at the estimate itself
decides 51 and 65 %. Worked: 60 tasks, +4 % [-2, +10] against +5 %: s = 3.06, d = 0.327 s. With
5,787 more the interval reaches 0.199 s, and the limit lies outside with a chance of 0.551 + 0.299.

A standard error nearer to the limit or further from it, with a power of 80 % there, gives the
range, whose upper end is open when the limit itself lies within a standard error.
"""

import math
from typing import Literal

import msgspec

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.quantiles import normal_quantile, normal_share

POWER = 0.8
"""Chance of a decision that a number of further tasks is stated for."""
POWER_QUANTILE = normal_quantile(POWER)
ASSURANCE = 0.85
"""The same averaged over where the true value may lie, with a margin."""

Worse = Literal["above", "below"]
State = Literal["kept", "broken", "inconclusive"]


class LimitVerdict(msgspec.Struct, frozen=True):
    state: State
    """Kept, broken, or inconclusive at the confidence of the interval."""

    more_tasks_needed: int | None
    """How many more units would decide it with a chance of 80 %, wherever the true value lies. None
    when decided or without an interval."""

    more_tasks_low: int | None = None
    """How many would do if the true value lay a standard error further from the limit."""

    more_tasks_high: int | None = None
    """The same if it lies a standard error nearer; None when no number of units would then do."""


def judge_limit(estimate: Estimate, limit: float, worse: Worse) -> LimitVerdict:
    """Compare an estimate with a limit; `worse` says on which side of it trouble lies."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return LimitVerdict("inconclusive", None)
    beyond = estimate.low > limit if worse == "above" else estimate.high < limit
    within = estimate.high <= limit if worse == "above" else estimate.low >= limit
    if beyond or within:
        return LimitVerdict("broken" if beyond else "kept", None)
    reach = (
        estimate.value - estimate.low if estimate.value > limit else estimate.high - estimate.value
    )
    quantile = normal_quantile(0.5 + estimate.confidence / 2)
    distance, error = abs(estimate.value - limit), reach / quantile

    def needed(gap: float) -> int | None:
        return _more_needed(reach * (quantile + POWER_QUANTILE) / quantile, gap, estimate.n)

    return LimitVerdict(
        "inconclusive",
        _more_assured(distance / error, quantile, estimate.n) if error > 0 else None,
        needed(distance + error),
        needed(distance - error),
    )


def _more_assured(distance: float, quantile: float, n: int) -> int | None:
    """Further units for a decision with the assurance; the distance in standard errors."""
    if not math.isfinite(distance):
        return None
    few, many = 0.0, 1.0
    while _chance(distance, quantile, 1 / (1 + many)) < ASSURANCE:
        few, many = many, 2 * many
    for _ in range(40):
        middle = (few + many) / 2
        is_enough = _chance(distance, quantile, 1 / (1 + middle)) >= ASSURANCE
        few, many = (few, middle) if is_enough else (middle, many)
    return max(1, math.ceil(n * many))


def _chance(distance: float, quantile: float, share: float) -> float:
    """That an interval leaves the limit out when today's units are this share of all."""
    reach, error = quantile * math.sqrt(share), math.sqrt(1 - share)
    return normal_share((distance - reach) / error) + normal_share((-distance - reach) / error)


def _more_needed(reach: float, distance: float, n: int) -> int | None:
    if distance <= 0:
        return None
    needed = n * (reach / distance) ** 2 - n
    return max(1, math.ceil(needed)) if math.isfinite(needed) else None
