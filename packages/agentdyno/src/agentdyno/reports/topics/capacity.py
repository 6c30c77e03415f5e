"""Capacity as a topic: how many agents a machine serves, where the cliff is, what would move it."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.reports.numbers import percent, short
from agentdyno.reports.topic import PlaneChart, PlanePoint, Topic, TopicTable, table_of
from agentdyno.studies.capacity import Capacity

CELLS = {
    "seconds a task:seconds": "seconds_per_task",
    "tokens a second:amount": "tokens_per_second",
    "hit rate:share": "hit_rate",
    "first token, half:seconds": "first_token_p50_seconds",
    "first token, 95 %:seconds": "first_token_p95_seconds",
}


def render_capacity(capacity: Capacity) -> Topic:
    return Topic(
        anchor="capacity",
        title="How many agents fit",
        lead=f"{_cliff(capacity)} {_why(capacity)}".strip(),
        notes=[*capacity.notes, *_evidence(capacity)],
        charts=[_chart(capacity, "seconds_per_task", "seconds a task", "seconds", drawn=True),
                _chart(capacity, "hit_rate", "hit rate", "share")],
        tables=[
            table_of(
                f"{plural(capacity.sessions, 'session')}, {capacity.architecture}, "
                f"{capacity.gpus} x {capacity.hardware}",
                capacity.rows,
                {"at once:count": "concurrency", **CELLS},
                folded=False,
            ),
            *([_changes(capacity)] if capacity.changes else []),
        ],
    )  # fmt: skip


def _cliff(capacity: Capacity) -> str:
    best = min(capacity.rows, key=lambda row: row.makespan_seconds)
    if capacity.cliff is None:
        return (
            f"Up to {capacity.rows[-1].concurrency} at once there is no cliff: the same work is "
            f"fastest at {best.concurrency}, {best.seconds_per_task:,.1f} s a task."
        )
    row_at_cliff = next(row for row in capacity.rows if row.concurrency == capacity.cliff)
    slower = row_at_cliff.makespan_seconds / best.makespan_seconds - 1
    return (
        f"The cliff begins at {capacity.cliff} at once: the same work takes "
        f"{percent(slower, 0)} longer than at {best.concurrency}, and "
        f"{percent(row_at_cliff.hit_rate)} of the prompt tokens are still in memory "
        f"instead of {percent(best.hit_rate)}."
    )


def _why(capacity: Capacity) -> str:
    if capacity.cache_tokens is None or capacity.fits is None:
        return "The card's memory is not known, so nothing is ever pushed out."
    room = (
        f"The memory holds {short(capacity.cache_tokens)} tokens, "
        f"{plural(int(capacity.fits), 'session')} at {short(capacity.mean_context)} tokens each."
    )
    if capacity.lost_to_others is None:
        return room
    return (
        f"{room} Of what was lost at {capacity.rows[-1].concurrency} at once, "
        f"{percent(capacity.lost_to_others, 0)} was pushed out by other sessions' prompts."
    )


def _evidence(capacity: Capacity) -> list[str]:
    return [] if capacity.evidence is None else [f"{capacity.evidence.describe()}."]


def _chart(
    capacity: Capacity, name: str, title: str, kind: str, *, drawn: bool = False
) -> PlaneChart:
    return PlaneChart(
        name=f"capacity-{name.replace('_', '-')}",
        title=f"{title[0].upper()}{title[1:]} by sessions at once",
        across="sessions at once",
        up=title,
        points=[
            PlanePoint(
                "the cliff" if row.concurrency == capacity.cliff else "",
                Estimate(float(row.concurrency), n=capacity.sessions),
                Estimate(float(getattr(row, name)), n=capacity.sessions),
                strong=row.concurrency == capacity.cliff,
            )
            for row in capacity.rows
        ],
        across_kind="count",
        up_kind=kind,  # type: ignore[arg-type]
        lines=True,
        drawn=drawn,
    )


def _changes(capacity: Capacity) -> TopicTable:
    return table_of(
        f"What would change it, with {capacity.changed_at} at once",
        capacity.changes,
        {"change": "name", **{head: f"row.{field}" for head, field in CELLS.items()}},
        folded=False,
        note="Each alone. Replays of the same sessions; no card measured these changes.",
    )
