"""How a month ends: by hand where days are alike, and as often within the interval as it says."""

from datetime import date, timedelta

import numpy as np
import pytest

from agentdyno_daily.running.forecast import forecast_month


def test_equal_weeks_leave_a_point() -> None:
    """$10 on weekdays. After Friday 2025-11-14 the weekdays 17 to 28 are left: ten, $100."""
    first = date(2025, 9, 1)
    days = {}
    for day in (first + timedelta(days=n) for n in range(75)):
        days[day.isoformat()] = 10.0 if day.weekday() < 5 else 0.0
    found = forecast_month(days, date(2025, 11, 14), left_of_today=0.0)
    assert found is not None
    # Ten weekdays of November up to the 14th, and ten to come.
    assert (found.low, found.usd, found.high) == (200, 200, 200)


def test_less_than_three_weeks_say_nothing() -> None:
    days = {date(2025, 11, day).isoformat(): 1.0 for day in range(1, 22)}
    assert forecast_month(days, date(2025, 11, 21)) is None
    found = forecast_month(days, date(2025, 11, 22))
    assert found is not None
    assert found.covered == 0.5  # Of three weeks: (3 - 1) / (3 + 1).
    assert forecast_month({}, date(2025, 11, 14)) is None


def _simulate(random: np.random.Generator, begin: date, many: int) -> dict[str, float]:
    """Days of somebody who works on weekdays, in weeks that are busy or not, with some days that
    cost ten times as much."""
    days: dict[str, float] = {}
    week = random.normal(0, 0.4)
    for day in (begin + timedelta(days=n) for n in range(many)):
        if day.weekday() == 0:
            week = 0.5 * week + random.normal(0, 0.35)
        works = random.random() < (0.9 if day.weekday() < 5 else 0.2)
        size = np.exp(2.0 + week + random.normal(0, 0.8))
        days[day.isoformat()] = float(size) if works else 0.0
    return days


@pytest.mark.parametrize("day", [5, 12, 20])
def test_months_end_within_the_interval_as_often_as_it_says(day: int) -> None:
    random = np.random.default_rng(day)
    inside = 0
    months = 300
    for _ in range(months):
        days = _simulate(random, date(2025, 9, 1), 91)  # Up to 2025-11-30.
        today = date(2025, 11, day)
        end = sum(usd for name, usd in days.items() if name.startswith("2025-11"))
        known = {name: usd for name, usd in days.items() if name <= today.isoformat()}
        found = forecast_month(known, today, left_of_today=0.0)
        assert found is not None
        inside += found.low <= end <= found.high
    assert 0.72 <= inside / months <= 0.93, inside / months
