"""What used the weekly limit of a subscription, and what a plan charges for a cached token.

Takes a report's context and the readings that the status line kept: per cent used, and when.
Between two readings of one week the limit rose by so many points, and the turns between them share
these by what they cost. A stretch that rose without a turn was used elsewhere: on another machine,
or on the web. Points of a file are those of its sessions by its share of their cost.

A plan may charge a token that was read from the cache otherwise than the price list does. Points of
stretches are fitted, through zero and without negative rates, to what their turns cost at list
prices: one rate for cache reads, one for everything else. Their ratio is what a cached token counts
against its list price: 1 as listed, 0 free. The interval draws stretches; where it holds both 0 and
1, or stretches are few, the charge is unknown.

Worked: stretches of 2, 4 and 6 points with $1, $2 and $3 beside cache reads of $9, $1 and $5: two
points a dollar, reads free.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate, undefined_estimate
from agentdyno.estimates.resampling import resample_sums
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots, find_titles

ID = "trajectory_id"
WEEK_SECONDS = 7 * 86_400.0
FEWEST = 12
"""Stretches before a charge is inferred."""
STEP = 1.0
"""Points that a stretch rises by at least: readings are rounded."""
MOST = 10
"""Rows of a list."""
METHOD = "two rates through zero, stretches between readings resampled"
Vector = npt.NDArray[np.float64]


class Reading(Struct, frozen=True):
    """What a status line was told."""

    at: float
    """When, in seconds since 1970."""
    used: float
    """Per cent of the weekly limit that was used."""
    resets_at: float
    """When it begins anew; 0 where unknown."""


class Used(Struct, frozen=True, kw_only=True):
    """Points of the limit that something used."""

    name: str
    """A session's title, an origin or a file."""
    trajectory_id: str | None
    """The session's main trajectory; None for anything else."""
    points: float
    """Percentage points of the weekly limit, over all weeks that were read."""
    usd: float
    """What it cost at list prices in the stretches that were read."""


class Quota(Struct, frozen=True, kw_only=True):
    """The whole."""

    used: float
    """Per cent used at the last reading."""
    read_at: float
    resets_at: float | None
    """When it begins anew; None where unknown."""
    points: float
    """Points that all stretches rose by."""
    elsewhere: float
    """Of these, in stretches without a turn of this ledger."""
    weeks: int
    """Weeks with a reading."""
    stretches: int
    """Stretches that rose by a point or more."""
    usd_per_point: Estimate
    """What a point is worth at list prices, where cached tokens count as listed."""
    cached_charge: Estimate
    """What a cached token counts against its list price."""
    sessions: list[Used]
    """The ones that used most first."""
    origins: list[Used]
    """The same by where tokens come from; none where nobody worked that out."""
    files: list[Used]
    """The same by file."""


class _Stretch(Struct, frozen=True):
    """From one reading to another of a week."""

    start: float
    stop: float
    points: float
    is_closed: bool


def study_quota(context: ReportContext, readings: Sequence[Reading]) -> Quota | None:
    """None where there is no reading."""
    weeks = _split_weeks(readings)
    if not weeks:
        return None
    stretches = [each for week in weeks for each in _cut(week)]
    turns = _place_turns(context, stretches)
    sums = turns.group_by("stretch").agg(pl.col("reads", "rest").sum())
    cost = {place: (reads, rest) for place, reads, rest in sums.iter_rows()}
    rows = [
        (each.points, *cost.get(place, (0.0, 0.0)))
        for place, each in enumerate(stretches)
        if each.is_closed
    ]
    known = np.array([row for row in rows if row[1] + row[2] > 0], dtype=np.float64).reshape(-1, 3)
    charge = _infer_charge(known)
    points = pl.DataFrame(
        {"stretch": range(len(stretches)), "rise": [each.points for each in stretches]},
        {"stretch": pl.Int64, "rise": pl.Float64},
    )
    whole = pl.col("usd").sum().over("stretch")
    shared = turns.join(points, on="stretch").with_columns(
        points=pl.when(whole > 0).then(pl.col("usd") / whole * pl.col("rise")).otherwise(0.0)
    )
    rise, last = sum(each.points for each in stretches), weeks[-1][-1]
    return Quota(
        used=last.used,
        read_at=last.at,
        resets_at=last.resets_at or None,
        points=rise,
        elsewhere=max(rise - float(shared["points"].sum()), 0.0),
        weeks=len(weeks),
        stretches=len(rows),
        usd_per_point=_worth(known),
        cached_charge=charge,
        sessions=_list_sessions(context, shared),
        origins=_list_origins(context, shared),
        files=_list_files(context, shared),
    )


def _split_weeks(readings: Sequence[Reading]) -> list[list[Reading]]:
    """Readings of one week each: until it begins anew, or the share falls."""
    weeks: list[list[Reading]] = []
    for each in sorted(readings, key=lambda each: each.at):
        last = weeks[-1][-1] if weeks else None
        is_same = (
            last is not None
            and abs(each.resets_at - last.resets_at) < 3_600
            and each.used >= last.used
        )
        if is_same:
            weeks[-1].append(each)
        else:
            weeks.append([each])
    return weeks


def _cut(week: list[Reading]) -> list[_Stretch]:
    """Stretches that rise by a point at least, and what is left of the week."""
    first = week[0]
    start, used = first.at, first.used
    found = []
    if first.resets_at:  # It began with nothing used.
        start, used = first.resets_at - WEEK_SECONDS, 0.0
    for each in week:
        if each.used - used >= STEP:
            found.append(_Stretch(start, each.at, each.used - used, True))
            start, used = each.at, each.used
    if week[-1].used > used:
        found.append(_Stretch(start, week[-1].at, week[-1].used - used, False))
    return found


