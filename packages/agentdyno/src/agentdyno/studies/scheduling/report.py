"""Was it scheduled well? Parallelism by setting, and the worst trajectories."""

from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.scheduling.lanes import Lanes, schedule_lanes
from agentdyno.studies.scheduling.parallelism import (
    SETTING,
    SettingSchedule,
    measure_schedules,
    schedule_rows,
)
from agentdyno.studies.tables import Tables

TABLE = "scheduling"
WORST = 10
"""Trajectories listed."""
DRAWN = 3
"""Schedules drawn."""
FEWEST_CALLS, MOST_CALLS = 2, 60
"""Calls of a schedule that is worth a picture and can be read in one."""


class MissedSchedule(Struct, frozen=True, kw_only=True):
    """One trajectory whose turns could have been joined."""

    trajectory_id: str
    setting: SettingName
    task_id: str | None
    calls: int
    call_turns: int
    missed_turns: int | None
    """Turns that could have been part of an earlier one; None where the graph is not known."""
    missed_cost: float | None
    """Cost that would be gone."""
    missed_share: float | None
    """The same over its cost."""
    missed_tool_seconds: float | None
    """Waiting that would be gone."""
    missed_model_seconds: float | None
    """Generation time of such turns."""
    edge_source: str
    """`known` or `inferred` dependencies."""
    lanes: Lanes | None = None
    """Its calls in time, where they are drawn."""


class Scheduling(Struct, frozen=True):
    """Everything about schedules."""

    whole: SettingSchedule
    """All trajectories with calls."""
    settings: list[SettingSchedule]
    """By setting, the dearest first."""
    known: int
    """Trajectories whose dependencies came with the task."""
    inferred: int
    """Trajectories whose dependencies were inferred."""
    timeless: int
    """Trajectories without times for all calls."""
    unread: int
    """Inputs that could not be read again."""
    worst: list[MissedSchedule]
    """Trajectories that missed the most."""
    drawn: list[MissedSchedule]
    """Of each setting the one that missed the most, with its lanes."""
    unit: CostUnit = "pte"


def study_scheduling(context: ReportContext) -> Scheduling | None:
    """None where nobody looked at schedules, or no trajectory made calls."""
    tables = context.tables
    if not tables.has(TABLE):
        return None
    costs = context.frames.costs
    rows = schedule_rows(tables, costs)
    if rows.is_empty():
        return None
    parts = rows.partition_by(SETTING, maintain_order=True)
    known_edges = int((rows["edge_source"] == "known").sum())
    return Scheduling(
        whole=measure_schedules("all", rows),
        settings=[measure_schedules(_name(part), part) for part in parts],
        known=known_edges,
        inferred=len(rows) - known_edges,
        timeless=int(rows["overlap"].is_null().sum()),
        unread=len(tables.missing(TABLE)),
        worst=_worst(rows),
        drawn=_draw(tables, parts),
        unit=costs.unit,
    )


def _name(part: pl.DataFrame) -> str:
    model, benchmark, variant = part.select(SETTING).row(0)
    named = ((model or "").rpartition("/")[2] or None, benchmark, variant)
    return " · ".join(name for name in named if name) or "–"


def _worst(rows: pl.DataFrame) -> list[MissedSchedule]:
    order = ["missed_cost", "missed_turns", "trajectory_id"]
    missed = rows.filter(pl.col("missed_turns") > 0)
    worst = missed.sort(order, descending=[True, True, False], nulls_last=True).head(WORST)
    return [_build_missed(row) for row in worst.iter_rows(named=True)]


def _draw(tables: Tables, parts: list[pl.DataFrame]) -> list[MissedSchedule]:
    worst = [w for part in parts if len(w := _by_missed(_drawable(part)).head(1))]
    drawn = _by_missed(pl.concat(worst)).head(DRAWN) if worst else pl.DataFrame()
    schedules = [
        _build_missed(row, schedule_lanes(tables, row["trajectory_id"]))
        for row in drawn.iter_rows(named=True)
    ]
    return [schedule for schedule in schedules if schedule.lanes is not None]


def _drawable(part: pl.DataFrame) -> pl.DataFrame:
    return part.filter(pl.col("calls").is_between(FEWEST_CALLS, MOST_CALLS))


def _by_missed(rows: pl.DataFrame) -> pl.DataFrame:
    order = ["missed_turns", "missed_cost", "calls", "trajectory_id"]
    return rows.sort(order, descending=[True, True, True, False], nulls_last=True)


def _build_missed(row: dict[str, Any], lanes: Lanes | None = None) -> MissedSchedule:
    fields = set(MissedSchedule.__struct_fields__) - {"setting", "lanes", "missed_cost"}
    setting, cost = SettingName(*(row[field] for field in SETTING)), row["missed_cost"]
    values = {name: row[name] for name in fields}
    return MissedSchedule(**values, setting=setting, missed_cost=cost, lanes=lanes)
