"""What the head of a report names: the bill, the most expensive file, the costliest pause, MCP
servers that nobody called. Takes a report's context, returns `Highlights`."""

import polars as pl

from agentdyno.studies.cache import study_cache
from agentdyno.studies.cost.highlights import (
    Bill,
    BillBar,
    BillGrouping,
    Highlights,
    TopFile,
    TopPause,
)
from agentdyno.studies.losses.causes import PAUSE
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.roots import roots_of
from agentdyno.studies.sessions import find_roots, find_titles
from agentdyno.studies.spending import study_spending
from agentdyno.studies.turn_costs import BILL as PARTS
from agentdyno.studies.turn_costs import LEAST, study_turn_costs
from agentdyno.studies.unused_servers import study_unused_servers

# Takes a report's context, returns `Bill`; None where costs are not money. The parts of a bar add
# up to what its turns cost. Lost cache is context that was paid for again (see `cache`), taken out
# of cache writes and fresh input; money that a trace states in one sum is `other`.
MOST_BARS = 62
"""Days, or weeks, that a picture shows; beyond that they are joined."""
MOST_SESSIONS = 8


def study_bill(context: ReportContext) -> Bill | None:
    """The bill by what says most: time where there are several days, otherwise sessions."""
    if context.unit != "usd":
        return None
    sums = study_turn_costs(context)
    if not sums or not sums["costs"]["usd_known"].sum():
        return None
    rows = sums["costs"]
    by = _choose_grouping(rows)
    if by == "session":
        return _by_session(sums["agents"], context)
    rows = rows.filter(pl.col("usd_known") > 0)
    lengths: dict[BillGrouping, pl.Expr] = {
        "day": pl.col("day"),
        "week": pl.col("day").str.to_date("%Y-%m-%d", strict=False).dt.strftime("%G-W%V"),
        "month": pl.col("day").str.slice(0, 7),
    }
    bars = _sum(rows.with_columns(name=lengths[by].fill_null("no date"))).sort("name")
    return _bill(by, bars, [_bar(row, None) for row in bars.iter_rows(named=True)])


def _choose_grouping(rows: pl.DataFrame) -> BillGrouping:
    dated = rows.filter(pl.col("day").is_not_null(), pl.col("usd_known") > 0)
    days = dated["day"].unique()
    if len(days) < 2 or 2 * dated["usd"].sum() < rows["usd"].sum():
        return "session"
    if len(days) <= MOST_BARS:
        return "day"
    weeks = days.str.to_date("%Y-%m-%d", strict=False).dt.strftime("%G-W%V").n_unique()
    return "week" if weeks <= MOST_BARS else "month"


def _by_session(rows: pl.DataFrame, context: ReportContext) -> Bill:
    priced = rows.filter(pl.col("usd_known") > 0).join(find_roots(context), on="trajectory_id")
    sums = _sum(priced.rename({"session": "name"}))
    top = sums.sort("usd", "name", descending=[True, False]).head(MOST_SESSIONS)
    titles = find_titles(context, top["name"])
    return _bill("session", sums, [_bar(row, titles[row["name"]]) for row in top.to_dicts()])


def _bill(by: BillGrouping, sums: pl.DataFrame, bars: list[BillBar]) -> Bill:
    """Some bars, and the sums over all."""
    bill = {part: float(sums[part].filter(sums[part] > LEAST).sum()) for part in PARTS}
    parts = {part: usd for part, usd in bill.items() if usd}
    return Bill(by, bars, len(sums) - len(bars), float(sums["usd"].sum()), parts)


def _sum(rows: pl.DataFrame) -> pl.DataFrame:
    parts = {part: pl.col(f"bill_{part}").sum() for part in PARTS}
    return rows.group_by("name").agg(pl.col("usd").sum(), **parts)


def _bar(row: dict[str, float | str], title: str | None) -> BillBar:
    parts = {part: float(row[part]) for part in PARTS if float(row[part]) > LEAST}
    return BillBar(name=str(row["name"]), title=title, usd=float(row["usd"]), parts=parts)


def study_highlights(context: ReportContext) -> Highlights:
    """Everything that the head names."""
    return Highlights(
        bill=study_bill(context),
        file=_find_file(context),
        pause=_find_pause(context),
        unused_servers=study_unused_servers(context),
        sessions=_count_sessions(context),
    )


def _count_sessions(context: ReportContext) -> int | None:
    rows = context.frames.trajectories
    if rows["session_id"].is_null().all() and rows["started_at"].is_null().all():
        return None
    return roots_of(rows)["session"].n_unique()


def _find_file(context: ReportContext) -> TopFile | None:
    spending = context.once("spending", lambda: study_spending(context))
    files = spending.kinds.get("file", []) if spending is not None else []
    first = next(iter(files), None)
    if first is None or not first.cost:
        return None
    return TopFile(
        name=first.name,
        calls=first.calls,
        cost=first.cost,
        trajectory_id=first.trajectory_id,
        turn=first.turn,
    )


def _find_pause(context: ReportContext) -> TopPause | None:
    economics = context.once("cache", lambda: study_cache(context))
    after = [loss for loss in economics.losses if loss.cause == PAUSE] if economics else []
    first = next((loss for loss in after if loss.usd and loss.pause_seconds), None)
    if first is None or first.usd is None or first.pause_seconds is None:
        return None
    return TopPause(
        seconds=first.pause_seconds,
        usd=first.usd,
        title=first.title,
        trajectory_id=first.trajectory_id,
        turn=first.turn,
    )
