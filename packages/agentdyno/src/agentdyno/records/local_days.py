"""Days as the user's calendar has them: seconds since 1970 in, local days out.

Worked by the clock of this machine (`TZ`, daylight saving included), on every platform alike.
"""

import time
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

EARLIEST, LATEST = 946_684_800.0, 4_133_980_800.0
"""The years 2000 to 2100, in seconds since 1970. What lies outside is a clock that was never set, a
count in another unit or a forgery, and some of it is beyond every calendar."""
QUARTER = 900
"""Seconds; clocks are put forward and back by multiples of it."""


def plausible_time(seconds: float | None) -> float | None:
    """The moment if it lies in the years 2000 to 2100; otherwise nobody knows when it was."""
    return seconds if seconds is not None and EARLIEST <= seconds < LATEST else None


def local_days(seconds: "pl.Series") -> "pl.Series":
    """The day of each moment, as 2026-02-08; null for none, and for one that no calendar has."""
    import polars as pl

    quarters = (seconds // QUARTER).rename("quarter")
    distinct = quarters.drop_nulls().unique()
    days = [name_day(quarter_number * QUARTER) for quarter_number in distinct]
    table = pl.DataFrame({"quarter": distinct, "day": pl.Series(days, dtype=pl.String)})
    return quarters.to_frame().join(table, on="quarter", how="left", maintain_order="left")["day"]


def name_day(seconds: float | None) -> str | None:
    """The day of one moment."""
    if seconds is None:
        return None
    try:
        return time.strftime("%Y-%m-%d", time.localtime(seconds))
    except (OverflowError, OSError, ValueError):
        return None


def start_of_day(seconds: float) -> float:
    """Midnight before a moment."""
    moment = time.localtime(seconds)
    return time.mktime((moment.tm_year, moment.tm_mon, moment.tm_mday, 0, 0, 0, 0, 0, -1))


def name_zone() -> str:
    """The clock that days are by: CET/CEST."""
    winter, summer = (datetime(2026, month, 1).astimezone() for month in (1, 7))
    return "/".join(dict.fromkeys((winter.strftime("%Z"), summer.strftime("%Z"))))


@cache
def describe_clock() -> list[int | None]:
    """How far the clock is from UTC, month by month: equal for clocks that name the same days."""
    months = (datetime(year, month, 1) for year in range(2020, 2031) for month in range(1, 13))
    offsets = (month_or_offset.astimezone().utcoffset() for month_or_offset in months)
    return [
        None if month_or_offset is None else int(month_or_offset.total_seconds())
        for month_or_offset in offsets
    ]
