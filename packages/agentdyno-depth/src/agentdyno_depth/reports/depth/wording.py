"""Words around numbers: a share with its interval, a difference with its verdict, short names."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.reports.numbers import percent


def share(found: Estimate) -> str:
    """31.2 % [29.0, 33.4]; a dash where it is unknown."""
    return percent(found.value) + _interval(found)


def points(found: Estimate) -> str:
    """A difference of shares: +2.3 points [-0.4, +5.0]."""
    if found.value is None:
        return percent(None)
    if found.low is None or found.high is None:
        return f"{100 * found.value:+.1f} points"
    ends = f"[{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    return f"{100 * found.value:+.1f} points {ends}"


def correlation(found: Estimate) -> str:
    """r = 0.45 [-0.20, 0.93]."""
    if found.value is None:
        return f"no correlation ({found.reason})"
    if found.low is None or found.high is None:
        return f"r = {found.value:.2f}"
    return f"r = {found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"


def verdict(found: Estimate) -> str:
    """A difference of shares, and whether its interval excludes that there is none."""
    if found.low is None or found.high is None:
        return f"{points(found)}, too few to say more"
    if found.low <= 0 <= found.high:
        return f"{points(found)}, which may be chance"
    return points(found)


def _interval(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" [{100 * found.low:.1f}, {100 * found.high:.1f}]"
