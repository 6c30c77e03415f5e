"""Capacity as a topic: how many agents a machine serves, where the cliff is, what would move it."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.reports.numbers import percent, short
from agentdyno.reports.topic import PlaneChart, PlanePoint, Topic, TopicTable, columns
from agentdyno.studies.capacity import Capacity, LoadRow

HEADS = (
    "at once:count", "seconds a task:seconds", "tokens a second:amount", "hit rate:share",
    "first token, half:seconds", "first token, 95 %:seconds",
)  # fmt: skip


def render_capacity(found: Capacity) -> Topic:
    return Topic(
        anchor="capacity",
        title="How many agents fit",
        lead=f"{_cliff(found)} {_why(found)}".strip(),
        notes=[*found.notes, *_evidence(found)],
        charts=[_chart(found, "seconds_per_task", "seconds a task", "seconds", drawn=True),
                _chart(found, "hit_rate", "hit rate", "share")],
        tables=[
            TopicTable(
                f"{plural(found.sessions, 'session')}, {found.architecture}, "
                f"{found.gpus} x {found.hardware}",
                columns(*HEADS),
                [_cells(row) for row in found.rows],
                folded=False,
            ),
            *([_changes(found)] if found.changes else []),
        ],
    )  # fmt: skip


def _cells(row: LoadRow) -> list[float | int | None]:
    return [
        row.concurrency, row.seconds_per_task, row.tokens_per_second, row.hit_rate,
        row.first_token_p50_seconds, row.first_token_p95_seconds,
    ]  # fmt: skip


def _cliff(found: Capacity) -> str:
    best = min(found.rows, key=lambda row: row.makespan_seconds)
    if found.cliff is None:
        return (
            f"Up to {found.rows[-1].concurrency} at once there is no cliff: the same work is "
            f"fastest at {best.concurrency}, {best.seconds_per_task:,.1f} s a task."
        )
    there = next(row for row in found.rows if row.concurrency == found.cliff)
    slower = there.makespan_seconds / best.makespan_seconds - 1
    return (
        f"The cliff begins at {found.cliff} at once: the same work takes "
        f"{percent(slower, 0)} longer than at {best.concurrency}, and {percent(there.hit_rate)} of "
        f"the prompt tokens are still in memory instead of {percent(best.hit_rate)}."
    )


def _why(found: Capacity) -> str:
    if found.cache_tokens is None or found.fits is None:
        return "The card's memory is not known, so nothing is ever pushed out."
    room = (
        f"The memory holds {short(found.cache_tokens)} tokens, "
        f"{plural(int(found.fits), 'session')} at {short(found.mean_context)} tokens each."
    )
    if found.lost_to_others is None:
        return room
    return (
        f"{room} Of what was lost at {found.rows[-1].concurrency} at once, "
        f"{percent(found.lost_to_others, 0)} was pushed out by other sessions' prompts."
    )


def _evidence(found: Capacity) -> list[str]:
    return [] if found.evidence is None else [f"{found.evidence.describe()}."]


def _chart(found: Capacity, name: str, title: str, kind: str, *, drawn: bool = False) -> PlaneChart:
    return PlaneChart(
        name=f"capacity-{name.replace('_', '-')}",
        title=f"{title[0].upper()}{title[1:]} by sessions at once",
        across="sessions at once",
        up=title,
        points=[
            PlanePoint(
                "the cliff" if row.concurrency == found.cliff else "",
                Estimate(float(row.concurrency), n=found.sessions),
                Estimate(float(getattr(row, name)), n=found.sessions),
                strong=row.concurrency == found.cliff,
            )
            for row in found.rows
        ],
        across_kind="count",
        up_kind=kind,  # type: ignore[arg-type]
        lines=True,
        drawn=drawn,
    )


def _changes(found: Capacity) -> TopicTable:
    return TopicTable(
        f"What would change it, with {found.changed_at} at once",
        columns("change", *HEADS[1:]),
        [[change.name, *_cells(change.row)[1:]] for change in found.changes],
        folded=False,
        note="Each alone. Replays of the same sessions; no card measured these changes.",
    )
