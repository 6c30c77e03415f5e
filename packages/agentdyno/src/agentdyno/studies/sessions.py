"""Sessions as people know them, and their costs by day, week, project, branch, agent and model.

Takes an inquiry, returns `Sessions`. A session is a main agent's trajectory with every sub-agent
that it started, directly or not. Days and weeks are those of the turns, in UTC; a session's
duration is from its first turn to its last, pauses included.
"""

from collections.abc import Iterator
from typing import Any, Literal

import polars as pl
from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.report_context import ReportContext

Grouping = Literal["day", "week", "project", "branch", "agent", "model"]
GROUPINGS: tuple[Grouping, ...] = ("day", "week", "project", "branch", "agent", "model")


class Session(Struct, frozen=True, kw_only=True):
    """One session with its sub-agents."""

    trajectory_id: str
    """The main agent's trajectory."""
    title: str | None
    """The session's title, or how its first prompt begins."""
    project: str | None
    """The folder that the agent worked in."""
    branch: str | None
    """The branch that it began on."""
    model: str | None
    """The main agent's model."""
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
    """The same in money."""
    hit_rate: float | None
    """Share of the context that was read from the cache, where that was reported."""


class Group(Struct, frozen=True, kw_only=True):
    """The turns of one day, week, project, branch, agent or model."""

    name: str | None
    """Which; None where the traces do not say."""
    sessions: int
    """Sessions with a turn in it."""
    turns: int
    """Model calls."""
    input_tokens: int
    """Context tokens that were neither read from the cache nor written to it."""
    written_tokens: int
    """Context tokens that were written to the cache."""
    read_tokens: int
    """Context tokens that were read from the cache."""
    output_tokens: int
    """Generated tokens."""
    cost: float | None
    """In the unit of the ledger."""
    usd: float | None
    """The same in money."""


class Sessions(Struct, frozen=True):
    """All sessions of a ledger."""

    unit: CostUnit
    """What `cost` is counted in."""
    sessions: list[Session]
    """The most expensive first."""
    groups: dict[Grouping, list[Group]]
    """Days and weeks in order, the others by cost."""


def study_sessions(context: ReportContext) -> Sessions | None:
    """Sessions and their sums; None where the traces name neither a session nor a time."""
    rows = context.frames.trajectories
    if rows["session_id"].is_null().all() and rows["started_at"].is_null().all():
        return None
    turns = turns_by_session(context)
    unit: CostUnit = context.unit
    groups = {by: list(_group(turns, by)) for by in GROUPINGS}
    return Sessions(unit, list(_sessions(rows, turns)), groups)


def turns_by_session(context: ReportContext) -> pl.DataFrame:
    """The turns with the `session` they belong to, its project and branch, and their day."""
    rows = context.frames.trajectories
    roots = roots_of(rows)
    about = rows.select(session="trajectory_id", project="project", branch="branch", agent="format")
    at = pl.from_epoch(pl.coalesce("started_at", "ended_at"), time_unit="s")
    return (
        context.frames.turns.join(roots, on="trajectory_id", how="left")
        .join(about, on="session", how="left")
        .with_columns(day=at.dt.strftime("%Y-%m-%d"), week=at.dt.strftime("%G-W%V"))
    )


def roots_of(trajectories: pl.DataFrame) -> pl.DataFrame:
    """Every trajectory with its `session`: the main one that it goes back to."""
    parents = dict(trajectories.select("trajectory_id", "parent_id").iter_rows())

    def root(name: str) -> str:
        seen = {name}
        while (
            (parent := parents.get(name)) is not None and parent in parents and parent not in seen
        ):
            seen.add(parent)
            name = parent
        return name

    pairs = [(name, root(name)) for name in parents]
    schema = {"trajectory_id": pl.String, "session": pl.String}
    return pl.DataFrame(pairs, schema=schema, orient="row")


def _sessions(rows: pl.DataFrame, turns: pl.DataFrame) -> Iterator[Session]:
    end = pl.coalesce("ended_at", "started_at").max()
    start = pl.coalesce("started_at", "ended_at").min()
    sums = turns.group_by("session").agg(
        pl.len().alias("turns"),
        pl.col("calls").sum(),
        seconds=end - start,
        sub_agents=pl.col("trajectory_id").n_unique() - 1,
        cost=sum_known("cost"),
        usd=sum_known("usd"),
        hit_rate=_hit_rate(),
    )
    named = ("trajectory_id", "title", "project", "branch", "model", "started_at")
    about = rows.select(named).rename({"trajectory_id": "session"})
    joined = sums.join(about, on="session", how="left").rename({"session": "trajectory_id"})
    ordered = joined.sort("cost", "trajectory_id", descending=[True, False], nulls_last=True)
    return (Session(**row) for row in ordered.iter_rows(named=True))


def _group(turns: pl.DataFrame, by: Grouping) -> Iterator[Group]:
    cached, written = (pl.col(n).fill_null(0) for n in ("cached_tokens", "cache_write_tokens"))
    fresh = (pl.col("context_tokens") - cached - written).clip(lower_bound=0)
    sums = turns.group_by(name=pl.col(by)).agg(
        pl.len().alias("turns"),
        sessions=pl.col("session").n_unique(),
        input_tokens=fresh.sum(),
        written_tokens=written.sum(),
        read_tokens=cached.sum(),
        output_tokens=pl.col("decode_tokens").sum(),
        cost=sum_known("cost"),
        usd=sum_known("usd"),
    )
    in_time = by in ("day", "week")
    order: Any = "name" if in_time else "cost"
    ordered = sums.sort(order, "name", descending=[not in_time, False], nulls_last=True)
    return (Group(**row) for row in ordered.iter_rows(named=True))


def sum_known(name: str) -> pl.Expr:
    """The sum of what is known; null where nothing is."""
    return pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()).alias(name)


def _hit_rate() -> pl.Expr:
    known = pl.col("cached_tokens").is_not_null()
    context = pl.col("context_tokens").filter(known).sum()
    return pl.when(context > 0).then(pl.col("cached_tokens").sum() / context)
