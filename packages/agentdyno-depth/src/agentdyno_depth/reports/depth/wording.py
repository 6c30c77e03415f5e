"""Words around numbers: a share with its interval, a difference with its verdict, short names."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.reports.numbers import percent


def share(estimate: Estimate) -> str:
    """31.2 % [29.0, 33.4]; a dash where it is unknown."""
    return percent(estimate.value) + _interval(estimate)


def points(estimate: Estimate) -> str:
    """A difference of shares: +2.3 points [-0.4, +5.0]."""
    if estimate.value is None:
        return percent(None)
    if estimate.low is None or estimate.high is None:
        return f"{100 * estimate.value:+.1f} points"
    ends = f"[{100 * estimate.low:+.1f}, {100 * estimate.high:+.1f}]"
    return f"{100 * estimate.value:+.1f} points {ends}"


def correlation(estimate: Estimate) -> str:
    """r = 0.45 [-0.20, 0.93]."""
    if estimate.value is None:
        return f"no correlation ({estimate.reason})"
    if estimate.low is None or estimate.high is None:
        return f"r = {estimate.value:.2f}"
    return f"r = {estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def verdict(estimate: Estimate) -> str:
    """A difference of shares, and whether its interval excludes that there is none."""
    if estimate.low is None or estimate.high is None:
        return f"{points(estimate)}, too few to say more"
    if estimate.low <= 0 <= estimate.high:
        return f"{points(estimate)}, which may be chance"
    return points(estimate)


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
