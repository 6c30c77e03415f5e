"""A lever out of the rows that it is the sum of."""

import polars as pl

from agentdyno.records import plural
from agentdyno.studies.cost.lever import Certainty, FileEdit, Kind, Lever, Scope
from agentdyno.studies.levers.savings import Savings, add_savings
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots
from agentdyno_daily.levers.settings import describe_edits

ID = "trajectory_id"


def list_sessions(context: ReportContext) -> pl.DataFrame:
    """Every trajectory with its `session`, and the project and agent of that."""
    about = context.frames.trajectories.select(session=ID, project="project", agent="format")
    roots = find_roots(context)
    return roots.join(about, on="session", how="left", maintain_order="left")


def make_lever(
    context: ReportContext, name: str, what: str, rows: pl.DataFrame, sessions: pl.Series,
    *, kind: Kind = "setting", agent: str | None = None, scope: Scope = "user",
    applies_to: str = "", edits: list[FileEdit] | None = None, where: list[str] | None = None,
    certainty: Certainty = "counted", assumption: str = "the agent acts as it did",
    evidence: str = "", change: str = "",
) -> Lever | None:  # fmt: skip
    """`rows` have what each `saved` in which `session`; `sessions` are all that it applies to. None
    where the rows do not bear a lever."""
    savings: Savings | None = add_savings(rows, sessions)
    if savings is None:
        return None
    behind = f"{plural(savings.rows, 'row')} of {plural(savings.sessions, 'session')}"
    return Lever(
        name=name, kind=kind, agent=agent, scope=scope, applies_to=applies_to, edits=edits or [],
        what=what, where=where or [], amount=savings.amount, low=savings.low, high=savings.high,
        share=savings.amount / (context.summary.cost or 1.0), unit=context.unit,
        certainty=certainty, assumption=assumption, rows=savings.rows,
        evidence=f"{evidence}; {behind}" if evidence else behind,
        change=describe_edits(edits or []) or change, sessions=sessions.n_unique(),
    )  # fmt: skip
