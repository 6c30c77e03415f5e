"""The result of every estimate: a number, how sure it is, and why when there is none.

An undefined result is None with a reason in words; no function of this package returns nan or
infinity.
"""

import math

import msgspec


class Estimate(msgspec.Struct, frozen=True):
    """A number with its interval, or the reason why there is none."""

    value: float | None
    """The point estimate. None when it is undefined; `reason` then says why."""
    low: float | None = None
    """Lower end of the interval. None when none can be given."""
    high: float | None = None
    """Upper end of the interval. None when none can be given."""
    n: int = 0
    """Independent units it rests on: tasks for clustered estimates, observations otherwise."""
    p: float | None = None
    """Two-sided p against no effect (0, or a ratio of 1). None where no such test is made."""
    reason: str | None = None
    """Why the estimate or its interval is missing. None when both are there."""
    method: str = ""
    """How it was computed, in words fit for a footnote."""
    confidence: float = 0.95
    """Share of such intervals that hold the truth, by design."""


class HypothesisTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test statistic with its p value."""

    statistic: float | None
    """The statistic named in `method`. None when undefined."""

    p: float | None
    """Two-sided p value. None when undefined."""

    n: int
    """Observations the test rests on."""

    method: str
    """The test, in words fit for a footnote."""

    reason: str | None = None
    """Why there is no p value. None when there is one."""


def undefined_estimate(reason: str, *, n: int, method: str, confidence: float = 0.95) -> Estimate:
    """An estimate that does not exist, saying why."""
    return Estimate(value=None, n=n, method=method, confidence=confidence, reason=reason)


def exact(value: float) -> Estimate:
    """A number that was counted, not estimated: it has no interval and rests on no sample."""
    return Estimate(value)


def if_known(estimate: Estimate) -> Estimate | None:
    """None where there is no number, so that a cell stays empty."""
    return None if estimate.value is None else estimate


def as_share(estimate: Estimate, most: float = 1.0, least: float = 0.0) -> Estimate:
    """An estimate of a share, of a score of at most so many, or of a difference of shares, which is
    at least -1: its interval stays within."""
    low, high = estimate.low, estimate.high
    return msgspec.structs.replace(
        estimate,
        low=None if low is None else max(low, least),
        high=None if high is None else min(high, most),
    )


def check_confidence(confidence: float) -> None:
    """A confidence is a share strictly between 0 and 1."""
    if not (math.isfinite(confidence) and 0 < confidence < 1):
        raise ValueError(f"expected a confidence between 0 and 1, such as 0.95, got {confidence!r}")


def exponential(value: float) -> float:
    """`exp`, kept finite: an interval that reaches 1e304 says that nothing is known."""
    return math.exp(min(value, 700.0))
