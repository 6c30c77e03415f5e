"""Was it scheduled well? Parallelism by setting, the worst trajectories, and our own tasks."""

from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.unit import Costs
from agentdyno.studies.readings import mean_of, share_of
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.scheduling.ablations import Ablation, compare_ways
from agentdyno.studies.scheduling.judge_check import JudgeCheck, check_judges, list_judged_attempts
from agentdyno.studies.scheduling.lanes import Lanes, schedule_lanes
from agentdyno.studies.scheduling.parallelism import (
    SETTING,
    SettingSchedule,
    measure_schedules,
    schedule_rows,
)
from agentdyno.studies.scheduling.planned_attempts import SETTING as PLANNED
from agentdyno.studies.scheduling.planned_attempts import attempts
from agentdyno.studies.scheduling.settings import SettingMeasures, compare_settings, completion_of
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
    """Which."""
    setting: SettingName
    """Its setting."""
    task_id: str | None
    """The task."""
    calls: int
    """Calls made."""
    call_turns: int
    """Turns with calls."""
    missed_turns: int
    """Turns that could have been part of an earlier one."""
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


class PlannedSetting(Struct, frozen=True):
    """Attempts of one setting at our own tasks."""

    measures: SettingMeasures
    """Means over its tasks."""
    completion: Estimate
    """Share of the subtasks that were done."""
    all_done: Estimate
    """Share of the attempts that did all."""
    harmful: Estimate
    """Share of the attempts that changed something nobody wished for."""
    call_turns: Estimate
    """Turns with calls a task."""
    turns_over_best: Estimate
    """Over the fewest possible."""
    makespan_over_critical: Estimate
    """Tool time over the critical path."""
    speedup_taken: Estimate
    """Busy time over makespan."""
    seconds: Estimate
    """Model and tool time a task."""
    cost: Estimate
    """Cost a task."""


class Planning(Struct, frozen=True):
    """Attempts at our own planning tasks."""

    attempts: int
    """How many."""
    completion: Estimate
    """Share of the subtasks that were done."""
    all_done: Estimate
    """Share of the attempts that did all."""
    harmful: Estimate
    """Share of the attempts that changed something nobody wished for."""
    turns_over_best: Estimate
    """Of those that did all, turns over the fewest possible."""
    settings: list[PlannedSetting]
    """By setting."""
    ways: list[Ablation]
    """Selections and schedulings against each other."""
    checks: list[JudgeCheck]
    """Judges against the program."""
    in_prose: int = 0
    """Attempts with answers in prose, which the settings have and the figures over all have not."""
    unit: CostUnit = "pte"
    """What costs are counted in."""


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
    planning: Planning | None
    """Our own tasks; None without any."""
    unit: CostUnit = "pte"
    """What costs are counted in."""


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
    known = int((rows["edge_source"] == "known").sum())
    return Scheduling(
        whole=measure_schedules("all", rows),
        settings=[measure_schedules(_name(part), part) for part in parts],
        known=known,
        inferred=len(rows) - known,
        timeless=int(rows["overlap"].is_null().sum()),
        unread=len(tables.missing(TABLE)),
        worst=_worst(rows),
        drawn=_draw(tables, parts),
        planning=_build_planning(tables, costs),
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
    chosen = _by_missed(pl.concat(worst)).head(DRAWN) if worst else pl.DataFrame()
    found = [
        _build_missed(row, schedule_lanes(tables, row["trajectory_id"]))
        for row in chosen.iter_rows(named=True)
    ]
    return [one for one in found if one.lanes is not None]


def _drawable(part: pl.DataFrame) -> pl.DataFrame:
    return part.filter(pl.col("calls").is_between(FEWEST_CALLS, MOST_CALLS))


def _by_missed(rows: pl.DataFrame) -> pl.DataFrame:
    order = ["missed_turns", "missed_cost", "calls", "trajectory_id"]
    return rows.sort(order, descending=[True, True, True, False], nulls_last=True)


def _build_missed(row: dict[str, Any], lanes: Lanes | None = None) -> MissedSchedule:
    own = set(MissedSchedule.__struct_fields__) - {"setting", "lanes", "missed_cost"}
    setting, cost = SettingName(*(row[field] for field in SETTING)), row["missed_cost"]
    known = {name: row[name] for name in own}
    return MissedSchedule(**known, setting=setting, missed_cost=cost, lanes=lanes)


def _build_planning(tables: Tables, costs: Costs) -> Planning | None:
    planned = attempts(tables)
    if planned.is_empty():
        return None
    planned = costs.on(planned)
    parts = planned.partition_by(PLANNED, maintain_order=True)
    measured, submitted = compare_settings(planned, costs.unit), _leave_out_prose(planned)
    return Planning(
        attempts=len(submitted),
        completion=completion_of(submitted),
        all_done=share_of(submitted, "correct"),
        harmful=share_of(submitted, "harmful"),
        turns_over_best=mean_of(submitted.filter(pl.col("correct")), "turns_over_best"),
        settings=[_find_planned(s, part) for s, part in zip(measured, parts, strict=True)],
        ways=compare_ways(planned),
        checks=check_judges(list_judged_attempts(tables, planned)),
        in_prose=len(planned) - len(submitted),
        unit=costs.unit,
    )


def _leave_out_prose(planned: pl.DataFrame) -> pl.DataFrame:
    """Attempts that submitted their answers; all of one kind where there is only one."""
    submitted = planned.filter(pl.col("answers") == "submit")
    return planned if submitted.is_empty() else submitted


def _find_planned(measures: SettingMeasures, part: pl.DataFrame) -> PlannedSetting:
    return PlannedSetting(
        measures=measures,
        completion=completion_of(part),
        all_done=share_of(part, "correct"),
        harmful=share_of(part, "harmful"),
        call_turns=mean_of(part, "call_turns"),
        turns_over_best=mean_of(part, "turns_over_best"),
        makespan_over_critical=mean_of(part, "makespan_over_critical"),
        speedup_taken=mean_of(part, "speedup_taken"),
        seconds=mean_of(part, "seconds"),
        cost=mean_of(part, "cost"),
    )
