"""What a month will have cost when it ends, from the days so far.

Takes dollars by day and today's date, returns the month's end with an interval: the days to come
are as in one of the last nine weeks, weekday by weekday. A week like those is outside of all nine
twice in ten times, whatever weeks look like, so the least and the most of them are an interval of
80 %, and of fewer weeks one of less. Early in a month it holds more often (90 of 100 simulated
months), since several weeks together differ less than one. Nothing is said from fewer than three.

Worked: eight equal weeks of $10 on each weekday, $100 spent by the end of Friday the 14th of a
month of 30 days. Ten weekdays are left, so it ends at $200, and the interval is a point.
"""

from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta

import numpy as np
from msgspec import Struct

WEEKS = 9
"""How far back weeks are taken from."""
FEWEST = 3
"""Weeks below which nothing is said."""


class Forecast(Struct, frozen=True):
    """The end of a month, in dollars."""

    usd: float
    """As likely to be exceeded as not."""
    low: float
    """With the cheapest of the weeks."""
    high: float
    """With the most expensive."""
    covered: float
    """How often months end between the two."""


def forecast_month(
    days: Mapping[str, float], today: date, left_of_today: float = 0.5
) -> Forecast | None:
    """`left_of_today`: the share of today that is still to come. None with too few days."""
    first = min((date.fromisoformat(day) for day in days), default=today)
    weeks = min((today - first).days // 7, WEEKS)
    if weeks < FEWEST:
        return None
    # Whole weeks that end yesterday; a day that is not named cost nothing.
    past = [today - timedelta(days=back) for back in range(7 * weeks, 0, -1)]
    spent = np.array([days.get(day.isoformat(), 0.0) for day in past]).reshape(weeks, 7)
    left = monthrange(today.year, today.month)[1] - today.day
    # The weekday of today stands first in a week that ended yesterday.
    to_come = np.tile(spent, -(-(left + 1) // 7))[:, : left + 1]
    to_come[:, 0] *= left_of_today
    so_far = sum(usd for day, usd in days.items() if day[:7] == today.isoformat()[:7])
    ends = so_far + to_come.sum(axis=1)
    covered = (weeks - 1) / (weeks + 1)
    return Forecast(float(np.median(ends)), float(ends.min()), float(ends.max()), covered)
