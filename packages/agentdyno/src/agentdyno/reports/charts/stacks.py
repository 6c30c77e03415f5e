"""Amounts cut by kind: columns in order of time, or rows with a name and an amount each."""

from agentdyno.reports.charts.axes import draw_legend, legend_height
from agentdyno.reports.charts.drawing import Drawing, cut, text_width
from agentdyno.reports.charts.scales import Scale
from agentdyno.reports.numbers import figure, label
from agentdyno.reports.topic import StackBar, StackChart

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
    taken = -1e9
    for number, bar in enumerate(chart.bars):
        middle, reach = (number + 0.5) * step, text_width(bar.name) / 2
        place = min(max(middle, reach), drawing.plane - reach)
        if place - reach >= taken:
            drawing.text(place, HEIGHT + 14, bar.name, "soft", "center")
            taken = place + reach + 10


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
