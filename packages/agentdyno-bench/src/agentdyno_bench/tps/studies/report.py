"""Attempts at our own planning tasks: what was done, what it cost, and by which way of working."""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.readings import mean_of, share_of
from agentdyno.studies.report_context import ReportContext
from agentdyno_bench.tps.studies.ablations import Ablation, compare_ways
from agentdyno_bench.tps.studies.attempts import SETTING, attempts
from agentdyno_bench.tps.studies.judge_check import (
    JudgeCheck,
    check_judges,
    list_judged_attempts,
)
from agentdyno_bench.tps.studies.leaderboard import estimate_pass_power, estimate_score, rank
from agentdyno_bench.tps.studies.settings import (
    SettingMeasures,
    compare_settings,
    completion_of,
)


class PlannedSetting(Struct, frozen=True):
    """Attempts of one setting at our own tasks."""

    measures: SettingMeasures
    """Means over its tasks."""
    rank: tuple[int, int]
    """Best and worst place by score that its interval allows, among its task set."""
    score: Estimate
    """Goals met, less what harm takes off."""
    pass_power: tuple[int, Estimate] | None
    """k, and the share of tasks of which k attempts are all solved; None with single attempts."""
    completion: Estimate
    """Share of the subtasks that were done."""
    all_done: Estimate
    """Share of the attempts that did all."""
    harmful: Estimate
    """Share of the attempts that changed something nobody asked for."""
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


class Planning(Struct, frozen=True):
    """Attempts at our own planning tasks."""

    attempts: int
    completion: Estimate
    """Share of the subtasks that were done."""
    all_done: Estimate
    """Share of the attempts that did all."""
    harmful: Estimate
    """Share of the attempts that changed something nobody asked for."""
    turns_over_best: Estimate
    """Of those that did all, turns over the fewest possible."""
    settings: list[PlannedSetting]
    ways: list[Ablation]
    """Selections and schedulings against each other."""
    checks: list[JudgeCheck]
    in_prose: int = 0
    """Attempts with answers in prose, which the settings have and the figures over all have not."""
    unit: CostUnit = "pte"


def study_planning(context: ReportContext) -> Planning | None:
    """None where nobody attempted such a task."""
    tables, costs = context.tables, context.frames.costs
    planned = attempts(tables)
    if planned.is_empty():
        return None
    planned = costs.on(planned)
    parts = planned.partition_by(SETTING, maintain_order=True)
    measured, submitted = compare_settings(planned, costs.unit), _leave_out_prose(planned)
    return Planning(
        attempts=len(submitted),
        completion=completion_of(submitted),
        all_done=share_of(submitted, "correct"),
        harmful=share_of(submitted, "harmful"),
        turns_over_best=mean_of(submitted.filter(pl.col("correct")), "turns_over_best"),
        settings=_rank_settings(
            [_find_planned(s, parts, p) for s, p in zip(measured, parts, strict=True)]
        ),
        ways=compare_ways(planned),
        checks=check_judges(list_judged_attempts(tables, planned)),
        in_prose=len(planned) - len(submitted),
        unit=costs.unit,
    )


def _leave_out_prose(planned: pl.DataFrame) -> pl.DataFrame:
    """Attempts that submitted their answers; all of one kind where there is only one."""
    submitted = planned.filter(pl.col("answers") == "submit")
    return planned if submitted.is_empty() else submitted


def _rank_settings(settings: list[PlannedSetting]) -> list[PlannedSetting]:
    """Task set by task set, the best score first."""
    return sorted(settings, key=lambda s: (s.measures.benchmark, -(s.score.value or 0.0)))


def _find_planned(
    measures: SettingMeasures, every: list[pl.DataFrame], part: pl.DataFrame
) -> PlannedSetting:
    of_task_set = [p for p in every if p["benchmark"][0] == measures.benchmark]
    scores = [estimate_score(p) for p in of_task_set]
    score = next(s for s, p in zip(scores, of_task_set, strict=True) if p is part)
    return PlannedSetting(
        measures=measures,
        rank=rank(score, scores),
        score=score,
        pass_power=estimate_pass_power(part),
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
