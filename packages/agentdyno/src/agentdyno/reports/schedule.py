"""A schedule as a picture: lanes over time, one bar for each call, the critical path marked.

Takes bars that are already placed in time; returns a picture. No arithmetic
but lanes: a call goes to the first lane that is free when it starts.
"""

from agentdyno.reports.charts.axes import BELOW, draw_legend, draw_lower_axis, legend_height
from agentdyno.reports.charts.drawing import Drawing
from agentdyno.reports.charts.scales import Scale
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import LanesChart
from agentdyno.studies.scheduling.lanes import Lane

LANE_HEIGHT = 24
KINDS = {"critical path": "accent", "other": "series2", "failed": "unsolved"}
"""What a bar can be, with its colour."""
LETTER_WIDTH = 5.8
"""Of a label, in pixels; a label that is longer than its bar is left out."""


def lanes(bars: list[Lane]) -> list[int]:
    """The lane of each bar: as few as calls ran at the same time, critical ones first."""
    free: list[float] = []
    lane_of: dict[int, int] = {}
    for place in sorted(range(len(bars)), key=lambda i: _order(bars[i])):
        bar = bars[place]
        lane = next((n for n, at in enumerate(free) if at <= bar.start + 1e-9), len(free))
        if lane == len(free):
            free.append(0.0)
        free[lane] = bar.end
        lane_of[place] = lane
    return [lane_of[index] for index in range(len(bars))]


def _order(bar: Lane) -> tuple[float, bool, float]:
    return bar.start, not bar.critical, bar.end


def draw_schedule(
    bars: list[Lane], turns: list[float], width: int = 860, axis: str = "seconds"
) -> Drawing:
    """The chart; `turns` are the moments at which the agent made its next calls."""
    rows = lanes(bars)
    last = max((bar.end for bar in bars), default=1.0) or 1.0
    names = {kind: KINDS[kind] for kind in KINDS if any(_kind(bar) == kind for bar in bars)}
    top = legend_height(names, width) + 4
    height = LANE_HEIGHT * (max(rows, default=0) + 1)
    drawing = Drawing(width, height, top=top, bottom=BELOW)
    draw_legend(drawing, names, top, square=True)
    scale = Scale(axis, 0.0, last, kind="ratio")
    draw_lower_axis(drawing, scale, about=8, grid=False)
    for at in turns:
        x = scale.place(at) * drawing.plane
        drawing.line(x, 0, x, height, "line", dashed=True)
    for bar, lane in zip(bars, rows, strict=True):
        x, end = (scale.place(at) * drawing.plane for at in (bar.start, bar.end))
        y = lane * LANE_HEIGHT + 4
        drawing.rect(x, y, end - x, LANE_HEIGHT - 8, KINDS[_kind(bar)])
        if end - x >= LETTER_WIDTH * len(bar.label) + 8:
            middle = y + LANE_HEIGHT / 2 - 4
            drawing.text(x + 4, middle, label(bar.label), "onfill", size=10)
    return drawing


def _kind(bar: Lane) -> str:
    return "failed" if bar.failed else "critical path" if bar.critical else "other"


def schedule_file(chart: LanesChart, width: int = 860) -> str:
    """The picture as a file of its own, with its colours in it."""
    return draw_schedule(chart.bars, chart.turns, width, chart.axis).svg()
