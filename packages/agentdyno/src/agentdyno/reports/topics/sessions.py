"""Sessions as people know them, and tables by day, week, project, branch, agent and model."""

from typing import Literal

from agentdyno.records import plural
from agentdyno.records.local_days import name_day, name_zone
from agentdyno.reports.numbers import CELLS, UNITS, UNKNOWN, cost, label, span
from agentdyno.reports.topic import Place, Topic, TopicColumn, TopicTable, Value, columns
from agentdyno.studies.sessions import GROUPINGS, Group, Grouping, Session, Sessions

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
    """One row for each session."""
    heads = [
        *columns("session", "date"),
        TopicColumn(UNITS[sessions.unit], CELLS[sessions.unit]),
        *columns("duration", "project", "branch", "model", "turns:count", "cached:share",
                 NOT_IN_IT),
    ]  # fmt: skip
    rows = [_session(session) for session in sessions.sessions[:most]]
    # Columns that no trace fills are left out.
    filled = [n for n in range(len(heads)) if any(row[n] not in (None, UNKNOWN) for row in rows)]
    return TopicTable(
        "Sessions, the most expensive first",
        [heads[n] for n in filled],
        [[row[n] for n in filled] for row in rows],
        False,
    )


def _session(session: Session) -> list[Value]:
    return [
        Place(
            session.trajectory_id,
            None,
            label(session.title or session.trajectory_id, limit=LONGEST_TITLE),
        ),
        date(session.started_at),
        session.cost,
        span(session.seconds),
        folder_name(session.project),
        label(session.branch, limit=40) if session.branch else None,
        label(session.model, limit=40) if session.model else None,
        session.turns,
        session.hit_rate,
        session.unpriced_turns or None,
    ]


def group_table(sessions: Sessions, by: Grouping) -> TopicTable:
    """One row for each day, week, project, branch, agent or model; the newest day or week, or the
    most expensive of the others, first."""
    groups = sessions.groups[by][::-1] if by in ("day", "week") else sessions.groups[by]
    heads = [
        TopicColumn(by),
        TopicColumn(UNITS[sessions.unit], CELLS[sessions.unit]),
        *columns("sessions:count", "turns:count", "fresh input:amount", "cache writes:amount",
                 "cache reads:amount", "output:amount"),
    ]  # fmt: skip
    rows = [_group(group, by) for group in groups]
    if any(group.unpriced_turns for group in groups):
        heads = [*heads, *columns(NOT_IN_IT)]
        rows = [[*row, group.unpriced_turns] for row, group in zip(rows, groups, strict=True)]
    return TopicTable(f"By {by}", heads, rows)


def _group(group: Group, by: Grouping) -> list[Value]:
    name = folder_name(group.name) if by == "project" else group.name
    return [
        name or "unknown",
        group.cost,
        group.sessions,
        group.turns,
        group.input_tokens,
        group.written_tokens,
        group.read_tokens,
        group.output_tokens,
    ]


def folder_name(project: str | None) -> str | None:
    """The last two folders of a path, which is what people call a project."""
    if not project:
        return None
    parts = [part for part in project.replace("\\", "/").split("/") if part]
    return label("/".join(parts[-2:]), limit=40) if parts else None


def date(seconds: float | None) -> str | None:
    """A day on this machine's clock: 2026-02-08."""
    return name_day(seconds)
