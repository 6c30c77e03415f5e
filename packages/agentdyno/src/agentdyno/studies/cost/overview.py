"""The head of a cost report: what it cost, where it went, what to change."""

from agentdyno.studies.cost.results import Overview
from agentdyno.studies.levers import find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.report_head import study_highlights


def study_overview(context: ReportContext) -> Overview:
    """What it cost, where it went, what to change."""
    rows, _ = context.ranked
    spent = [row.graded_pte for row in rows]
    known = [pte for pte in spent if pte is not None]
    return Overview(
        summary=context.summary,
        graded=sum(row.graded for row in rows),
        solved=sum(row.solved for row in rows),
        graded_pte=sum(known) if known == spent else None,
        levers=context.once("levers", lambda: find_levers(context)),
        old=context.old,
        highlights=context.once("highlights", lambda: study_highlights(context)),
    )
