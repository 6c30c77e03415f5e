"""Answers in a box without the asked tag: not solved, and no wrong answers either.

Takes the trajectories of a ledger, returns one row for each setting that has such answers. They are
told apart by `graded_by`, which the graders of benchmarks leave.
"""

import polars as pl
from msgspec import Struct

from agentdyno.studies.report_context import ReportContext

BOX = "box, "
"""What `graded_by` begins with for such an answer; what the box would have been worth follows."""
RIGHT, WRONG = f"{BOX}right inside", f"{BOX}wrong inside"


class BoxedAnswers(Struct, frozen=True):
    """One setting's answers in boxes."""

    model: str | None
    benchmark: str | None
    variant: str | None
    attempts: int
    """Attempts that have a grader's word."""
    solved: int
    """Those that gave the right answer as asked."""
    right: int
    """In a box, and right inside: a matter of form alone."""
    wrong: int
    """In a box, and wrong inside."""
    ungraded: int
    """In a box, and nobody could tell."""


def study_boxes(context: ReportContext) -> list[BoxedAnswers] | None:
    """None where no answer of the ledger stands so."""
    rows = context.tables.read("trajectories").filter(pl.col("graded_by").is_not_null())
    by = pl.col("graded_by")
    right, wrong = (by == RIGHT).sum(), (by == WRONG).sum()
    found = (
        rows.group_by("model", "benchmark", "variant")
        .agg(
            attempts=pl.len(),
            solved=pl.col("correct").fill_null(False).sum(),
            right=right,
            wrong=wrong,
            ungraded=by.str.starts_with(BOX).sum() - right - wrong,
        )
        .filter(pl.sum_horizontal("right", "wrong", "ungraded") > 0)
        .sort("model", "benchmark", "variant", nulls_last=True)
    )
    return [BoxedAnswers(**row) for row in found.iter_rows(named=True)] or None
