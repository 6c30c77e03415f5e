"""Judges against the program on completion, where the program knows: our own tasks.

Takes a ledger and its attempts, returns what every judge says of each attempt beside the truth.
Judges are the one that the benchmark was run with, and those that were asked later
(`judge --kind completion`).
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.verdicts.current import verdicts_of
from agentdyno_bench.tps.studies.settings import (
    completion_of,
    judge_completion,
    judge_subtasks,
)

OWN = "the run's own"
_GROUP = ("judge", "benchmark", "model")
_KEPT = (*_GROUP, "task", "completion", "subtasks", "judged_completion", "judged_subtasks")


class JudgeCheck(Struct, frozen=True):
    """One judge against the program on one model's attempts."""

    judge: str
    benchmark: str
    model: str
    attempts: int
    by_judge: Estimate
    """Completion as the judge sees it."""
    by_program: Estimate
    """Completion as the program knows it."""
    completion: Estimate
    subtasks: Estimate
    """Correlation of the parts that the judge found with the task's subtasks."""


def list_judged_attempts(ledger: Tables, attempts: pl.DataFrame) -> pl.DataFrame:
    """A row for every judge and attempt that it marked."""
    scored = attempts.filter(pl.col("judged_completion").is_not_null())
    later = (
        verdicts_of(ledger, "completion")
        .filter(pl.col("score").is_not_null())
        .select(
            "trajectory_id",
            judge=pl.format("{} ({})", "judge", "model"),
            score="score",
        )
    )
    verdict_rows = attempts.join(later, on="trajectory_id", maintain_order="left").with_columns(
        judged_completion="score", judged_subtasks=pl.lit(None, pl.Int64)
    )
    own_marks = scored.with_columns(judge=pl.lit(OWN)).select(_KEPT)
    return pl.concat([own_marks, verdict_rows.select(_KEPT)])


def check_judges(judged: pl.DataFrame) -> list[JudgeCheck]:
    """Every judge against the program, by the model that it marked."""
    return [_check(group) for group in judged.partition_by(_GROUP, maintain_order=True)]


def _check(group: pl.DataFrame) -> JudgeCheck:
    judge, benchmark, model = group.select(_GROUP).row(0)
    return JudgeCheck(
        judge,
        benchmark,
        model,
        len(group),
        completion_of(group, "judged_completion"),
        completion_of(group),
        judge_completion(group),
        judge_subtasks(group),
    )
