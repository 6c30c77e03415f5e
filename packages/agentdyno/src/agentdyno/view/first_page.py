"""The first page: spending day by day, who spent it, the dearest sessions, and what runs now.

Takes a snapshot and what the page asks for, returns plain values. Costs are those of the days on
which turns were sent, so that a session of two days stands in both. A day without a turn is a day.
"""

import time
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Literal, get_args

import msgspec
import polars as pl
from msgspec import Struct

from agentdyno.intake.session_folders import name_agent
from agentdyno.records.origins import AGENTS, FILE, SERVER, SKILL
from agentdyno.studies.origins import ask_origins, fold_origins, sum_by_origin
from agentdyno.studies.sessions import find_daily_turns
from agentdyno.studies.today import study_today
from agentdyno.studies.volumes import add_known
from agentdyno.view.session_list import sessions_of
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.spent import list_spent
from agentdyno.view.words import clean_id, clean_words

Split = Literal["agent", "project", "model"]
SPLITS: tuple[Split, ...] = get_args(Split)
MOST_NAMES = 6
"""Names with a colour of their own; the rest are one."""
MOST_SESSIONS = 10
MOST_ORIGINS = 8
TREND_DAYS = 7
"""Days that a point of the trend is the mean of."""
RECENT_DAYS = 60
"""Spending of these days makes the chart end today; older spending makes it end with itself."""
RUNNING_SECONDS = 300.0
"""A session with an answer since then is running."""


class FirstPageQuery(Struct, frozen=True, kw_only=True):
    """What the page asks."""

    days: int = 30
    """Days of the chart; 0 for all."""
    by: Split | None = None
    """What the bars are split by; None: the first of which there are several."""
    day: str = ""
    """The day that is looked at; empty: all of them."""
    agent: str | None = None
    """Of this agent alone."""
    project: str | None = None
    """Of this project alone."""
    model: str | None = None
    """Of this model alone."""


def describe_first_page(
    snapshot: Snapshot, query: FirstPageQuery, now: float | None = None
) -> dict[str, Any]:
    """All that the page draws."""
    moment = time.time() if now is None else now
    turns = find_daily_turns(snapshot.context)
    dated = None if turns is None else turns.filter(pl.col("day").is_not_null())
    page: dict[str, Any] = {
        "generation": snapshot.generation,
        "unit": snapshot.context.unit,
        "sums": _sum_calendar(snapshot, moment),
        "running": _list_running(snapshot, moment),
        "days": None,
    }
    if turns is None or dated is None or dated.is_empty():
        return page
    filters = {name: name_ for name in SPLITS if (name_ := getattr(query, name)) is not None}
    selected = dated.filter(pl.lit(value=True), **filters)
    first, last = _choose_range(dated, query.days, date.fromtimestamp(moment))
    within = selected.filter(pl.col("day").is_between(pl.lit(f"{first}"), pl.lit(f"{last}")))
    looked_at = within.filter(pl.col("day") == query.day) if query.day else within
    several: list[Split] = [name for name in SPLITS if dated[name].n_unique() > 1]
    by: Split = query.by or (several[0] if several else "agent")
    names = _rank(within, by)
    return page | {
        "from": f"{first}",
        "to": f"{last}",
        "by": by,
        "names": [_label(by, name) for name in names],
        "days": [*_list_days(selected, first, last, by, names)],
        "splits": {by: _list_split(looked_at, by) for by in SPLITS},
        "sessions": _list_dearest(snapshot, looked_at, moment),
        "cost": _add_up(looked_at),
        "undated": _add_up(turns.filter(pl.col("day").is_null())) or 0.0,
        "unpriced": int((looked_at["turns"] - looked_at["cost_known"]).sum()),
    }


SPENT_ON = {
    SERVER: "MCP server", SKILL: "skill", FILE: "instruction file", AGENTS: "sub-agent",
}  # fmt: skip
"""Origins whose own page is that of a kind of spending."""


def list_origins(snapshot: Snapshot) -> dict[str, Any]:
    """The bill by origin, of the whole ledger; no rows where nobody worked it out yet."""
    origins = snapshot.once("origins", lambda: ask_origins(snapshot.context))
    rows = sum_by_origin(origins) if origins else []
    columns = ("origin", "usd", "share")
    named = fold_origins(rows, MOST_ORIGINS)
    kinds = list_spent(snapshot)["kinds"] if rows else {}
    return {
        "rows": [
            {name: getattr(origin, name) for name in columns}
            | {"kind": kind if (kind := SPENT_ON.get(origin.origin)) in kinds else None}
            for origin in named
        ]
    }


def _sum_calendar(snapshot: Snapshot, moment: float) -> dict[str, Any] | None:
    calendar = study_today(snapshot.context, moment)
    if calendar is None:
        return None
    names = ("today", "week", "week_before", "month")
    return {name: getattr(calendar, name) for name in names} | {"day": f"{calendar.day}"}


