"""Judges against the program on completion, where the program knows: our own tasks.

Enters a ledger and its attempts; leaves what every judge says of each attempt beside the truth, and
a table of it. Judges are the one that the benchmark was run with, and those that were asked later
(`judge --kind completion`).
"""

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.judge.verdicts import verdicts_of
from agentdyno.pipelines.planning.settings import completion_of, judge_completion, judge_subtasks
from agentdyno.records.topics import CellKind, TopicColumn, TopicTable, Value

OWN = "the run's own"
_GROUP = ("judge", "benchmark", "model")
_KEPT = (*_GROUP, "task", "completion", "subtasks", "judged_completion", "judged_subtasks")
_COLUMNS: tuple[tuple[str, CellKind], ...] = (
    ("judge", "text"),
    ("of", "text"),
    ("judged", "count"),
    ("by judge", "share"),
    ("by program", "share"),
    ("correlation of completion", "ratio"),
    ("correlation of parts and subtasks", "ratio"),
)


def judged_attempts(ledger: Ledger, attempts: pl.DataFrame) -> pl.DataFrame:
    """A row for every judge and attempt that it marked."""
    own = attempts.filter(pl.col("judged_completion").is_not_null())
    later = (
        verdicts_of(ledger, "completion")
        .filter(pl.col("score").is_not_null())
        .select(
            "trajectory_id",
            judge=pl.format("{} ({})", "judge", "model"),
            score="score",
        )
    )
    asked = attempts.join(later, on="trajectory_id", maintain_order="left").with_columns(
        judged_completion="score", judged_subtasks=pl.lit(None, pl.Int64)
    )
    found = own.with_columns(judge=pl.lit(OWN)).select(_KEPT)
    return pl.concat([found, asked.select(_KEPT)])


def judge_table(judged: pl.DataFrame) -> TopicTable:
    """Every judge against the program, by the model that it marked."""
    groups = judged.partition_by(_GROUP, maintain_order=True)
    return TopicTable(
        title="Judge against program",
        columns=[TopicColumn(*column) for column in _COLUMNS],
        rows=[_row(group) for group in groups],
    )


def _row(group: pl.DataFrame) -> list[Value]:
    judge, benchmark, model = group.select(_GROUP).row(0)
    return [
        judge,
        f"{model.rpartition('/')[2]} · {benchmark}",
        len(group),
        completion_of(group, "judged_completion"),
        completion_of(group),
        judge_completion(group),
        judge_subtasks(group),
    ]
