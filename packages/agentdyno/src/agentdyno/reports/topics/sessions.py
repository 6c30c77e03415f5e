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


def render_sessions(found: Sessions) -> Topic:
    """The topic: the sessions first, then the groups that there are several of."""
    groups = [by for by in GROUPINGS if len(found.groups[by]) > 1]
    return Topic(
        anchor="sessions",
        title="Sessions",
        lead=_lead(found),
        notes=[
            "Sub-agents are counted with the session that started them. Days are on this "
            f"machine's clock ({name_zone()})."
        ],
        charts=[],
        tables=[session_table(found), *(group_table(found, by) for by in groups)],
    )


def render_by(
    found: Sessions, by: Literal[Grouping, "session"], *, everything: bool = False
) -> Topic:
    """One table alone."""
    most = None if everything else DISPLAYED
    produced = session_table(found, most) if by == "session" else group_table(found, by)
    return Topic("sessions", f"By {by}", _lead(found), [], [], [produced])


def _lead(found: Sessions) -> str:
    first = found.sessions[0]
    many = plural(len(found.sessions), "session")
    title = label(first.title or first.trajectory_id, limit=LONGEST_TITLE)
    return f"{many}. The most expensive: “{title}”, {cost(first.cost, found.unit)}."


def session_table(found: Sessions, most: int | None = DISPLAYED) -> TopicTable:
    """One row for each session."""
    heads = [
        *columns("session", "date"),
        TopicColumn(UNITS[found.unit], CELLS[found.unit]),
        *columns("duration", "project", "branch", "model", "turns:count", "cached:share",
                 NOT_IN_IT),
    ]  # fmt: skip
    rows = [_session(each) for each in found.sessions[:most]]
    # Columns that no trace fills are left out.
    known = [n for n in range(len(heads)) if any(row[n] not in (None, UNKNOWN) for row in rows)]
    return TopicTable(
        "Sessions, the most expensive first",
        [heads[n] for n in known],
        [[row[n] for n in known] for row in rows],
        False,
    )


def _session(each: Session) -> list[Value]:
    return [
        Place(
            each.trajectory_id, None, label(each.title or each.trajectory_id, limit=LONGEST_TITLE)
        ),
        date(each.started_at),
        each.cost,
        span(each.seconds),
        folder_name(each.project),
        label(each.branch, limit=40) if each.branch else None,
        label(each.model, limit=40) if each.model else None,
        each.turns,
        each.hit_rate,
        each.unpriced_turns or None,
    ]


def group_table(found: Sessions, by: Grouping) -> TopicTable:
    """One row for each day, week, project, branch, agent or model; the newest day or week, or the
    most expensive of the others, first."""
    groups = found.groups[by][::-1] if by in ("day", "week") else found.groups[by]
    heads = [
        TopicColumn(by),
        TopicColumn(UNITS[found.unit], CELLS[found.unit]),
        *columns("sessions:count", "turns:count", "fresh input:amount", "cache writes:amount",
                 "cache reads:amount", "output:amount"),
    ]  # fmt: skip
    rows = [_group(each, by) for each in groups]
    if any(each.unpriced_turns for each in groups):
        heads = [*heads, *columns(NOT_IN_IT)]
        rows = [[*row, each.unpriced_turns] for row, each in zip(rows, groups, strict=True)]
    return TopicTable(f"By {by}", heads, rows)


def _group(each: Group, by: Grouping) -> list[Value]:
    name = folder_name(each.name) if by == "project" else each.name
    return [
        name or "unknown",
        each.cost,
        each.sessions,
        each.turns,
        each.input_tokens,
        each.written_tokens,
        each.read_tokens,
        each.output_tokens,
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
