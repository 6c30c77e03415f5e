"""A topic's charts drawn: values in, charts at the width asked for out. Texts are cleaned here."""

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct, structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import printable
from agentdyno.reports.charts.axes import draw_legend, legend_height
from agentdyno.reports.charts.drawing import Drawing, cut, text_width
from agentdyno.reports.charts.heat import heat
from agentdyno.reports.charts.points import LOG_SPAN, Joined, few_groups, points
from agentdyno.reports.charts.rows import Row, bars, forest
from agentdyno.reports.charts.scales import Scale
from agentdyno.reports.charts.shares import draw_stacked, icicle
from agentdyno.reports.numbers import figure, label
from agentdyno.reports.schedule import draw_schedule
from agentdyno.reports.topic import (
    CellKind,
    ChartRow,
    HeatChart,
    LanesChart,
    PlaneChart,
    PlanePoint,
    RowsChart,
    SharesChart,
    StackBar,
    StackChart,
    Topic,
    TopicChart,
)

HEIGHT = 190
BELOW = 22
"""Pixels under the columns for their names."""
WIDEST = 120
"""A column is no wider, however few there are."""
ROW = 40


def draw_columns(chart: StackChart, width: int) -> Drawing:
    """One column for each bar; as many names below as fit."""
    scale = Scale("", 0.0, 1.08 * _largest(chart) or 1.0, kind=chart.kind)
    left = text_width(*(scale.text(tick) for tick in scale.ticks(4))) + 10
    names = _legend(chart)
    top = legend_height(names, width) + 8
    drawing = Drawing(width, HEIGHT, left=left, top=top, bottom=BELOW)
    draw_legend(drawing, names, top, square=True)
    for tick in scale.ticks(4):
        y = (1 - scale.place(tick)) * HEIGHT
        drawing.line(0, y, drawing.plane, y, "line")
        drawing.text(-8, y, scale.text(tick), "soft", "right")
    step = min(drawing.plane / max(len(chart.bars), 1), WIDEST)
    for number, bar in enumerate(chart.bars):
        _draw_column(drawing, chart, bar, number * step, step, scale)
    _draw_names(drawing, chart, step)
    return drawing


def _draw_column(
    drawing: Drawing, chart: StackChart, bar: StackBar, x: float, step: float, scale: Scale
) -> None:
    gap, base = min(step * 0.22, 8.0), 0.0
    for kind in chart.kinds:
        size = bar.pieces.get(kind, 0.0)
        y = (1 - scale.place(base + size)) * HEIGHT
        drawing.rect(x + gap / 2, y, step - gap, scale.place(size) * HEIGHT, kind)
        base += size


def _draw_names(drawing: Drawing, chart: StackChart, step: float) -> None:
    """The first and then every one that does not touch the last."""
    end = -1e9
    for number, bar in enumerate(chart.bars):
        middle, reach = (number + 0.5) * step, text_width(bar.name) / 2
        x = min(max(middle, reach), drawing.plane - reach)
        if x - reach >= end:
            drawing.text(x, HEIGHT + 14, bar.name, "soft", "center")
            end = x + reach + 10


def draw_rows(chart: StackChart, width: int) -> Drawing:
    """One row for each bar, its name above it and its amount at the right."""
    names = _legend(chart)
    top = legend_height(names, width) + 4
    drawing = Drawing(width, ROW * len(chart.bars), top=top)
    draw_legend(drawing, names, top, square=True)
    most = _largest(chart) or 1.0
    for number, bar in enumerate(chart.bars):
        y, x = (number + 0.5) * ROW, 0.0
        for kind in chart.kinds:
            reach = bar.pieces.get(kind, 0.0) / most * drawing.plane
            drawing.rect(x, y + 1, reach, 13, kind)
            x += reach
        name = cut(label(bar.name, limit=110), drawing.plane - 80)
        drawing.text(0, y - 2, name, baseline="bottom")
        amount = figure(sum(bar.pieces.values()), chart.kind)
        drawing.text(drawing.plane, y - 2, amount, "soft", "right", "bottom")
    return drawing


def _legend(chart: StackChart) -> dict[str, str]:
    """Words -> colour, for kinds that occur."""
    return {
        words: kind
        for kind, words in chart.kinds.items()
        if any(bar.pieces.get(kind) for bar in chart.bars)
    }


