"""A topic's charts drawn: values in, charts at the width asked for out. Texts are cleaned here."""

from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from agentdyno.estimates.values import Estimate
from agentdyno.records import printable
from agentdyno.reports.charts.depth import heat
from agentdyno.reports.charts.pictures import Picture
from agentdyno.reports.charts.points import LOG_SPAN, Scale, points
from agentdyno.reports.charts.rows import Row, bars, forest
from agentdyno.reports.numbers import figure, label
from agentdyno.reports.schedule import draw_schedule
from agentdyno.reports.topic import (
    CellKind,
    ChartRow,
    LanesChart,
    PlaneChart,
    PlanePoint,
    RowsChart,
    Topic,
    TopicChart,
)

if TYPE_CHECKING:
    import altair as alt

TICKS: dict[CellKind, str] = {"amount": "~s", "count": "~s", "share": ".0%", "money": "$~g"}
"""How an axis of a kind is written; others as short as they are exact."""
MOST_ROWS = 24
"""Rows that a chart shows; the table has them all."""


def topic_pictures(topics: list[Topic]) -> list[Picture]:
    """The charts of all topics that have something to draw, in order."""
    return [
        Picture(chart.name, topic.anchor, chart.title, partial(draw_chart, chart), _half(chart))
        for topic in topics
        for chart in topic.charts
        if _has_marks(chart)
    ]


def draw_chart(chart: TopicChart, width: int) -> "alt.LayerChart":
    """Any chart of a topic."""
    if isinstance(chart, RowsChart):
        return _rows(chart, width)
    if isinstance(chart, PlaneChart):
        return _plane(chart, width)
    if isinstance(chart, LanesChart):
        return draw_schedule(chart.bars, chart.turns, width, chart.axis)
    return heat(chart, width)


def _half(chart: TopicChart) -> bool:
    return isinstance(chart, RowsChart | PlaneChart) and chart.half


def _has_marks(chart: TopicChart) -> bool:
    if isinstance(chart, RowsChart):
        return any(row.reading.value is not None for row in chart.rows)
    if isinstance(chart, PlaneChart):
        return any(p.x.value is not None and p.y.value is not None for p in chart.points)
    return bool(chart.bars if isinstance(chart, LanesChart) else chart.tokens)


def _rows(chart: RowsChart, width: int) -> "alt.LayerChart":
    rows = [_row(row, chart.kind) for row in chart.rows[:MOST_ROWS]]
    readings = [row.reading for row in chart.rows[:MOST_ROWS]]
    ticks = TICKS.get(chart.kind, "~g")
    if chart.style == "bars":
        domain = _domain(readings, chart.kind, 0.0)
        return bars(rows, width, title=chart.axis, domain=domain, ticks=ticks)
    domain = _domain(readings, chart.kind, chart.middle)
    return forest(rows, width, title=chart.axis, domain=domain, middle=chart.middle, ticks=ticks)


def _row(row: ChartRow, kind: CellKind) -> Row:
    found = row.reading
    note = printable(row.note, 40) or figure(found.value, kind)
    return Row(label(row.name), found.value, found.low, found.high, note, row.strong)


def _plane(chart: PlaneChart, width: int) -> "alt.LayerChart":
    kept = [p for p in chart.points if p.x.value is not None and p.y.value is not None]
    dots = [_clean(point, chart.named) for point in kept]
    across = _scale(chart.across, [p.x for p in kept], chart.across_kind)
    up = _scale(chart.up, [p.y for p in kept], chart.up_kind)
    return points(dots, across, up, width, joined="line" if chart.lines else "no")


def _clean(point: PlanePoint, named: bool) -> PlanePoint:
    name = label(point.name, limit=26) if named else ""
    return structs.replace(point, name=name, group=printable(point.group, 26))


def _scale(title: str, readings: list[Estimate], kind: CellKind) -> Scale:
    """Shares from 0 to 1; what spans several factors in equal factors; all else as it falls."""
    ticks = TICKS.get(kind, "~g")
    values = [r.value for r in readings if r.value is not None]
    low, high = min(values), max(values)
    if kind == "share":
        return Scale(title, *_domain(readings, kind, 0.0), ticks=ticks)
    if kind != "ratio" and low > 0 and high / low > LOG_SPAN:
        return Scale(title, low * 0.8, high * 1.35, True, ticks)
    return Scale(title, *_domain(readings, kind, None), ticks=ticks)


def _domain(readings: list[Estimate], kind: CellKind, origin: float | None) -> tuple[float, float]:
    """Holds every mark and interval, and the origin where there is one."""
    ends = [end for r in readings for end in (r.low, r.value, r.high) if end is not None]
    low = min([*ends, *([] if origin is None else [origin])])
    high = max([*ends, *([] if origin is None else [origin])])
    room = 0.08 * (high - low) or abs(high) * 0.1 or 1.0
    first = low if low == origin else low - room
    last = high if high == origin else high + room
    if kind == "share":
        first, last = max(first, min(low, 0.0)), min(last, max(high, 1.0))
    return first, last