def _choose_range(turns: pl.DataFrame, days: int, today: date) -> tuple[date, date]:
    """The last days, up to today where something was spent lately."""
    ends = turns["day"].min(), turns["day"].max()
    oldest, newest = (date.fromisoformat(str(end)) for end in ends)
    last = today if newest >= today - timedelta(days=RECENT_DAYS) else newest
    last = max(last, newest)
    return (oldest if days <= 0 else last - timedelta(days=days - 1)), last


def _rank(turns: pl.DataFrame, by: Split) -> list[str | None]:
    sums = turns.group_by(by).agg(pl.col("cost").sum())
    ordered = sums.sort("cost", by, descending=[True, False], nulls_last=True)
    return ordered[by].head(MOST_NAMES).to_list()


def _list_days(
    turns: pl.DataFrame, first: date, last: date, by: Split, names: list[str | None]
) -> Iterator[dict[str, Any]]:
    """Every day of the stretch: its cost, that of each name, and the mean of the days up to it."""
    parts: dict[str, dict[str | None, float]] = {}
    priced = turns.filter(pl.col("cost_known") > 0)
    sums = priced.group_by("day", by).agg(pl.col("cost").sum())
    for day, name, cost in sums.iter_rows():
        parts.setdefault(day, {})[name] = cost
    unknown = set(turns["day"]) - set(priced["day"])
    for index in range((last - first).days + 1):
        day = f"{first + timedelta(days=index)}"
        costs = parts.get(day, {})
        before = [f"{first + timedelta(days=index - back)}" for back in range(TREND_DAYS)]
        named = [costs.get(name, 0.0) for name in names]
        total = sum(costs.values())
        yield {
            "day": day,
            # What has no price is not free.
            "cost": None if day in unknown else total,
            "parts": [*named, max(total - sum(named), 0.0)],
            "trend": sum(sum(parts.get(earlier, {}).values()) for earlier in before) / TREND_DAYS,
        }


def _list_split(turns: pl.DataFrame, by: Split) -> list[dict[str, Any]]:
    sums = turns.group_by(by).agg(
        add_known("cost"), pl.col("turns").sum(), sessions=pl.col("session").n_unique()
    )
    ordered = sums.sort("cost", by, descending=[True, False], nulls_last=True)
    return [
        {"name": name, "label": _label(by, name), "cost": cost, "turns": turns, "sessions": many}
        for name, cost, turns, many in ordered.iter_rows()
    ]


def _label(by: Split, name: str | None) -> str | None:
    if name is None or by == "project":
        return clean_id(name)
    return clean_words(name_agent(name) if by == "agent" else name)


def _list_dearest(snapshot: Snapshot, turns: pl.DataFrame, moment: float) -> list[dict[str, Any]]:
    """By what they cost on the days that are looked at."""
    sums = turns.group_by("session").agg(add_known("cost"), pl.col("turns").sum())
    first = sums.sort("cost", "session", descending=[True, False], nulls_last=True)
    return _describe(snapshot, first.head(MOST_SESSIONS), moment)


def _list_running(snapshot: Snapshot, moment: float) -> list[dict[str, Any]]:
    rows = sessions_of(snapshot).filter(pl.col("ended_at") >= moment - RUNNING_SECONDS)
    newest = rows.sort("ended_at", descending=True).head(MOST_SESSIONS)
    return _describe(snapshot, newest.select("cost", "turns", session="id"), moment)


def _describe(snapshot: Snapshot, sums: pl.DataFrame, moment: float) -> list[dict[str, Any]]:
    columns = ("title", "task_id", "source", "project", "branch", "agent", "model", "started_at",
               "ended_at", "hit_rate")  # fmt: skip
    about = sessions_of(snapshot).select(*columns, session="id")
    joined = sums.join(about, on="session", how="left", maintain_order="left")
    return [
        {
            "id": row["session"],
            "title": clean_words(row["title"] or row["task_id"] or row["source"], 160),
            "project": clean_id(row["project"]),
            "branch": clean_id(row["branch"]),
            "agent": clean_words(row["agent"]),
            "model": clean_words(row["model"]),
            "is_running": (row["ended_at"] or 0.0) >= moment - RUNNING_SECONDS,
            **{name: row[name] for name in ("cost", "turns", "started_at", "ended_at", "hit_rate")},
        }
        for row in joined.iter_rows(named=True)
    ]


def _add_up(turns: pl.DataFrame) -> float | None:
    priced = int(turns["cost_known"].sum())
    return float(turns["cost"].sum()) if priced or turns.is_empty() else None


def read_query(parameters: dict[str, str]) -> FirstPageQuery:
    """What stands in the address."""
    fields = FirstPageQuery.__struct_fields__
    plain = {key: value for key, value in parameters.items() if key in fields}
    return msgspec.convert(plain, FirstPageQuery, strict=False)
