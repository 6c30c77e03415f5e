"""Sessions as people know them, and tables by day, week, project, branch, agent and model."""

from collections.abc import Callable
from typing import Literal

from agentdyno.records import plural
from agentdyno.records.local_days import name_day, name_zone
from agentdyno.reports.numbers import UNKNOWN, cost, cost_column, label, span
from agentdyno.reports.topic import Cell, Place, Topic, TopicTable, Value, table_of
from agentdyno.studies.sessions import GROUPINGS, Grouping, Session, Sessions

LONGEST_TITLE = 60
DISPLAYED = 200
NOT_IN_IT = "turns left out:count"
"""The column of turns without a price, or without a cost in the unit that is counted in."""


def render_sessions(sessions: Sessions) -> Topic:
    """The topic: the sessions first, then the groups that there are several of."""
    groups = [by for by in GROUPINGS if len(sessions.groups[by]) > 1]
    return Topic(
        anchor="sessions",
        title="Sessions",
        lead=_lead(sessions),
        notes=[
            "Sub-agents are counted with the session that started them. Days are on this "
            f"machine's clock ({name_zone()})."
        ],
        charts=[],
        tables=[session_table(sessions), *(group_table(sessions, by) for by in groups)],
    )


def render_by(
    sessions: Sessions, by: Literal[Grouping, "session"], *, everything: bool = False
) -> Topic:
    """One table alone."""
    most = None if everything else DISPLAYED
    produced = session_table(sessions, most) if by == "session" else group_table(sessions, by)
    return Topic("sessions", f"By {by}", _lead(sessions), [], [], [produced])


def _lead(sessions: Sessions) -> str:
    first = sessions.sessions[0]
    many = plural(len(sessions.sessions), "session")
    title = label(first.title or first.trajectory_id, limit=LONGEST_TITLE)
    return f"{many}. The most expensive: “{title}”, {cost(first.cost, sessions.unit)}."


def session_table(sessions: Sessions, most: int | None = DISPLAYED) -> TopicTable:
    """One row for each session; columns that no trace fills are left out."""
    listed = sessions.sessions[:most]
    cells: dict[str, Callable[[Session], Value]] = {
        "session": _link,
        "date": lambda session: date(session.started_at),
        cost_column(sessions.unit): lambda session: session.cost,
        "duration": lambda session: span(session.seconds),
        "project": lambda session: folder_name(session.project),
        "branch": lambda session: label(session.branch, limit=40) if session.branch else None,
        "model": lambda session: label(session.model, limit=40) if session.model else None,
        "turns:count": lambda session: session.turns,
        "cached:share": lambda session: session.hit_rate,
        NOT_IN_IT: lambda session: session.unpriced_turns or None,
    }
    filled = {
        head: cell
        for head, cell in cells.items()
        if any(cell(session) not in (None, UNKNOWN, "") for session in listed)
    }
    return table_of("Sessions, the most expensive first", listed, filled, folded=False)


def _link(session: Session) -> Place:
    title = label(session.title or session.trajectory_id, limit=LONGEST_TITLE)
    return Place(session.trajectory_id, None, title)


def group_table(sessions: Sessions, by: Grouping) -> TopicTable:
    """One row for each day, week, project, branch, agent or model; the newest day or week, or the
    most expensive of the others, first."""
    groups = sessions.groups[by][::-1] if by in ("day", "week") else sessions.groups[by]
    cells: dict[str, Cell] = {
        by: lambda group: (folder_name(group.name) if by == "project" else group.name) or "unknown",
        cost_column(sessions.unit): "cost",
        "sessions:count": "sessions",
        "turns:count": "turns",
        "fresh input:amount": "input_tokens",
        "cache writes:amount": "written_tokens",
        "cache reads:amount": "read_tokens",
        "output:amount": "output_tokens",
    }
    if any(group.unpriced_turns for group in groups):
        cells[NOT_IN_IT] = "unpriced_turns"
    return table_of(f"By {by}", groups, cells)


def folder_name(project: str | None) -> str | None:
    """The last two folders of a path, which is what people call a project."""
    if not project:
        return None
    parts = [part for part in project.replace("\\", "/").split("/") if part]
    return label("/".join(parts[-2:]), limit=40) if parts else None


def date(seconds: float | None) -> str | None:
    """A day on this machine's clock: 2026-02-08."""
    return name_day(seconds)
