"""Is a limit broken? An estimate with its interval and a limit in, a verdict in three values out.

A limit is `broken` only when the whole interval lies beyond it, `kept` when the whole interval
lies within, and `inconclusive` otherwise: a gate that fails on noise is switched off within a week.
The interval is two-sided, so with 95 % and no real difference a limit at zero is called broken in
about 2.5 % of comparisons.

More tasks narrow an interval with the square root of their number, which says about how many an
inconclusive one still needs to be decided with a power of 80 %, if the true value is the estimate:
`n * (reach / distance * (z + 0.84) / z)² - n`, z being the interval's own quantile (1.96 at 95 %).
Worked: 60 tasks, +4 % [-2, +10] against +5 %: reach 6, distance 1 -> 60 * (6 * 1.4286)² - 60, about
4,349 more. The true value may lie elsewhere: a standard error nearer to the limit or further from
it gives the range, whose upper end is open when the limit itself lies within a standard error.
"""

import math
from typing import Literal

import msgspec

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.quantiles import normal_quantile

POWER = 0.8
"""Chance of a decision that a number of further tasks is stated for."""
POWER_QUANTILE = normal_quantile(POWER)

Worse = Literal["above", "below"]
State = Literal["kept", "broken", "inconclusive"]


class LimitVerdict(msgspec.Struct, frozen=True):
    """What the data say about a limit."""

    state: State
    """Kept, broken, or inconclusive at the confidence of the interval."""

    more_tasks_needed: int | None
    """Roughly how many more units would decide it with a power of 80 %, if the true value is the
    estimate. None when decided, or when no number would."""

    more_tasks_low: int | None = None
    """The same if the true value lies a standard error further from the limit."""

    more_tasks_high: int | None = None
    """The same if it lies a standard error nearer; None when no number of units would then do."""


def judge_limit(found: Estimate, limit: float, worse: Worse) -> LimitVerdict:
    """Compare an estimate with a limit; `worse` says on which side of it trouble lies."""
    if found.value is None or found.low is None or found.high is None:
        return LimitVerdict("inconclusive", None)
    beyond = found.low > limit if worse == "above" else found.high < limit
    within = found.high <= limit if worse == "above" else found.low >= limit
    if beyond or within:
        return LimitVerdict("broken" if beyond else "kept", None)
    reach = found.value - found.low if found.value > limit else found.high - found.value
    quantile = normal_quantile(0.5 + found.confidence / 2)
    distance, error = abs(found.value - limit), reach / quantile

    def needed(apart: float) -> int | None:
        return _more_needed(reach * (quantile + POWER_QUANTILE) / quantile, apart, found.n)

    return LimitVerdict(
        "inconclusive", needed(distance), needed(distance + error), needed(distance - error)
    )


def _more_needed(reach: float, distance: float, n: int) -> int | None:
    if distance <= 0:
        return None
    needed = n * (reach / distance) ** 2 - n
    return max(1, math.ceil(needed)) if math.isfinite(needed) else None
