"""Shares of a whole: counts of successes in, intervals and a comparison of two out.

Wilson's score interval holds its level near 0 and 1, where the textbook one collapses. Two
independent shares are compared by the pooled z test, their difference by Newcombe's interval
(built from two Wilson intervals). Trials that repeat a task are not independent: use
`means.clustered_mean` for those.

Worked: 644 of 746 at 95 % -> 86.33 % [83.67, 88.61]; 22 of 247 against 245 of 250
-> z = -19.9 (ToolFailBench, Table 6 and section 5.3). 36 of 45 decided and 26 undecided -> 80 % of
the decided, and 36 to 62 of 71 -> [39.34, 93.19], which holds 50.7 %, the share if all 26 failed.
"""

from math import hypot, sqrt

from agentdyno.estimates.estimate import (
    Estimate,
    HypothesisTest,
    check_confidence,
    undefined_estimate,
)
from agentdyno.estimates.quantiles import normal_p, normal_quantile

WILSON = "Wilson score interval"
POOLED_Z = "two-proportion z test, pooled variance"
NEWCOMBE = "difference of two proportions, Newcombe interval, p by pooled z"


def wilson(successes: float, n: int, confidence: float = 0.95) -> Estimate:
    """Share of successes with Wilson's interval.

    `successes` may be fractional, because papers print shares and not counts.
    """
    check_confidence(confidence)
    _check_counts(successes, n)
    if n == 0:
        return undefined_estimate("no observations", n=0, method=WILSON, confidence=confidence)
    # Closed form: importing statsmodels costs more than the whole measurement of a small ledger.
    z = normal_quantile(0.5 + confidence / 2)
    share, shrink = successes / n, 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    reach = z / shrink * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Estimate(
        value=share,
        low=max(0.0, centre - reach),
        high=min(1.0, centre + reach),
        confidence=confidence,
        n=n,
        method=WILSON,
    )


def wilson_with_undecided(successes: int, decided: int, undecided: int) -> Estimate:
    """Share of successes among the decided, with an interval that holds whatever the others are:
    from Wilson's low end with all of them against it to his high end with all of them for it."""
    every = decided + undecided
    against = wilson(successes, every)
    if not undecided:
        return against
    return Estimate(
        value=successes / decided if decided else None,
        low=against.low,
        high=wilson(successes + undecided, every).high,
        n=decided,
        reason=None if decided else "nothing was decided",
        method=f"{WILSON}, {undecided:,} undecided counted against and for",
    )


def two_proportion_z(
    first_successes: float, first_n: int, second_successes: float, second_n: int
) -> HypothesisTest:
    """Do two independent groups share one success rate? z is negative when the first is lower."""
    _check_counts(first_successes, first_n)
    _check_counts(second_successes, second_n)
    n = first_n + second_n
    reason = _why_no_z(first_successes, first_n, second_successes, second_n)
    if reason:
        return HypothesisTest(statistic=None, p=None, n=n, method=POOLED_Z, reason=reason)
    pooled = (first_successes + second_successes) / n
    error = sqrt(pooled * (1 - pooled) * (1 / first_n + 1 / second_n))
    z = (first_successes / first_n - second_successes / second_n) / error
    return HypothesisTest(statistic=z, p=normal_p(z), n=n, method=POOLED_Z)


def proportion_difference(
    first_successes: int,
    first_n: int,
    second_successes: int,
    second_n: int,
    confidence: float = 0.95,
) -> Estimate:
    """Second share minus first, groups independent."""
    check_confidence(confidence)
    z = two_proportion_z(first_successes, first_n, second_successes, second_n)
    if first_n == 0 or second_n == 0:
        return undefined_estimate("a group is empty", n=z.n, method=NEWCOMBE, confidence=confidence)
    first = wilson(first_successes, first_n, confidence)
    second = wilson(second_successes, second_n, confidence)
    difference = second_successes / second_n - first_successes / first_n
    return Estimate(
        value=difference,
        low=difference - hypot(_below(second), _above(first)),
        high=difference + hypot(_above(second), _below(first)),
        confidence=confidence,
        n=z.n,
        p=z.p,
        method=NEWCOMBE,
    )


def _below(share: Estimate) -> float:
    return (share.value or 0.0) - (share.low or 0.0)


def _above(share: Estimate) -> float:
    return (share.high or 0.0) - (share.value or 0.0)


def _check_counts(successes: float, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"expected 0 <= successes <= n, got {successes} of {n}")


def _why_no_z(first: float, first_n: int, second: float, second_n: int) -> str | None:
    if first_n == 0 or second_n == 0:
        return "a group is empty"
    if first + second in (0, first_n + second_n):
        return "every observation has the same outcome, so there is no variance to test against"
    return None
