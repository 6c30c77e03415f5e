"""What today, this week and this month cost, who spent it, and what is new since the last look.

Takes a report's context and the time, returns `Today`. Days are those of the user's calendar and
weeks begin on Monday; a week is compared with the same days of the week before, so that a Tuesday
is not held against seven days. Money alone: a ledger without a price has no `Today`.

Worked: on a Wednesday, $2, $3 and $1 since Monday are $6 this week; the Monday to Wednesday before
cost $4, so this week costs 50 % more.
"""

import time
from datetime import date, timedelta

import polars as pl
from msgspec import Struct

from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.selection import SelectedTables, Selection
from agentdyno.studies.sessions import find_daily_turns, find_roots, find_titles

WHO = ("agent", "project", "model")
"""What spending is listed by."""


class New(Struct, frozen=True):
    """What came since the last look."""

    since: float
    """When that was, in seconds since 1970."""
    usd: float | None
    """What the turns since then cost; None where none of them has a price."""
    sessions: int
    """Sessions with a turn since then."""
    title: str | None
    """The most expensive of these; None where it has no title."""
    title_usd: float | None
    """What its turns since then cost."""


class Today(Struct, frozen=True):
    """Money by the calendar. A sum is 0 where there is no turn, None where no turn has a price."""

    day: date
    today: float | None
    """What today cost so far."""
    week: float | None
    """What this week cost so far, from Monday on."""
    week_before: float | None
    """The same days of the week before."""
    month: float | None
    """What this month cost so far."""
    is_recent: bool
    """Whether there is a turn in this month or in these two weeks."""
    who: dict[str, list[tuple[str | None, float | None]]]
    """By agent, project and model, the most expensive first: of this month where that has a turn,
    else of everything."""
    is_month: bool
    """Whether `who` is of this month."""
    new: New | None
    """Since the last look; None where there was none, or nothing came."""


def study_today(
    context: ReportContext, now: float | None = None, seen: float | None = None
) -> Today | None:
    """None where no turn has a time or none a price; `seen` is when somebody last looked."""
    turns = find_daily_turns(context)
    if turns is None or context.unit != "usd" or turns["day"].is_null().all():
        return None
    moment = time.time() if now is None else now
    day = date.fromtimestamp(moment)
    monday, first = day - timedelta(days=day.weekday()), day.replace(day=1)
    in_month = turns.filter(_between(first, day))
    week_ago = timedelta(days=7)
    before = turns.filter(_between(monday - week_ago, day - week_ago))
    recent = not turns.filter(_between(min(first, monday - week_ago), day)).is_empty()
    month_turns = turns if in_month.is_empty() else in_month
    return Today(
        day=day,
        today=sum_usd(turns.filter(_between(day, day))),
        week=sum_usd(turns.filter(_between(monday, day))),
        week_before=sum_usd(before),
        month=sum_usd(in_month),
        is_recent=recent,
        who={by: _rank(month_turns, by) for by in WHO},
        is_month=not in_month.is_empty(),
        new=None if seen is None else _find_new(context, seen),
    )


def _between(first: date, last: date) -> pl.Expr:
    return pl.col("day").is_between(pl.lit(f"{first}"), pl.lit(f"{last}"))


def sum_usd(turns: pl.DataFrame) -> float | None:
    """0 of nothing; None where nothing has a price."""
    if not turns.is_empty() and not turns["usd_known"].sum():
        return None
    return float(turns["usd"].sum())


def _rank(turns: pl.DataFrame, by: str) -> list[tuple[str | None, float | None]]:
    usd_sum = pl.when(pl.col("usd_known").sum() > 0).then(pl.col("usd").sum())
    sums = turns.group_by(by).agg(usd=usd_sum)
    return [*sums.sort("usd", by, descending=[True, False], nulls_last=True).iter_rows()]


def _find_new(context: ReportContext, seen: float) -> New | None:
    rows = SelectedTables(context.tables, Selection(since=seen)).read("turns")
    if rows.is_empty():
        return None
    turns = rows.select("trajectory_id", "usd").join(find_roots(context), on="trajectory_id")
    usd_sum = pl.when(pl.col("usd").count() > 0).then(pl.col("usd").sum())
    sums = turns.group_by("session").agg(usd=usd_sum).sort("usd", descending=True, nulls_last=True)
    session, usd = sums.row(0)
    total = float(sums["usd"].sum()) if sums["usd"].count() else None
    title = find_titles(context, pl.Series([session])).get(session)
    return New(seen, total, len(sums), title, usd)