def _largest(chart: StackChart) -> float:
    return max((sum(bar.pieces.values()) for bar in chart.bars), default=0.0)


MOST_ROWS = 24
"""Rows that a chart shows; the table has them all."""


class Picture(Struct, frozen=True):
    """One chart."""

    name: str
    """Unique; the stem of its file."""
    section: str
    """The topic it belongs to."""
    title: str
    """What it shows, in a line."""
    draw: Callable[[int], Drawing]
    """Draws it at a width in pixels."""
    half: bool = False
    """Whether two of its kind fit side by side."""


def topic_pictures(topics: Iterable[Topic]) -> list[Picture]:
    """The charts of all topics that have something to draw, in order."""
    return [
        Picture(chart.name, topic.anchor, chart.title, partial(draw_chart, chart), _half(chart))
        for topic in topics
        for chart in topic.charts
        if _has_marks(chart)
    ]


def draw_chart(chart: TopicChart, width: int) -> Drawing:
    """Any chart of a topic."""
    if isinstance(chart, RowsChart):
        return _rows(chart, width)
    if isinstance(chart, PlaneChart):
        return _plane(chart, width)
    if isinstance(chart, LanesChart):
        return draw_schedule(chart.bars, chart.turns, width, chart.axis)
    if isinstance(chart, StackChart):
        return draw_columns(chart, width) if chart.upright else draw_rows(chart, width)
    if isinstance(chart, SharesChart):
        return (
            icicle(chart.bars[0], width)
            if len(chart.bars) == 1
            else draw_stacked(chart.bars, width)
        )
    return heat(chart, width)


def _half(chart: TopicChart) -> bool:
    return isinstance(chart, RowsChart | PlaneChart) and chart.half


def _has_marks(chart: TopicChart) -> bool:
    if isinstance(chart, RowsChart):
        return any(row.reading.value is not None for row in chart.rows)
    if isinstance(chart, PlaneChart):
        return any(p.x.value is not None and p.y.value is not None for p in chart.points)
    return bool(chart.tokens if isinstance(chart, HeatChart) else chart.bars)


def _rows(chart: RowsChart, width: int) -> Drawing:
    rows = [_row(row, chart.kind) for row in chart.rows[:MOST_ROWS]]
    readings = [row.reading for row in chart.rows[:MOST_ROWS]]
    origin = 0.0 if chart.style == "bars" else chart.middle
    scale = Scale(chart.axis, *_domain(readings, chart.kind, origin), kind=chart.kind)
    if chart.style == "bars":
        return bars(rows, width, scale)
    return forest(rows, width, scale, chart.middle)


def _row(row: ChartRow, kind: CellKind) -> Row:
    reading = row.reading
    note = printable(row.note, 40) or figure(reading.value, kind)
    return Row(label(row.name), reading.value, reading.low, reading.high, note, row.strong)


def _plane(chart: PlaneChart, width: int) -> Drawing:
    drawable = [p for p in chart.points if p.x.value is not None and p.y.value is not None]
    dots = few_groups([_clean(point, chart.named) for point in drawable])
    across = _scale(chart.across, [p.x for p in drawable], chart.across_kind)
    up = _scale(chart.up, [p.y for p in drawable], chart.up_kind)
    joined: Joined = "line" if chart.lines else "step" if chart.front else "no"
    return points(dots, across, up, width, joined=joined, size=32 if chart.small else 90)


def _clean(point: PlanePoint, named: bool) -> PlanePoint:
    name = label(point.name, limit=26) if named and point.name else ""
    return structs.replace(point, name=name, group=printable(point.group, 26))


def _scale(title: str, readings: list[Estimate], kind: CellKind) -> Scale:
    """Shares from 0 to 1; what spans several factors in equal factors; all else as it falls."""
    values = [r.value for r in readings if r.value is not None]
    low, high = min(values), max(values)
    if kind == "share":
        return Scale(title, *_domain(readings, kind, 0.0), kind=kind)
    if kind != "ratio" and low > 0 and high / low > LOG_SPAN:
        return Scale(title, low * 0.8, high * 1.35, True, kind)
    return Scale(title, *_domain(readings, kind, None), kind=kind)


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
    return (first, last) if last > first else (first, first + 1.0)