def _place_turns(context: ReportContext, stretches: Sequence[_Stretch]) -> pl.DataFrame:
    """Priced turns, each with its stretch, its session and its cost in two kinds."""
    at = pl.coalesce("ended_at", "started_at").cast(pl.Float64)
    reads = pl.col("usd_read").fill_null(0.0)
    turns = (
        context.tables.scan("turns")
        .select(ID, "turn", "usd", at=at, reads=reads)
        .filter(pl.col("usd").is_not_null(), pl.col("at").is_not_null())
        .with_columns(rest=(pl.col("usd") - pl.col("reads")).clip(lower_bound=0.0))
        .collect()
    )
    starts = np.array([each.start for each in stretches])
    stops = np.array([each.stop for each in stretches])
    moments = turns["at"].to_numpy()
    place = np.searchsorted(starts, moments, side="left") - 1
    inside = (
        (place >= 0) & (moments <= stops[np.maximum(place, 0)]) if len(stretches) else place < -1
    )
    placed = turns.with_columns(stretch=pl.Series(place, dtype=pl.Int64)).filter(pl.Series(inside))
    return placed.join(find_roots(context), on=ID)


def _worth(known: Vector) -> Estimate:
    """Dollars over points, stretches resampled."""
    if len(known) < FEWEST:
        return undefined_estimate(_few(len(known)), n=len(known), method=METHOD)
    usd, points = known[:, 1] + known[:, 2], known[:, 0]
    drawn = resample_sums(np.column_stack([usd, points]))
    low, high = np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])
    value = float(usd.sum() / points.sum())
    return Estimate(value, float(low), float(high), len(known), method=METHOD)


def _infer_charge(known: Vector) -> Estimate:
    """The rate of cache reads over that of everything else."""
    if len(known) < FEWEST:
        return undefined_estimate(_few(len(known)), n=len(known), method=METHOD)
    y, reads, rest = known.T
    products = [reads * reads, reads * rest, rest * rest, reads * y, rest * y]
    table = np.column_stack(products)
    value = float(_ratio(table.sum(axis=0)[None])[0])
    low, high = np.percentile(_ratio(resample_sums(table)), [2.5, 97.5])
    if not np.isfinite([value, low, high]).all() or (low <= 0.0 and high >= 1.0):
        return undefined_estimate(
            "the readings fit anything from free to the listed price", n=len(known), method=METHOD
        )
    return Estimate(value, float(low), float(high), len(known), method=METHOD)


def _ratio(sums: Vector) -> Vector:
    """Least squares with two rates that are not negative, of each row of sums."""
    rr, rx, xx, ry, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        determinant = rr * xx - rx * rx
        of_reads = (ry * xx - xy * rx) / determinant
        of_rest = (xy * rr - ry * rx) / determinant
        ratio = of_reads / of_rest
    # On the edge one of the two is zero and the other is fitted alone.
    ratio = np.where(of_rest <= 0, np.inf, ratio)
    return np.where(of_reads <= 0, 0.0, ratio)


def _few(many: int) -> str:
    return f"{many} of {FEWEST} stretches that rose by a point, with turns in them"


def _list_sessions(context: ReportContext, shared: pl.DataFrame) -> list[Used]:
    sums = shared.group_by("session").agg(pl.col("points", "usd").sum())
    first = sums.sort("points", descending=True).head(MOST)
    titles = find_titles(context, first["session"])
    return [
        Used(name=titles.get(name) or name, trajectory_id=name, points=points, usd=usd)
        for name, points, usd in first.iter_rows()
    ]


def _list_origins(context: ReportContext, shared: pl.DataFrame) -> list[Used]:
    if not context.tables.has("origins"):
        return []
    keys = [ID, "turn"]
    rows = context.tables.scan("origins").select(*keys, "origin", own="usd").collect()
    rows = rows.with_columns(pl.col("turn").cast(pl.Int64))
    turns = shared.select(ID, pl.col("turn").cast(pl.Int64), "points", "usd")
    joined = rows.join(turns, on=keys).with_columns(
        share=pl.col("own") / pl.col("own").sum().over(keys)
    )
    return _name(joined.with_columns(pl.col("points", "usd") * pl.col("share")), "origin")


def _list_files(context: ReportContext, shared: pl.DataFrame) -> list[Used]:
    whole = context.tables.scan("turns").group_by(ID).agg(whole=pl.col("usd").sum()).collect()
    own = shared.group_by(ID).agg(pl.col("points", "usd").sum()).join(whole, on=ID)
    calls = (
        context.tables.scan("calls")
        .filter(pl.col("subject_kind") == "file", pl.col("usd").is_not_null())
        .group_by(ID, "subject")
        .agg(spent=pl.col("usd").sum())
        .collect()
    )
    share = pl.when(pl.col("whole") > 0).then(pl.col("spent") / pl.col("whole")).otherwise(0.0)
    joined = calls.join(own, on=ID).with_columns(pl.col("points", "usd") * share)
    return _name(joined, "subject")


def _name(rows: pl.DataFrame, column: str) -> list[Used]:
    sums = rows.group_by(column).agg(pl.col("points", "usd").sum())
    first = sums.sort("points", column, descending=[True, False]).head(MOST)
    return [
        Used(name=name, trajectory_id=None, points=points or 0.0, usd=usd or 0.0)
        for name, points, usd in first.iter_rows()
    ]
