"""The sign of delta from continuations: successes before and after in, an interval and a label out.

Delta is `measures.utility.delta`. Continuation i of either side has the same seed,
so the two are paired: a call that changes nothing then changes no outcome, and few continuations
say so. Where a model ignores seeds the pairs are merely independent and the interval is as wide as
without pairing. Interval: Newcombe's for paired proportions (Statistics in Medicine 1998, 2635,
method 10), from two Wilson intervals and the correlation phi, which is corrected for continuity.

After 16, 32, 64, … continuations on each side the interval is looked at, each time at confidence
1 - alpha / looks, so that all looks together err with probability alpha at most (Bonferroni).

    settled positive       the interval lies above 0
    settled non-positive   it lies below 0, or below the smallest effect of interest
    no label               neither, when the continuations are used up

Worked: 10 of 64 before, 40 of 64 after, 10 both: delta 0.469, settled at the third look.
"""

from math import sqrt

from msgspec import Struct

from agentdyno.estimates.proportions import wilson
from agentdyno.measures import utility
from agentdyno_bench.shared.records.utility import UtilityLabel

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
        sizes, look = [], FIRST_LOOK
        while look < self.most:
            sizes.append(look)
            look *= 2
        return [*sizes, self.most]


class Seen(Struct, frozen=True):
    """Interval and decision after a number of continuations."""

    delta: float
    """Difference of the success rates."""
    low: float
    """Lower end of its interval."""
    high: float
    settled: bool
    """Whether the sign is settled."""

    @property
    def label(self) -> UtilityLabel | None:
        """The sign that was shown; None when still undecided."""
        if not self.settled:
            return None
        return "positive" if self.low > 0 else "non_positive"


class Counts(Struct, frozen=True):
    """Continuations that solved the task."""

    before: int
    """From just before the call."""
    after: int
    both: int
    """Seeds with which both did."""
    n: int


def look(counts: Counts, test: SignTest) -> Seen:
    """The interval after n continuations on each side."""
    confidence = 1 - test.alpha / len(test.looks())
    low, high = _newcombe(counts, confidence)
    delta = utility.delta(counts.before, counts.after, counts.n)
    return Seen(delta, low, high, low > 0 or high < max(test.smallest, 0.0))


def _newcombe(c: Counts, confidence: float) -> tuple[float, float]:
    first, second = _reach(c.before, c.n, confidence), _reach(c.after, c.n, confidence)
    phi, delta = _phi(c), utility.delta(c.before, c.after, c.n)
    return delta - _combine(second[0], first[1], phi), delta + _combine(first[0], second[1], phi)


def _reach(successes: int, n: int, confidence: float) -> tuple[float, float]:
    """How far Wilson's interval goes below and above the share."""
    interval = wilson(successes, n, confidence)
    assert interval.low is not None
    assert interval.high is not None
    return successes / n - interval.low, interval.high - successes / n


def _combine(first: float, other: float, phi: float) -> float:
    return sqrt(max(first * first - 2 * phi * first * other + other * other, 0.0))


def _phi(c: Counts) -> float:
    """Correlation of the outcomes of a seed; 0 where one side never varies."""
    only_after, only_before = c.after - c.both, c.before - c.both
    neither = c.n - c.both - only_after - only_before
    product = c.after * (c.n - c.after) * c.before * (c.n - c.before)
    if product == 0:
        return 0.0
    shared = c.both * neither - only_after * only_before
    return (max(shared - c.n / 2, 0.0) if shared > 0 else shared) / sqrt(product)
