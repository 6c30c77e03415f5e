"""The head of a cost report: what it cost, where it went, what to change."""

import polars as pl

from agentdyno.studies.cost.results import Overview
from agentdyno.studies.levers import find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.report_head import study_highlights


def study_overview(context: ReportContext) -> Overview:
    """What it cost, where it went, what to change."""
    rows = context.frames.trajectories.filter(pl.col("correct").is_not_null())
    return Overview(
        summary=context.summary,
        graded=len(rows),
        solved=int(rows["correct"].sum() or 0),
        graded_cost=None if rows["cost"].null_count() else float(rows["cost"].sum()),
        levers=context.once("levers", lambda: find_levers(context)),
        old=context.old,
        highlights=context.once("highlights", lambda: study_highlights(context)),
    )
