"""Sessions as people know them, and their costs by day, week, project, branch, agent and model.

Takes a context, returns `Sessions`. A session is a main agent's trajectory with every sub-agent
that it started, directly or not. Days and weeks are those of the turns, on the
user's clock; a session's
duration is from its first turn to its last, pauses included.
"""

from collections.abc import Iterator
from typing import Any, Literal

import polars as pl
from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.local_days import local_days
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.roots import roots_of
from agentdyno.studies.tables import Sums, Tables
from agentdyno.studies.volumes import add_known, sum_volumes, tally_known

Grouping = Literal["day", "week", "project", "branch", "agent", "model"]
GROUPINGS: tuple[Grouping, ...] = ("day", "week", "project", "branch", "agent", "model")


class Session(Struct, frozen=True, kw_only=True):
    """One session with its sub-agents."""

    trajectory_id: str
    title: str | None
    """The session's title, or how its first prompt begins."""
    project: str | None
    branch: str | None
    """The branch that it began on."""
    model: str | None
    started_at: float | None
    """In seconds since 1970."""
    seconds: float | None
    """From the first turn to the last."""
    turns: int
    """Model calls, those of sub-agents included."""
    calls: int
    """Tool calls, those of sub-agents included."""
    sub_agents: int
    """Agents that it started, and that these started."""
    cost: float | None
    """In the unit of the ledger; None where no turn's is known."""
    usd: float | None
    hit_rate: float | None
    """Share of the context that was read from the cache, where that was reported."""
    unpriced_turns: int = 0
    """Turns whose cost is not known and not in `cost`."""


class Group(Struct, frozen=True, kw_only=True):
    """The turns of one day, week, project, branch, agent or model."""

    name: str | None
    """Which; None where the traces do not say."""
    sessions: int
    """Sessions with a turn in it."""
    turns: int
    input_tokens: int
    """Context tokens that were neither read from the cache nor written to it."""
    written_tokens: int
    """Context tokens that were written to the cache."""
    read_tokens: int
    """Context tokens that were read from the cache."""
    output_tokens: int
    cost: float | None
    """In the unit of the ledger; None where no turn's is known."""
    usd: float | None
    unpriced_turns: int = 0
    """Turns whose cost is not known and not in `cost`."""


class Sessions(Struct, frozen=True):
    """All sessions of a ledger."""

    unit: CostUnit
    sessions: list[Session]
    """The most expensive first."""
    groups: dict[Grouping, list[Group]]
    """Days and weeks in order, the others by cost."""


def study_sessions(context: ReportContext) -> Sessions | None:
    """Sessions and their sums; None where the traces name neither a session nor a time."""
    turns = find_daily_turns(context)
    if turns is None:
        return None
    rows = context.frames.trajectories
    groups = {by: list(_group(turns, by)) for by in GROUPINGS}
    return Sessions(context.unit, list(_sessions(rows, turns)), groups)


def find_daily_turns(context: ReportContext) -> pl.DataFrame | None:
    """Sums of turns by trajectory, day and model, with the session, week, project, branch and agent
    of each; None where the traces name neither a session nor a time."""
    return context.once("daily turns", lambda: _join_daily_turns(context))


def _join_daily_turns(context: ReportContext) -> pl.DataFrame | None:
    rows = context.frames.trajectories
    if rows["session_id"].is_null().all() and rows["started_at"].is_null().all():
        return None
    sums = sum_volumes(context.tables, context.unit, "sessions", _sum_turns)["turns"]
    about = rows.select(session="trajectory_id", project="project", branch="branch", agent="format")
    week = pl.col("day").str.to_date("%Y-%m-%d").dt.strftime("%G-W%V")
    return (
        sums.join(find_roots(context), on="trajectory_id", how="left")
        .join(about, on="session", how="left")
        .with_columns(week=week)
    )


def _sum_turns(tables: Tables) -> Sums:
    """The turns of a stretch by trajectory, day and model."""
    cached, written = (pl.col(n).fill_null(0) for n in ("cached_tokens", "cache_write_tokens"))
    fresh = (pl.col("context_tokens") - cached - written).clip(lower_bound=0)
    start, end = pl.coalesce("started_at", "ended_at"), pl.coalesce("ended_at", "started_at")
    turns = Frames(tables).turns
    turns = turns.with_columns(day=local_days(turns.select(start=start)["start"]))
    sums = turns.group_by("trajectory_id", "day", "model", maintain_order=True).agg(
        pl.col("calls").sum(),
        turns=pl.len(),
        start=start.min(),
        end=end.max(),
        input_tokens=fresh.sum(),
        written_tokens=written.sum(),
        read_tokens=cached.sum(),
        output_tokens=pl.col("decode_tokens").sum(),
        reported_context=pl.col("context_tokens")
        .filter(pl.col("cached_tokens").is_not_null())
        .sum(),
        **tally_known("cost", pl.col("cost")),
        **tally_known("usd", pl.col("usd")),
    )
    return {"turns": sums}


def find_roots(context: ReportContext) -> pl.DataFrame:
    """`roots_of` the ledger, for whoever asks first."""
    return context.once("roots", lambda: roots_of(context.frames.trajectories))


def find_titles(context: ReportContext, ids: pl.Series) -> dict[str, str | None]:
    """Titles of some trajectories."""
    named = context.frames.trajectories.select("trajectory_id", "title")
    expected = ids.alias("trajectory_id").to_frame()
    return dict(named.join(expected, on="trajectory_id", how="semi").iter_rows())


def _sessions(rows: pl.DataFrame, turns: pl.DataFrame) -> Iterator[Session]:
    hits = pl.when(pl.col("reported_context").sum() > 0).then(
        pl.col("read_tokens").sum() / pl.col("reported_context").sum()
    )
    sums = turns.group_by("session").agg(
        pl.col("turns", "calls").sum(),
        add_known("cost"),
        add_known("usd"),
        seconds=pl.col("end").max() - pl.col("start").min(),
        sub_agents=pl.col("trajectory_id").n_unique() - 1,
        hit_rate=hits,
        unpriced_turns=pl.col("turns").sum() - pl.col("cost_known").sum(),
    )
    named = ("trajectory_id", "title", "project", "branch", "model", "started_at")
    about = rows.select(named).rename({"trajectory_id": "session"})
    joined = sums.join(about, on="session", how="left").rename({"session": "trajectory_id"})
    ordered = joined.sort("cost", "trajectory_id", descending=[True, False], nulls_last=True)
    return (Session(**row) for row in ordered.iter_rows(named=True))


def _group(turns: pl.DataFrame, by: Grouping) -> Iterator[Group]:
    tokens = pl.col("input_tokens", "written_tokens", "read_tokens", "output_tokens").sum()
    sums = turns.group_by(name=pl.col(by)).agg(
        pl.col("turns").sum(),
        tokens,
        add_known("cost"),
        add_known("usd"),
        sessions=pl.col("session").n_unique(),
        unpriced_turns=pl.col("turns").sum() - pl.col("cost_known").sum(),
    )
    in_time = by in ("day", "week")
    order: Any = "name" if in_time else "cost"
    ordered = sums.sort(order, "name", descending=[not in_time, False], nulls_last=True)
    return (Group(**row) for row in ordered.iter_rows(named=True))
