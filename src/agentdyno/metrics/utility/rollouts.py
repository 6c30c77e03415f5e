"""The sign of delta from continuations: successes before and after in, an interval and a label out.

delta = successes after / n - successes before / n. After 16, 32, 64, … continuations on each side
the interval is looked at, each time at confidence 1 - alpha / looks, so that all looks together err
with probability alpha at most (Bonferroni); Newcombe's interval, from two Wilson intervals.

    settled positive       the interval lies above 0
    settled non-positive   it lies below 0, or below the smallest effect of interest

Without a settled sign a call is `non_positive`: nobody has shown that it helped.
Worked: 10 of 64 before and 40 of 64 after: delta 0.469, settled at the third look.
"""

from math import sqrt

from msgspec import Struct

from agentdyno.estimates.proportions import wilson
from agentdyno.records.utility import UtilityLabel

FIRST_LOOK = 16


class SignTest(Struct, frozen=True):
    """How continuations are counted."""

    most: int = 256
    """Continuations on each side, at most."""
    alpha: float = 0.05
    """Probability that a settled sign is wrong, at most."""
    smallest: float = 0.05
    """Effects below this are not worth another continuation."""

    def looks(self) -> list[int]:
        """Numbers of continuations at which the interval is looked at."""
        found, look = [], FIRST_LOOK
        while look < self.most:
            found.append(look)
            look *= 2
        return [*found, self.most]


class Seen(Struct, frozen=True):
    """What a number of continuations says."""

    delta: float
    """Difference of the success rates."""
    low: float
    """Lower end of its interval."""
    high: float
    """Upper end."""
    settled: bool
    """Whether the sign is settled."""

    @property
    def label(self) -> UtilityLabel:
        """Useful only when that is shown."""
        return "positive" if self.low > 0 else "non_positive"


def look(before: int, after: int, n: int, test: SignTest) -> Seen:
    """The interval after n continuations on each side."""
    confidence = 1 - test.alpha / len(test.looks())
    delta = (after - before) / n
    low, high = _newcombe(before, after, n, confidence)
    return Seen(delta, low, high, low > 0 or high < max(test.smallest, 0.0))


def _newcombe(before: int, after: int, n: int, confidence: float) -> tuple[float, float]:
    first, second = wilson(before, n, confidence), wilson(after, n, confidence)
    assert first.low is not None
    assert first.high is not None
    assert second.low is not None
    assert second.high is not None
    a, b = before / n, after / n
    below = sqrt((b - second.low) ** 2 + (first.high - a) ** 2)
    above = sqrt((second.high - b) ** 2 + (a - first.low) ** 2)
    return b - a - below, b - a + above
