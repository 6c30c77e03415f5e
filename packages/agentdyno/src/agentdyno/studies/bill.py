"""The bill: what the money was charged for, by day, week, month or session.

Takes a report's context, returns `Bill`; None where costs are not money. The parts of a bar add up
to what its turns cost. Lost cache is context that was paid for again (see `cache`), taken out of
cache writes and fresh input; money that a trace states in one sum is `other`.
"""

import polars as pl

from agentdyno.studies.cache import study_turn_costs
from agentdyno.studies.cost.highlights import Bill, BillBar, BillGrouping
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.whatif.losses import FIRST

PARTS = ("read", "write", "lost", "output", "fresh", "other")
"""What money is charged for, in the order in which a bar stacks it."""
MOST_BARS = 62
"""Days, or weeks, that a picture shows; beyond that they are joined."""
MOST_SESSIONS = 8


def study_bill(context: ReportContext) -> Bill | None:
    """The bill by what says most: time where there are several days, otherwise sessions."""
    if context.unit != "usd":
        return None
    rows = _split(study_turn_costs(context))
    if rows.is_empty():
        return None
    by = _choose_grouping(rows)
    if by == "session":
        return _by_session(rows, context)
    lengths: dict[BillGrouping, pl.Expr] = {
        "day": pl.col("day"),
        "week": pl.col("day").str.to_date("%Y-%m-%d", strict=False).dt.strftime("%G-W%V"),
        "month": pl.col("day").str.slice(0, 7),
    }
    sums = _sum(rows.with_columns(name=lengths[by].fill_null("no date"))).sort("name")
    return _bill(by, [_bar(row, None) for row in sums.iter_rows(named=True)])


def _split(rows: pl.DataFrame) -> pl.DataFrame:
    """Turns with a price, each with what it was charged for."""
    again = pl.col("cause").is_not_null() & (pl.col("cause") != FIRST)
    lost = pl.when(again).then(pl.col("lost_usd")).otherwise(0.0).fill_null(0.0)
    fresh_lost = pl.when(again).then(pl.col("lost_fresh_usd")).otherwise(0.0).fill_null(0.0)
    known = [pl.col(f"usd_{name}").fill_null(0.0) for name in ("read", "write", "input", "output")]
    read, write, fresh, output = known
    return rows.filter(pl.col("usd").is_not_null()).with_columns(
        read=read,
        write=(write - (lost - fresh_lost)).clip(lower_bound=0.0),
        lost=lost,
        output=output,
        fresh=(fresh - fresh_lost).clip(lower_bound=0.0),
        other=(pl.col("usd") - pl.sum_horizontal(known)).clip(lower_bound=0.0),
    )


def _choose_grouping(rows: pl.DataFrame) -> BillGrouping:
    dated = rows.filter(pl.col("day").is_not_null())
    days = dated["day"].unique()
    if len(days) < 2 or 2 * dated["usd"].sum() < rows["usd"].sum():
        return "session"
    if len(days) <= MOST_BARS:
        return "day"
    weeks = days.str.to_date("%Y-%m-%d", strict=False).dt.strftime("%G-W%V").n_unique()
    return "week" if weeks <= MOST_BARS else "month"


def _by_session(rows: pl.DataFrame, context: ReportContext) -> Bill:
    titles = dict(context.frames.trajectories.select("trajectory_id", "title").iter_rows())
    sums = _sum(rows.with_columns(name=pl.col("session")))
    top = sums.sort("usd", "name", descending=[True, False])
    bars = [_bar(row, titles.get(row["name"])) for row in top.iter_rows(named=True)]
    return _bill("session", bars, MOST_SESSIONS)


def _bill(by: BillGrouping, bars: list[BillBar], most: int | None = None) -> Bill:
    """The first bars, and the sums over all."""
    sums = {part: sum(bar.parts.get(part, 0.0) for bar in bars) for part in PARTS}
    shown = bars[:most]
    usd = sum(bar.usd for bar in bars)
    return Bill(by, shown, len(bars) - len(shown), usd, {k: v for k, v in sums.items() if v})


def _sum(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.group_by("name").agg(pl.col("usd", *PARTS).sum())


def _bar(row: dict[str, float | str], title: str | None) -> BillBar:
    parts = {part: float(row[part]) for part in PARTS if float(row[part]) > 1e-9}
    return BillBar(name=str(row["name"]), title=title, usd=float(row["usd"]), parts=parts)
