"""Is a limit broken? An estimate with its interval and a limit in, a verdict in three values out.

A limit is `broken` only when the whole interval lies beyond it, `kept` when the whole interval
lies within, and `undecided` otherwise: a gate that fails on noise is switched off within a week.
The interval is two-sided, so with 95 % and no real difference a limit at zero is called broken in
about 2.5 % of comparisons.

More tasks narrow an interval with the square root of their number, which says about how many an
undecided one still needs: `n * (reach / distance)² - n`. Worked: 60 tasks, +4 % [-2, +10] against
+5 %: reach 6, distance 1 -> about 2,100 more.
"""

import math
from typing import Literal

import msgspec

from agentdyno.estimates.values import Estimate

Worse = Literal["above", "below"]
State = Literal["kept", "broken", "undecided"]


class LimitVerdict(msgspec.Struct, frozen=True):
    """What the data say about a limit."""

    state: State
    """Kept, broken, or undecided at the confidence of the interval."""

    more_tasks_needed: int | None
    """Roughly how many more units would decide it. None when decided, or when no number would."""


def judge_limit(found: Estimate, limit: float, worse: Worse) -> LimitVerdict:
    """Compare an estimate with a limit; `worse` says on which side of it trouble lies."""
    if found.value is None or found.low is None or found.high is None:
        return LimitVerdict("undecided", None)
    beyond = found.low > limit if worse == "above" else found.high < limit
    within = found.high <= limit if worse == "above" else found.low >= limit
    if beyond or within:
        return LimitVerdict("broken" if beyond else "kept", None)
    return LimitVerdict(
        "undecided", _more_needed(found.value, found.low, found.high, limit, found.n)
    )


def _more_needed(estimate: float, low: float, high: float, limit: float, n: int) -> int | None:
    distance = abs(estimate - limit)
    if distance == 0:
        return None
    width = estimate - low if estimate > limit else high - estimate
    needed = n * (width / distance) ** 2 - n
    return max(1, math.ceil(needed)) if math.isfinite(needed) else None
